// Games that the browser hosts by itself: against computers and at one device, with and without a connection.
import assert from 'node:assert/strict'
import { clickTurn, hurry, look, person, settled, typeTurn } from './people.mjs'
import { site } from './site.mjs'

const HERE = { serviceWorkers: 'block' } // which would answer from what it keeps
const idOf = (page) => /local-[\w-]{16}/.exec(page.url())[0]

/** On a site, where there is no server. */
const alone = (test) => async (world) => {
  const host = await site()
  try {
    await test({ ...world, base: host.address, at: (path) => `${host.address}?${path}` })
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

  'a browser that keeps nothing, one without SIMD, files that do not come, and a game that cannot be read: a sentence, and a way on': alone(async (world) => {
    const none = () => {
      Object.defineProperty(globalThis, 'indexedDB', { value: undefined })
    }
    const { page, done } = await person(world, HERE)
    await page.route(/host\.worker/, async (route) => {
      const reply = await route.fetch()
      await route.fulfill({ response: reply, body: `(${none})();\n${await reply.text()}` })
    })
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

    await page.route(/network\.wasm/, (route) => route.fulfill({ status: 404 }))
    await start(world, page, 'grandmaster')
    await hurry(page, 1)
    await page.getByText('a simpler one plays').waitFor()
    await settled(page)
    await page.unroute(/network\.wasm/)

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
