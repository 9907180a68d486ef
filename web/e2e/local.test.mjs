// Games that the browser hosts by itself: against computers and at one device, with and without a connection.
import assert from 'node:assert/strict'
import { clickTurn, hurry, look, person, settled, typeTurn } from './people.mjs'
import { site } from './site.mjs'

// A few turns before the end of a game.
const LATE = '2 0 30 0 act 0 300005 31,33,39,1/61,63,64,44/76,87,75,88 ?19/?19/?10 10,8@0,4'
  + ' 031210:5,9,11,13,23,24,29,30,34,35,38,41,73,79:82,80 113230:6,12,16,25,32,40,45,47,51,59,69:86,58,84'
const HERE = { serviceWorkers: 'block' } // which would answer from what it keeps
const idOf = (page) => /local-[\w-]{16}/.exec(page.url())[0]

/** On a site, where there is no server. */
const alone = (test) => async (world) => {
  const host = await site()
  try {
    await test({ ...world, base: host.address, at: (path) => `${host.address}?${path}`, unplug: host.unplug })
  } finally {
    await host.stop()
  }
}
const start = async (world, page, level) => {
  await page.goto(world.base)
  await page.getByLabel('Computer').selectOption(level)
  await page.getByRole('button', { name: 'Play now' }).click()
  await page.locator('.board').waitFor()
  assert.match(page.url(), /\/t\/local-/)
}
/** Something happens in a worker before all else. */
const first = (page, worker, deed) =>
  page.route(worker, async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, body: `(${deed})();\n${await reply.text()}` })
  })
const own = async (page) => {
  await settled(page)
  await page.waitForFunction(() => document.querySelector('main').innerText.includes('Your turn'))
}

