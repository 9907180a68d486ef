import assert from 'node:assert/strict'
import { createECDH, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { person } from './people.mjs'
import { serve } from './server.mjs'

/** A push service and the keys of one browser there: what comes is read as that browser would. */
async function pushService() {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16)
  const told = []
  let wake = () => null
  const server = createServer((request, reply) => {
    const parts = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      told.push(read(Buffer.concat(parts)))
      reply.writeHead(201).end()
      wake()
    })
  })
  const derived = (secret, salt, info, length) => Buffer.from(hkdfSync('sha256', secret, salt, info, length))
  function read(body) {
    const [salt, ours, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)]
    const secret = derived(keys.computeSecret(ours), auth, Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), ours]), 32)
    const cipher = createDecipheriv('aes-128-gcm', derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16), derived(secret, salt, 'Content-Encoding: nonce\0', 12))
    cipher.setAuthTag(sealed.subarray(-16))
    return Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]).subarray(0, -1).toString()
  }
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    p256dh: keys.getPublicKey('base64'),
    auth: auth.toString('base64'),
    next: async () => {
      while (!told.length) await new Promise((woken) => (wake = woken))
      return told.shift()
    },
    stop: () => new Promise((done) => server.close(done)),
  }
}

/** Chromium without a network has no push service: the page is given a subscription at ours. */
function subscribed({ url, p256dh, auth }) {
  const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer
  let present = null
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' }) // which a small Chromium never gives
  Notification.requestPermission = async () => 'granted'
  PushManager.prototype.subscribe = async () =>
    (present = { endpoint: `${url}/browser`, getKey: (name) => bytes(name === 'auth' ? auth : p256dh), unsubscribe: async () => (present = null) })
  PushManager.prototype.getSubscription = async () => present
}

export const tests = {
  async 'a browser subscribes, the server tells it encrypted whose turn it is, and the worker shows that and counts'(world) {
    const service = await pushService()
    const server = await serve({ SPLENDOR_PUSH_SERVICES: service.url })
    const { page, context, done } = await person({ ...world, base: server.base }, { size: 'phone', motion: 'reduce' })
    await context.addInitScript(`(${subscribed})(${JSON.stringify({ url: service.url, p256dh: service.p256dh, auth: service.auth })})`)
    await page.goto(server.base)
    await page.evaluate(() => navigator.serviceWorker.ready)
    const id = await page.evaluate(async () => {
      const send = (path, body) => fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
      await send('/api/session', {})
      localStorage.setItem('splendor.known', '1')
      return (await (await send('/api/tables', { seats: [{ kind: 'me' }, { kind: 'open' }], clock: { kind: 'days', days: 1 }, order: 'chosen' })).json()).id
    })
    await page.goto(`${server.base}/settings`)
    await page.getByRole('button', { name: 'Tell me', exact: true }).click()
    await page.getByText('This browser tells you.').waitFor()

    const friend = await person({ ...world, base: server.base })
    await friend.page.goto(server.base)
    await friend.page.evaluate(async (table) => {
      const send = (path, body) => fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
      await send('/api/session', {})
      await send(`/api/tables/${table}/join`, {})
    }, id)
    const told = await service.next()
    assert.equal(JSON.parse(told).table, id)

    // what the browser's own service would do with it
    const devtools = await context.newCDPSession(page)
    const registered = new Promise((found) => devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => registrations.length && found(registrations[0].registrationId)))
    await devtools.send('ServiceWorker.enable')
    const [worker] = context.serviceWorkers()
    await worker.evaluate(() => {
      Object.defineProperty(navigator, 'setAppBadge', { value: async (count) => (self.badge = count) }) // at which a small Chromium crashes
      self.shown = new Promise((found) => (self.registration.showNotification = async (title, { body, tag }) => found({ title, body, tag })))
    })
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: server.base, registrationId: await registered, data: told })
    const shown = await worker.evaluate(() => self.shown)
    assert.equal(shown.title, 'Your turn')
    assert.match(shown.body, /^Against Guest \d+$/)
    assert.equal(shown.tag, id)
    await page.waitForFunction(() => document.title.startsWith('(1) '))
    assert.equal(await worker.evaluate(() => self.badge), 1)
    await page.goto(server.base)
    await page.waitForFunction(() => document.title.startsWith('(1) '))
    await page.goto(`${server.base}/settings`)
    await page.getByRole('button', { name: 'Tell me', exact: true }).waitFor() // this page was given a new, empty subscription
    await page.goto(`${server.base}/calendar`)
    await page.locator('li', { hasText: 'Your turn' }).waitFor()
    await page.getByRole('button', { name: 'Make an address' }).click()
    const address = await page.getByLabel('In your calendar').inputValue()
    assert.match(await (await fetch(address)).text(), /SUMMARY:Splendor: your move against Guest/)
    await page.getByRole('button', { name: 'Revoke the address' }).click()
    await page.getByRole('button', { name: 'Make an address' }).waitFor()
    assert.equal((await fetch(address)).status, 404)
    await friend.done()
    await done()
    await server.stop()
    await service.stop()
  },
}
