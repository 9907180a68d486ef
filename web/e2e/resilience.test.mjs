import assert from 'node:assert/strict'
import { atTable, clickTurn, look, person, settled } from './people.mjs'

/** Lets a test cut the line: at once, or just after the next move was sent. */
const cuttable = () => {
  const Real = window.WebSocket
  window.sockets = []
  window.refuse = false
  window.cutAfterPlay = false
  window.WebSocket = class extends Real {
    constructor(...args) {
      super(...(window.refuse ? ['ws://127.0.0.1:1/'] : args))
      window.sockets.push(this)
    }
    send(text) {
      super.send(text)
      if (window.cutAfterPlay && text.includes('"play"')) {
        window.cutAfterPlay = false
        window.played = (window.played ?? 0) + 1
        this.close()
      }
    }
  }
}

const sum = (tokens) => Object.values(tokens).reduce((a, b) => a + b)

/** As many tokens as there are to take. */
async function takeThree(page) {
  const table = await settled(page)
  const takes = table.moves.filter((one) => one.kind === 'take').sort((a, b) => sum(b.taken) - sum(a.taken))
  for (const [color, n] of Object.entries(takes[0].taken)) {
    for (let i = 0; i < n; i++) await page.locator(`[data-place="bank:${color}"]`).click()
  }
  return table
}

export const tests = {
  async 'the socket dies just after a move was sent: it is played once'(world) {
    const { page, done } = await person(world, { init: cuttable })
    await atTable(world, page)
    await settled(page)
    const before = await takeThree(page)
    await page.evaluate(() => (window.cutAfterPlay = true))
    await page.locator('.bar').getByRole('button', { name: 'Confirm' }).click()
    await page.waitForFunction((turn) => Number(document.querySelector('main').dataset.turn) > turn, before.board.turn)
    await settled(page)
    const after = await look(page)
    const seat = before.viewer
    const held = Object.values(after.board.hands[seat].tokens).reduce((a, b) => a + b)
    assert.equal(held, 3, 'three tokens, not six')
    await clickTurn(page)
    await done()
  },

  async 'the connection is lost for a while: a notice, then everything catches up'(world) {
    const { page, done } = await person(world, { init: cuttable, size: 'phone' })
    await atTable(world, page)
    await settled(page)
    await page.evaluate(() => {
      window.refuse = true
      window.sockets.forEach((socket) => socket.close())
    })
    await page.getByText('Connection lost').waitFor()
    const table = await look(page)
    const move = table.moves.find((one) => one.kind === 'take')
    await page.evaluate(
      async ([id, text]) =>
        fetch(`/api/tables/${id}/commands`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ type: 'play', key: crypto.randomUUID(), move: text }),
        }),
      [table.id, move.text],
    )
    await page.evaluate(() => (window.refuse = false))
    await page.waitForFunction((turn) => Number(document.querySelector('main').dataset.turn) > turn, table.board.turn)
    assert.equal(await page.getByText('Connection lost').count(), 0)
    await done()
  },

  async 'reload with tokens chosen, and again in the middle of returning: nothing is lost'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    await atTable(world, page)
    await settled(page)
    await takeThree(page)
    await page.reload()
    await page.locator('.board').waitFor()
    assert.equal(await page.locator('.pile.chosen').count(), 0)
    for (let turn = 0; turn < 12; turn++) {
      const table = await settled(page)
      if (table.board.phase !== 'act') break
      const before = await takeThree(page)
      await page.locator('.bar').getByRole('button', { name: 'Confirm' }).click()
      await page.waitForFunction((version) => Number(document.querySelector('main').dataset.version) > version, before.version)
    }
    const asked = page.locator('.bar').getByText('You may keep ten tokens')
    await asked.waitFor()
    await page.reload()
    await asked.waitFor()
    const before = await look(page)
    const confirm = page.locator('.bar').getByRole('button', { name: 'Confirm' })
    assert.ok(await confirm.isDisabled())
    for (const [color, n] of Object.entries(before.moves[0].returned)) {
      for (let i = 0; i < n; i++) await page.locator(`button[data-place="tokens:${before.viewer}:${color}"]`).click()
    }
    await confirm.click()
    await asked.waitFor({ state: 'detached' })
    assert.equal(sum((await look(page)).board.hands[before.viewer].tokens), 10)
    await done()
  },

  async 'a new version of the server: one is told to reload'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    let beats = 0
    await page.routeWebSocket(/socket/, (socket) => {
      const server = socket.connectToServer()
      server.onMessage((message) => socket.send(String(message).replace(/"build":"[^"]*"/, () => `"build":"${beats++ ? 'new' : 'old'}"`)))
    })
    await atTable(world, page)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByText('There is a new version.').waitFor()
    await page.getByRole('button', { name: 'Reload' }).waitFor()
    await done()
  },

  async 'it can be installed, and says calmly when the server is gone'(world) {
    const { page, context, done } = await person(world, { size: 'phone' })
    await page.goto(world.base)
    const manifest = await page.evaluate(async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json())
    for (const icon of manifest.icons) assert.equal((await fetch(new URL(icon.src, world.base))).status, 200)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload()
    await page.getByRole('button', { name: 'Play now' }).waitFor()
    await context.setOffline(true)
    await page.reload()
    await page.getByRole('button', { name: 'Play now' }).click()
    await page.getByText('cannot be reached').waitFor()
    await done()
  },

  async 'a player stays away: the other one lets a computer take over'(world) {
    const ann = await person(world)
    const bob = await person(world)
    await ann.page.goto(world.base)
    await ann.page.getByRole('button', { name: /With friends by link/ }).click()
    await bob.page.goto(await ann.page.locator('#link').inputValue())
    await bob.page.getByRole('button', { name: 'Take a seat' }).click()
    await ann.page.locator('.board').waitFor()
    await bob.page.locator('.board').waitFor()
    await bob.done()
    await ann.page.getByText('How shall it go on?').waitFor()
    await ann.page.getByRole('button', { name: 'A computer takes over' }).click()
    await ann.page.getByText(/A computer plays on for/).first().waitFor()
    await ann.done()
  },
}