export const tests = {
  'a whole game in the page with the network cut, by mouse and keys: hint, take-back, the end, replay, rematch': alone(async (world) => {
    const { page, context, done } = await person(world, HERE)
    const asked = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await start(world, page, 'grandmaster')
    await own(page)
    await page.keyboard.press('h')
    await page.getByText('Hint:').first().waitFor() // the engine and its network are here now
    await context.setOffline(true)
    assert.deepEqual(asked.filter((path) => path.startsWith('/api')), [])

    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('pass')
    await page.keyboard.press('Enter')
    await page.getByText('Passing is allowed only when no other action is possible.').first().waitFor()
    await page.keyboard.press('Escape')

    const before = (await look(page)).board.turn
    await page.keyboard.press('Escape')
    for (const key of ['w', 'u', 'g', 'Enter']) await page.keyboard.press(key)
    await own(page) // a grandmaster's move
    assert.equal((await look(page)).board.turn, before + 2)
    if ((await look(page)).can_undo) {
      await page.keyboard.press('z')
      await page.waitForFunction((turn) => globalThis.overheard.board.turn === turn, before)
    }
    await page.getByRole('button', { name: 'Table menu' }).click()
    await page.getByRole('button', { name: 'Give up' }).click()
    await page.locator('dialog[open]').getByRole('button', { name: 'Give up' }).click()
    await page.locator('dialog[open] .why').waitFor()
    await context.setOffline(false)

    await start(world, page, 'apprentice')
    await settled(page)
    await context.setOffline(true)
    for (let turn = 0; turn < 3; turn++) {
      await settled(page)
      await clickTurn(page)
      await settled(page)
      await typeTurn(page)
    }
    await hurry(page, 400)
    const end = page.locator('dialog[open]')
    await end.locator('tbody').waitFor()
    const { result, id } = await look(page)
    const ends = await end.locator('figure text').allTextContents()
    assert.deepEqual(ends.map(Number).sort(), [...result.points].sort(), 'the course of the game is drawn')
    await context.setOffline(false)
    await end.getByRole('link', { name: 'Look at the game again' }).click()
    await page.locator('.board').waitFor()
    await page.getByRole('button', { name: 'One step on' }).click()
    assert.match(page.url(), /local-.*step=1$/)
    const [file] = await Promise.all([page.waitForEvent('download'), (async () => {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('button', { name: 'Download' }).click()
    })()])
    assert.match(file.suggestedFilename(), /^splendor-local/)
    await page.goto(world.at(`/t/${id}`))
    await end.getByRole('button', { name: 'Rematch' }).click()
    await page.waitForURL((url) => !url.href.includes(id))
    await page.locator('.board').waitFor()
    await done()
  }),

  'a late game against a grandmaster without any host: begun, loaded anew in mid-game, its workers killed, played to the end': alone(async (world) => {
    const { page, done } = await person(world)
    await page.goto(world.at('/settings'))
    await page.getByRole('button', { name: 'Make ready for offline play' }).click()
    await page.getByText('Ready: everything').waitFor()
    await world.unplug()
    await page.goto(world.at('/replay'))
    await page.locator('textarea').fill(`[Game "splendor 1"]\n[Position "${LATE}"]\n\n`)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('button', { name: 'Play on from here' }).click()
    await page.locator('dialog[open]').getByLabel('Against').selectOption('grandmaster')
    await page.locator('dialog[open]').getByRole('button', { name: 'Play', exact: true }).click()
    await page.waitForURL(/local-/)
    await page.waitForFunction(() => globalThis.overheard)
    await page.locator('.board').waitFor()
    await settled(page)
    const worker = (name) => page.workers().findLast((one) => one.url().includes(name))

    await hurry(page, 1)
    const { version } = await look(page) // the grandmaster thinks
    await worker('thinking').evaluate(() => close())
    await page.waitForFunction((before) => globalThis.overheard.version > before, version) // another one has

    const before = await settled(page)
    await page.reload()
    await page.locator('.board').waitFor()
    const after = await settled(page)
    assert.deepEqual([after.version, after.board], [before.version, before.board])

    if (after.status === 'live') {
      const hired = page.waitForEvent('worker', (one) => one.url().includes('host.worker'))
      await worker('host.worker').evaluate(() => close())
      await hired
      assert.deepEqual((await settled(page)).board, after.board)
    }
    await hurry(page, 100)
    await page.locator('dialog[open] tbody').waitFor()
    const { result, seats } = await look(page)
    assert.equal(result.reason, 'points')
    assert.ok(seats.some(({ person }) => person?.level === 'grandmaster'))
    await done()
  }),

  'a game of the page is kept: a reload goes on, another tab waits and takes over, the lists know it; a computer that dies is started again': alone(async (world) => {
    const { page, context, done } = await person(world, HERE)
    await start(world, page, 'journeyman')
    await hurry(page, 3)
    const before = await settled(page)
    await page.reload()
    await page.locator('.board').waitFor()
    const after = await settled(page)
    assert.deepEqual([after.version, after.board], [before.version, before.board])

    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByText('open in another tab').waitFor()
    await other.getByRole('button', { name: 'Play on here' }).click()
    await other.locator('.board').waitFor()
    await page.getByText('open in another tab').waitFor()
    await hurry(other, 1)
    const { version: there } = await settled(other)
    await other.close()
    await page.locator('.board').waitFor() // by itself
    assert.ok((await settled(page)).version >= there)

    const thinker = page.workers().find((worker) => worker.url().includes('thinking'))
    await thinker?.evaluate(() => close())
    await hurry(page, 1)
    await settled(page)

    await page.goto(world.base)
    await page.getByRole('link', { name: /You and Journeyman|Journeyman and You/ }).click()
    await page.locator('.board').waitFor()
    await hurry(page, 400)
    await page.locator('dialog[open] tbody').waitFor()
    await page.goto(world.at('/archive'))
    await page.locator('li.kept').getByRole('link').click()
    await page.locator('.board').waitFor()
    await page.goto(world.at('/archive'))
    await page.getByRole('button', { name: /^Remove the game/ }).click()
    await page.getByText('You have not finished a game yet').waitFor()
    await done()
  }),

  'two at one device: the board is covered between them, and the page knows the cards of nobody else': alone(async (world) => {
    const { page, done } = await person(world, { ...HERE, size: 'phone' })
    await page.goto(world.base)
    await page.getByRole('button', { name: 'On this device' }).click()
    const ready = page.getByRole('button', { name: /^I am / })
    for (let turn = 0; turn < 4; turn++) {
      await ready.click()
      await page.locator('.board').waitFor()
      const { version, viewer } = await look(page)
      if (turn < 2) {
        await page.locator('[data-place="deck:1"]').click()
        await page.locator('.bar .buttons .primary').click()
      } else {
        const hands = (await look(page)).board.hands
        assert.equal(hands[viewer].reserved[0].id !== null, true)
        assert.equal(hands[1 - viewer].reserved[0].id, null)
        await hurry(page, 1)
      }
      await page.waitForFunction((version) => globalThis.overheard.version > version, version)
    }
    await done()
  }),

  'a browser that refuses to keep anything plays, and so does one whose disk is full: a sentence says so': alone(async (world) => {
    const refuse = () => {
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
        if (name in globalThis) Object.defineProperty(globalThis, name, { get: () => { throw new DOMException('refused', 'SecurityError') } })
      }
    }
    const strict = await person(world, HERE)
    await strict.context.addInitScript(refuse)
    await first(strict.page, /host\.worker/, refuse)
    await start(world, strict.page, 'apprentice')
    await strict.page.getByText('This browser keeps nothing').waitFor()
    await hurry(strict.page, 2)
    await settled(strict.page)
    await strict.page.getByRole('button', { name: 'Table menu' }).click()
    await strict.page.getByRole('button', { name: 'Give up' }).click()
    await strict.page.locator('dialog[open]').getByRole('button', { name: 'Give up' }).click()
    await strict.page.locator('dialog[open] .why').waitFor()
    await strict.done()

    const full = () => {
      const { put } = IDBObjectStore.prototype
      let room = 6
      IDBObjectStore.prototype.put = function (...given) {
        if (room-- > 0) return put.apply(this, given)
        this.transaction.abort()
        throw new DOMException('there is no room', 'QuotaExceededError')
      }
    }
    const { page, done } = await person(world, HERE)
    await first(page, /host\.worker/, full)
    await start(world, page, 'apprentice')
    await hurry(page, 4)
    await page.getByText('This browser keeps nothing').waitFor()
    const { board } = await settled(page)
    await page.unroute(/host\.worker/)
    await page.reload()
    await page.locator('.board').waitFor()
    const again = await settled(page)
    assert.ok(again.board.turn < board.turn && again.status === 'live', 'what was kept before is there')
    await hurry(page, 1)
    await settled(page)
    await done()
  }),

  'a browser that keeps nothing, one without SIMD, files that do not come, and a game that cannot be read: a sentence, and a way on': alone(async (world) => {
    const none = () => {
      Object.defineProperty(globalThis, 'indexedDB', { value: undefined })
    }
    const { page, done } = await person(world, HERE)
    await first(page, /host\.worker/, none)
    await start(world, page, 'journeyman')
    await page.getByText('This browser keeps nothing').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await hurry(page, 2)
    await settled(page)
    await page.reload()
    await page.getByText('not in this browser').waitFor()
    await page.getByRole('link', { name: 'To the start page' }).click()
    await page.getByRole('button', { name: 'Play now' }).waitFor()
    await page.unroute(/host\.worker/)

    const half = async (route) => {
      const reply = await route.fetch()
      await route.fulfill({ response: reply, body: (await reply.body()).subarray(0, 1_000_000) })
    }
    for (const [file, spoil] of [
      [/network\.wasm/, () => page.route(/network\.wasm/, (route) => route.fulfill({ status: 404 }))],
      [/network\.bin/, () => page.route(/network\.bin/, half)],
      [/thinking\.worker/, () => first(page, /thinking\.worker/, () => (WebAssembly.validate = () => false))],
    ]) {
      await spoil()
      await start(world, page, 'grandmaster')
      await hurry(page, 1)
      await page.getByText('a simpler one plays').waitFor()
      await settled(page)
      await page.unroute(file)
    }

    await page.route(/rules\.wasm/, (route) => route.fulfill({ contentType: 'application/wasm', body: 'damaged' }))
    await page.goto(world.base)
    await page.getByRole('button', { name: 'Play now' }).click()
    await page.getByText('came damaged').waitFor()
    await page.getByRole('button', { name: 'Reload' }).waitFor()
    await page.unroute(/rules\.wasm/)

    await start(world, page, 'apprentice')
    await settled(page)
    const spoil = (id, how) =>
      page.evaluate(([id, how]) => new Promise((resolve) => {
        indexedDB.open('splendor').onsuccess = ({ target: { result: database } }) => {
          const logs = database.transaction('logs', 'readwrite').objectStore('logs')
          logs.get(id).onsuccess = ({ target: { result: kept } }) => {
            if (how === 'newer') kept.format += 1
            else kept.log.push({ version: kept.version + 1, at: 1, entry: { type: 'played', seat: 0, move: 'b1' } })
            logs.put(kept).onsuccess = () => (database.close(), resolve())
          }
        }
      }), [id, how])
    const id = idOf(page)
    for (const [how, sentence] of [['damaged', 'is damaged, so it cannot go on'], ['newer', 'newer version']]) {
      await page.goto(world.at('/about'))
      await spoil(id, how)
      await page.goto(world.at(`/t/${id}`))
      await page.getByText(sentence).waitFor()
    }
    await done()
  }),

  async 'with a server: games against computers are played in the page, those with people there, and a setting says otherwise'(world) {
    const { page, done } = await person(world, { computers: 'auto' })
    const asked = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await start(world, page, 'journeyman')
    await settled(page)
    await hurry(page, 1)
    assert.deepEqual(asked.filter((path) => /\/api\/(tables|hints|session)/.test(path)), [], 'the server is not asked')
    await page.goto(world.base)
    await page.getByRole('button', { name: /^With friends/ }).click()
    await page.waitForURL((url) => /\/t\/(?!local-)/.test(url.pathname))
    await page.goto(`${world.base}/settings`)
    await page.getByLabel('Games against computers').selectOption('server')
    await page.goto(world.base)
    await page.getByRole('button', { name: 'Play now' }).click()
    await page.waitForURL((url) => /\/t\/(?!local-)/.test(url.pathname))
    await page.locator('.board').waitFor()
    await done()
  },
}
