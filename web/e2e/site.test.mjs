// The client as static files, and the app without a connection.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { hurry, person, settled } from './people.mjs'
import { RECORD } from './review.test.mjs'
import { release, site } from './site.mjs'

const POSITION = /start:\s+'([^']+)'/.exec(readFileSync(new URL('../src/learn/positions.ts', import.meta.url), 'utf8'))[1]

const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor()
const toPage = (page, name) => page.getByRole('contentinfo').or(page.getByRole('navigation')).getByRole('link', { name, exact: true }).click()
const started = (page) => page.evaluate(async () => (await navigator.serviceWorker.ready).active.state)
/** Waits until no worker of another version is left. Chromium stops idle ones, but not where it is watched, as here. */
async function tookOver(page) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('ServiceWorker.enable')
  for (let tries = 0; tries < 300; tries++) {
    const isDone = await page.evaluate(async () => {
      const { waiting, active } = await navigator.serviceWorker.getRegistration()
      return !waiting && active?.state === 'activated'
    })
    if (isDone) return
    await page.waitForTimeout(200)
    if (tries % 20 === 19) await browser.send('ServiceWorker.stopAllWorkers')
  }
  throw new Error('the old worker stays')
}

export const tests = {
  async 'a site in a folder of any host: its pages open, what needs a server says so, and without a connection it stays'(world) {
    const host = await site()
    const { page, done } = await person(world)
    try {
      const asked = []
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(host.address)
      await heading(page, 'Gems, cards and nobles')
      assert.equal(await page.getByRole('link', { name: 'Lobby' }).count(), 0)
      await toPage(page, 'Rules')
      await heading(page, 'Rules')
      assert.equal(page.url(), `${host.address}?/rules`)
      await page.goto(`${host.address}?/lobby`)
      await page.getByText('This part needs a server').waitFor()
      const openPosition = async () => {
        await page.goto(`${host.address}?/analysis`)
        await page.getByLabel('A position line or a game file').fill(POSITION)
        await page.getByRole('button', { name: 'Open', exact: true }).click()
        await page.locator('.board').waitFor()
      }
      await openPosition()
      await page.goto(`${host.address}?/settings`)

      await page.getByRole('button', { name: 'Make ready for offline play' }).click()
      await page.getByText('Ready: everything').waitFor()
      assert.deepEqual(asked.filter((address) => !address.startsWith(host.address) || address.includes('/api')), [])

      await started(page)
      await host.unplug()
      for (const [address, name] of [['', 'Gems, cards and nobles'], ['?/rules', 'Rules'], ['?/replay', 'Replay']]) {
        await page.goto(host.address + address)
        await heading(page, name)
      }
      await openPosition()
      await page.getByText('400 simulations').waitFor()
      await page.getByText('Worked out in this browser').waitFor()
      assert.ok(await page.locator('.lines li').count() >= 3)

      await page.goto(`${host.address}?/replay`)
      await page.locator('textarea').fill(RECORD)
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('button', { name: 'Review', exact: true }).click()
      await page.locator('.curve').waitFor()
      await page.waitForFunction(() => document.querySelectorAll('.grade').length >= 4)
      await page.reload()
      await page.locator('.curve').waitFor()

      await page.goto(`${host.address}?/learn?step=2`)
      await page.locator('.board').waitFor()
      await page.goto(`${host.address}?/settings`)
      await page.getByText('Ready: everything').waitFor()
      const kept = await page.evaluate(async () => {
        const bytes = {}
        for (const name of await caches.keys()) {
          if (!name.startsWith('splendor-engine')) continue
          const cache = await caches.open(name)
          for (const request of await cache.keys()) bytes[new URL(request.url).pathname.split('/').at(-1)] = (await (await cache.match(request)).arrayBuffer()).byteLength
        }
        return bytes
      })
      assert.deepEqual(Object.keys(kept).sort(), ['network.bin', 'network.wasm', 'rules.wasm'])
      assert.ok(kept['network.bin'] > 2_000_000)
    } finally {
      await host.stop()
    }
    await done()
  },

  async 'a new version: an open page keeps what it needs, the next load is the new one, and that opens without a connection'(world) {
    const host = await site()
    const { page, done } = await person(world)
    const version = () => page.evaluate(() => document.querySelector('meta[name=version]')?.content ?? 'first')
    const waits = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).waiting !== null)
    try {
      await page.goto(host.address)
      await started(page)
      await page.getByLabel('Computer').selectOption('journeyman')
      await page.getByRole('button', { name: 'Play now' }).click()
      await page.locator('.board').waitFor()
      await hurry(page, 2)
      await settled(page)
      release(host.folder)
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration()
        await registration.update()
        const fresh = registration.installing
        if (fresh) await new Promise((resolve) => fresh.addEventListener('statechange', () => fresh.state === 'installed' && resolve()))
      })
      assert.ok(await waits())
      await hurry(page, 1)
      const game = await settled(page)
      const table = page.url()
      await page.getByRole('link', { name: 'Home', exact: true }).click()
      await toPage(page, 'Keyboard') // whose script the host has no more
      await heading(page, 'Keyboard')
      assert.equal(await version(), 'first')

      await page.reload()
      assert.equal(await version(), 'second')
      await tookOver(page)
      await host.unplug()
      await page.goto(table)
      assert.equal(await version(), 'second')
      await page.locator('.board').waitFor()
      assert.deepEqual((await settled(page)).board, game.board, 'the game goes on where it was')
      await hurry(page, 1)
      await page.goto(host.address)
      assert.equal(await version(), 'second')
      await toPage(page, 'Keyboard')
      await heading(page, 'Keyboard')
    } finally {
      await host.stop()
    }
    await done()
  },
}
