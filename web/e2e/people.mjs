// People at browsers: they look at the page, press and type. What to play they ask the server's own hint; where people
// play against each other there is none, and they take the first move of the list that buys a card, or the first at all.
import assert from 'node:assert/strict'
import { SIZES } from './browser.mjs'

const PATIENCE = 60_000 // milliseconds: for a machine that is busy with other things
const COLORS = ['white', 'blue', 'green', 'red', 'black', 'gold']
const LETTER = { white: 'w', blue: 'u', green: 'g', red: 'r', black: 'k' }

/** A browser of one's own. Anything that goes wrong in the console fails the test at `done`. */
export async function person(world, { size = 'desktop', locale = 'en-GB', scheme = 'light', init = null, motion = 'reduce', computers = 'server', serviceWorkers = 'allow' } = {}) {
  const context = await world.browser.newContext({
    viewport: SIZES[size],
    locale,
    colorScheme: scheme,
    reducedMotion: motion,
    hasTouch: size !== 'desktop',
    serviceWorkers,
  })
  if (init) await context.addInitScript(init)
  await context.addInitScript((computers) => {
    const set = JSON.parse(localStorage.getItem('splendor.settings') ?? '{}')
    localStorage.setItem('splendor.settings', JSON.stringify({ computers, ...set })) // where they play
  }, computers)
  await context.addInitScript(overhear)
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE)
  const complaints = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !/WebSocket|ERR_INTERNET|ERR_FAILED|status of 4/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return {
    page,
    context,
    done: async () => {
      await context.close()
      assert.deepEqual(complaints, [], 'the console stays silent')
    },
  }
}

/** What a host in this browser says to the page is known to the test too, as what a server says. */
function overhear() {
  const Hired = globalThis.Worker
  globalThis.Worker = class extends Hired {
    constructor(...given) {
      super(...given)
      if (!String(given[0]).includes('host.worker')) return
      this.addEventListener('message', ({ data }) => data.type === 'update' && (globalThis.overheard = data.table))
      globalThis.askHost = (message, key) =>
        new Promise((resolve) => {
          const hear = ({ data }) => data.key === key && (resolve(data), this.removeEventListener('message', hear))
          this.addEventListener('message', hear)
          this.postMessage(message)
        })
    }
    postMessage(message, ...more) {
      if (message.type === 'close') globalThis.overheard = undefined
      super.postMessage(message, ...more)
    }
  }
}

/** Against a computer, at the table. */
export async function atTable(world, page) {
  await page.goto(world.base)
  await page.getByRole('button', { name: 'Play now' }).click()
  await page.locator('.board').waitFor()
}

/** At a table of one's own making, opened through the interface for programs. */
export async function open(world, page, seats, more = {}) {
  if (!page.url().startsWith(world.base)) await page.goto(world.base)
  const id = await page.evaluate(async (wish) => {
    const send = (path, body) => fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
    await send('/api/session', {})
    return (await (await send('/api/tables', wish)).json()).id
  }, { seats, ...more })
  await page.goto(`${world.base}/t/${id}`)
}

export const tableId = (page) => new URL(page.url()).pathname.split('/')[2]

export const look = (page) =>
  page.evaluate(async () => globalThis.overheard ?? (await fetch(`/api/tables/${location.pathname.split('/')[2]}`)).json())

/** Waits until the page shows this version of its table, or a later one. */
export const shows = (page, version) =>
  page.waitForFunction((wanted) => Number(document.querySelector('main')?.dataset.version) >= wanted, version)

/** Waits until it is our turn or nobody's, and the page shows it. */
export async function settled(page) {
  for (let tries = 0; tries < 2000; tries++) {
    const table = await look(page)
    if (table.status !== 'live' || table.moves.length) {
      await shows(page, table.version)
      return table
    }
    await page.waitForTimeout(30)
  }
  throw new Error('it never becomes our turn')
}

/** What to play here; null if it is not our turn. Waits until the page shows what the server has. */
export async function advice(page) {
  const table = await look(page)
  if (table.status !== 'live' || !table.moves.length) return { table, move: null }
  await shows(page, table.version)
  const move = await page.evaluate(async (position) => {
    if (globalThis.overheard) return (await askHost({ type: 'hint', key: 'advice' }, 'advice')).hint.move
    const reply = await fetch('/api/hints', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ position }),
    })
    const { move, error } = await reply.json()
    return error?.code === 'still_played' ? null : move
  }, table.board.position)
  return { table, move: move === null ? (table.moves.find((one) => one.kind === 'buy') ?? table.moves[0]) : move }
}

/** Where a card lies: row and place on the market, or place in the own hand. */
function whereIs(table, card) {
  for (const [row, cards] of table.board.market.entries()) {
    const slot = cards.findIndex((shown) => shown?.id === card)
    if (slot >= 0) return { row: row + 1, slot }
  }
  const own = table.board.hands[table.viewer].reserved.findIndex((shown) => shown?.id === card)
  return { row: 4, slot: own }
}

const advanced = (page, version) => shows(page, version + 1)

