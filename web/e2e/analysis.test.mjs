import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { look, open as openTable, person, settled, tableId } from './people.mjs'

const START = '2 0 1 0 act 0 444445 23,30,37,17/61,65,60,47/82,73,89,84 ?36/?26/?16 2,8,4 000000:-:- 000000:-:-'
const RECORD = `[Game "splendor 1"]
[Seat0 "Ann"]
[Seat1 "Bob"]
[Position "${START}"]

1. +wuk r17 >16 {keeps the green card}
2. +ugk +rr
`

const turns = (page) => page.locator('.tree button').count()

async function open(world, page, text) {
  await page.goto(`${world.base}/analysis`)
  await page.getByLabel('A position line or a game file').fill(text)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.locator('.board').waitFor()
}

/** Reserves a card of the market by keys: its row, its place, s, Enter. */
async function reserve(page, row, place) {
  await page.locator('main[aria-busy=false]').waitFor()
  const before = await page.locator('.tree .now').textContent()
  for (const key of [String(row), String(place), 's']) await page.keyboard.press(key)
  await page.keyboard.press('Enter')
  await page.waitForFunction((text) => document.querySelector('.tree .now')?.textContent !== text, before)
}

export const tests = {
  async 'a browser that cannot run the network has the server evaluate'(world) {
    const { page, done } = await person(world, { init: () => (WebAssembly.validate = () => false) })
    await open(world, page, START)
    await page.locator('.lines li').first().waitFor()
    await page.getByText('Worked out by the server').waitFor()
    await done()
  },

  async 'a position that people play right now is neither evaluated in the page nor played on there'(world) {
    const { page, done } = await person(world, { computers: 'here', serviceWorkers: 'block' })
    const bob = await person(world)
    await openTable(world, page, [{ kind: 'me' }, { kind: 'open' }])
    const id = tableId(page)
    await bob.page.goto(`${world.base}/`)
    await bob.page.evaluate(async (id) => {
      const send = (path, body) => fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
      await send('/api/session', {})
      await send(`/api/tables/${id}/join`, {})
    }, id)
    await page.locator('.board').waitFor()
    const { board } = await look(page)
    await open(world, page, board.position)
    await page.getByText('This position is being played right now').waitFor()
    assert.equal(await page.locator('.lines li').count(), 0)
    await page.getByRole('button', { name: 'Play on from here' }).click()
    await page.locator('dialog[open]').getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByText('This position is being played right now').nth(1).waitFor()
    assert.match(page.url(), /analysis/)
    for (const one of [bob, { done }]) await one.done()
  },

  async 'a pasted position is played on for all seats, evaluated, and kept'(world) {
    const { page, done } = await person(world)
    await open(world, page, START)
    await page.locator('.lines li').first().waitFor()
    await page.getByText('Worked out in this browser').waitFor()
    assert.equal(await page.locator('.lines .shares span').count(), 2)
    await page.locator('.lines li button').first().click()
    await page.waitForFunction(() => document.querySelectorAll('.tree button').length === 2)
    await page.locator('.lines li').first().waitFor()
    await page.keyboard.press('ArrowLeft')
    await reserve(page, 1, 4)
    assert.equal(await page.locator('.aside').count(), 1, 'the second turn is a variation')
    await page.getByRole('button', { name: 'Another card' }).click()
    await page.getByRole('button', { name: /^5\./ }).click()
    await page.getByText('Card that came: 5').waitFor()
    const kept = await turns(page)
    await page.reload()
    await page.locator('.board').waitFor()
    assert.equal(await turns(page), kept)
    await page.getByText('Card that came: 5').waitFor()
    await page.getByRole('button', { name: 'Make it the main line' }).click()
    await page.getByLabel('Comment').fill('best')
    await page.getByRole('button', { name: 'More' }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download as a game file' }).click()])
    const text = readFileSync(await file.path(), 'utf8')
    assert.match(text, /1\. r17 >5 \{best \(.+\) \(r17 >\d+\)/)
    await done()
  },

  async 'a turn that asks for tokens back is one turn of the tree'(world) {
    const { page, done } = await person(world)
    await open(world, page, START.replace('444445', '222235').replace('000000:-:-', '222210:-:-'))
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.locator('main[aria-busy=false]').waitFor()
    await page.evaluate(() => document.activeElement.blur()) // Enter is for the board, not for the button
    for (const key of ['w', 'u', 'g', 'Enter']) await page.keyboard.press(key)
    await page.getByText('Finish the turn, or').waitFor()
    assert.equal(await turns(page), 1)
    for (const key of ['w', 'w', 'Enter']) await page.keyboard.press(key)
    await page.waitForFunction(() => document.querySelectorAll('.tree button').length === 2)
    await page.getByRole('button', { name: 'More' }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download as a game file' }).click()])
    assert.match(readFileSync(await file.path(), 'utf8'), /1\. \+wug-ww\n/)
    await done()
  },

  async 'a position is laid out by tapping, by dragging and by keys, and what is wrong with it is said'(world) {
    const { page, done } = await person(world, { size: 'desktop' })
    await page.goto(`${world.base}/analysis`)
    await page.getByRole('button', { name: '2 players' }).click()
    await page.getByText('This position can be.').waitFor()
    const at = (spot) => page.locator(`.editor [data-at="${spot}"]`)

    // a drag: the first card of level 1 to the first player's bought cards
    const [from, to] = [await at('market:0').boundingBox(), await at('bought:0').boundingBox()]
    await page.mouse.move(from.x + 20, from.y + 20)
    await page.mouse.down()
    await page.mouse.move(from.x + 60, from.y + 60, { steps: 4 })
    await page.locator('.ghost').waitFor()
    await page.mouse.move(to.x + 10, to.y + 10, { steps: 4 })
    await page.mouse.up()
    await page.getByText('A place of level 1 is empty although there are cards in its deck.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Use it' }).isDisabled())
    await at('market:0').click()
    await page.getByRole('button', { name: /^5\. / }).click()
    await page.getByText('This position can be.').waitFor()

    // taps: a card of level 3 becomes reserved, a new one comes, three rubies go to the second player
    await at('market:8').click()
    await at('reserved:1').click()
    await at('market:8').click()
    await page.getByRole('button', { name: /^74\. / }).click()
    await page.locator('[data-thing="token:3:bank"]').click()
    const rubies = page.locator('[data-at="tokens:1"]').nth(3)
    for (let n = 0; n < 3; n++) await rubies.click()
    await page.keyboard.press('Escape')

    // keys: one ruby back, a sapphire, and it is the second player's turn in round 4
    await rubies.focus()
    await page.keyboard.press('-')
    await page.locator('[data-at="bank"]').nth(1).focus()
    await page.keyboard.press('Enter')
    await page.locator('[data-at="tokens:1"]').nth(1).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByLabel('To move').selectOption('Player 2')
    await page.getByLabel('Round', { exact: true }).fill('4')
    await page.getByLabel('Round', { exact: true }).press('Tab')
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.locator('.board').waitFor()
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('splendor.analysis'))[0].root.position)
    assert.equal(kept, '2 0 4 1 act 0 434245 5,9,17,25/41,47,53,59/74,75,79,83 ?35/?26/?15 1,2,3 000000:1:- 010200:-:71')

    // what is there already can be changed
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Set up a position', exact: true }).click()
    for (const color of [0, 2, 4]) {
      await page.locator(`[data-thing="token:${color}:bank"]`).click()
      for (let n = 0; n < 3; n++) await page.locator('[data-at="tokens:1"]').nth(color).click()
      await page.keyboard.press('Escape')
    }
    await page.getByText('Player 2 holds 12 tokens; more than 10 cannot be kept.').waitFor()
    await done()
  },

  async 'a game is handed over at its step, and a position that cannot be is explained'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    await page.goto(`${world.base}/analysis`)
    const text = page.getByLabel('A position line or a game file')
    await text.fill(START.replace('37,17', '37,23'))
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByText('Card 23 is in two places.').waitFor()
    assert.match(await text.inputValue(), /37,23/, 'nothing is lost')

    await page.goto(`${world.base}/replay`)
    await page.getByLabel('Or paste', { exact: false }).fill(RECORD)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.locator('.board').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.getByText('keeps the green card', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('link', { name: 'Analysis board' }).click()
    await page.getByText('Card that came: 16').waitFor()
    assert.equal(await turns(page), 5)
    assert.equal(await page.locator('.tree .now .n').textContent(), '2.')

    await page.getByRole('button', { name: 'Play on from here' }).click()
    await page.getByRole('radio', { name: 'Bob' }).check()
    await page.getByLabel('Against').selectOption('apprentice')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.locator('main.table[data-version]').waitFor()
    const table = await settled(page)
    assert.deepEqual(table.you, [1])
    assert.equal(table.seats[0].person.level, 'apprentice')
    assert.equal(table.fairness, null, 'nothing is promised about a deal that somebody chose')
    assert.ok(table.board.hands[1].reserved.some((card) => card.id === 17), 'what was reserved is in the hand')
    await done()
  },
}