/** Finishes a turn: tokens to return at the own hand, a noble to choose in a dialog. */
async function finish(page, move, press) {
  for (let tries = 0; tries < 3; tries++) {
    const table = await look(page)
    if (table.status !== 'live' || !table.moves.length || table.board.phase === 'act') return
    await shows(page, table.version)
    const wanted = table.moves.find((one) => JSON.stringify(one.returned) === JSON.stringify(move.returned)) ?? table.moves[0]
    if (table.board.phase === 'return') {
      for (const [color, n] of Object.entries(wanted.returned)) {
        for (let i = 0; i < n; i++) await press(page.locator(`button[data-place="tokens:${table.viewer}:${color}"]`))
      }
      await press(page.locator('.bar').getByRole('button', { name: 'Confirm' }))
    } else await press(page.locator('dialog[open] .tap').first())
    await advanced(page, table.version)
  }
}

/** One turn with the mouse. False if it was not our turn. */
export async function clickTurn(page) {
  const { table, move } = await advice(page)
  if (!move) return table.status === 'live' ? false : null
  const press = (where) => where.click()
  if (move.kind === 'finish') {
    await finish(page, move, press)
    return true
  }
  if (move.kind === 'take') {
    for (const [color, n] of Object.entries(move.taken)) {
      for (let i = 0; i < n; i++) await press(page.locator(`[data-place="bank:${color}"]`))
    }
    await press(page.locator('.bar').getByRole('button', { name: 'Confirm' }))
  } else if (move.kind === 'draw') {
    await press(page.locator(`[data-place="deck:${move.level}"]`))
    await press(page.locator('.bar .buttons .primary'))
  } else if (move.kind === 'pass') {
    await press(page.getByRole('button', { name: 'Pass' }))
  } else {
    const { row, slot } = whereIs(table, move.card)
    const place = row === 4 ? `reserved:${table.viewer}:${slot}` : `market:${row}:${slot}`
    await press(page.locator(`[data-place="${place}"] button`))
    await press(page.locator('.bar').getByRole('button', { name: move.kind === 'buy' ? 'Buy' : 'Reserve', exact: true }))
  }
  await advanced(page, table.version)
  await finish(page, move, press)
  return true
}

/** One turn with the keyboard alone. */
export async function typeTurn(page) {
  const { table, move } = await advice(page)
  if (!move) return table.status === 'live' ? false : null
  const press = async (where) => {
    for (let tries = 0; tries < 40; tries++) {
      if (await where.evaluate((element) => element === document.activeElement)) return page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
    }
    throw new Error('not reached with Tab')
  }
  if (move.kind === 'finish') {
    await finish(page, move, press)
    return true
  }
  if (move.kind === 'take') {
    for (const [color, n] of Object.entries(move.taken)) for (let i = 0; i < n; i++) await page.keyboard.press(LETTER[color])
    await page.keyboard.press('Enter')
  } else if (move.kind === 'draw') {
    await page.keyboard.press(String(move.level))
    await page.keyboard.press('0')
    await page.keyboard.press('s')
  } else if (move.kind === 'pass') {
    await page.keyboard.press('Enter')
  } else if (table.board.turn % 5 === 0) {
    await page.keyboard.press('/') // some moves in notation
    await page.keyboard.type(move.text.split(/[-@]/)[0])
    await page.keyboard.press('Enter')
  } else {
    const { row, slot } = whereIs(table, move.card)
    await page.keyboard.press(String(row))
    await page.keyboard.press(String(slot + 1))
    await page.keyboard.press(move.kind === 'buy' ? 'b' : 's')
  }
  await advanced(page, table.version)
  await finish(page, move, press)
  return true
}

/** Plays on until the game is over. */
export async function playOut(page, turn) {
  for (let tries = 0; tries < 2000; tries++) {
    const played = await turn(page)
    if (played === null) return
    if (!played) await page.waitForTimeout(30)
  }
  throw new Error('the game does not end')
}

/** Plays turns through the interface for programs, quickly: to get somewhere. */
export const hurry = (page, turns) =>
  page.evaluate(async (most) => {
    const id = location.pathname.split('/')[2]
    if (globalThis.overheard) {
      for (let played = 0, tries = 0; played < most && tries < 4000; tries++) {
        const { status, moves } = globalThis.overheard
        if (status !== 'live') return status
        const key = crypto.randomUUID()
        const { hint } = moves.length ? await askHost({ type: 'hint', key }, key) : {}
        if (hint) {
          await askHost({ type: 'command', text: JSON.stringify({ type: 'play', key, move: hint.move.text }) }, key)
          played += 1
        } else await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return 'live'
    }
    const send = (path, body) =>
      fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }).then((reply) => reply.json())
    for (let played = 0, tries = 0; played < most && tries < 4000; tries++) {
      const table = await (await fetch(`/api/tables/${id}`)).json()
      if (table.status !== 'live') return table.status
      if (!table.moves.length) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        continue
      }
      const { move } = await send('/api/hints', { position: table.board.position })
      if (!move) {
        await new Promise((resolve) => setTimeout(resolve, 300)) // a busy server says so
        continue
      }
      await send(`/api/tables/${id}/commands`, { type: 'play', key: crypto.randomUUID(), move: move.text })
      played += 1
    }
    return 'live'
  }, turns)
