import assert from 'node:assert/strict'
import { advice, atTable, clickTurn, hurry, look, person, playOut, tableId, typeTurn } from './people.mjs'

export const tests = {
  async 'a whole game against a computer by mouse, then its replay'(world) {
    const { page, done } = await person(world)
    await atTable(world, page)
    await playOut(page, clickTurn)
    const end = page.locator('dialog[open]')
    await end.getByText('Most points').or(end.getByText('Equal points')).or(end.getByText('share the victory')).first().waitFor()
    assert.equal(await end.locator('tbody tr').count(), 2)
    await end.getByRole('link', { name: 'Look at the game again' }).click()
    await page.getByRole('button', { name: 'To the end' }).click()
    const steps = Number(await page.locator('input[type=range]').getAttribute('max'))
    assert.ok(steps > 20)
    assert.match(page.url(), new RegExp(`step=${steps}$`))
    await page.getByRole('button', { name: 'One step back' }).click()
    await page.keyboard.press('Home')
    await page.getByText('The start of the game').first().waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByLabel('Seen by').selectOption('0')
    await page.locator('section.hand').waitFor()
    await page.getByRole('button', { name: 'Check the shuffle' }).click()
    await page.getByText('The deal follows from the secrets').waitFor()
    await page.keyboard.press('Escape')
    const record = await page.evaluate(async (id) => (await fetch(`/api/games/${id}/record`)).text(), tableId(page))
    await page.goto(`${world.base}/replay`)
    await page.locator('textarea').fill(record)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.locator('.board').waitFor()
    await page.goto(`${world.base}/replay`)
    await page.locator('input[type=file]').setInputFiles({ name: 'game.txt', mimeType: 'text/plain', buffer: Buffer.from(record) })
    await page.locator('.board').waitFor()
    await page.goto(`${world.base}/replay`)
    await page.locator('textarea').fill('this is no game')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('not a game that can be read').waitFor()
    await done()
  },

  async 'a whole game by keyboard only, from the start page on'(world) {
    const { page, done } = await person(world)
    await page.goto(world.base)
    const button = page.getByRole('button', { name: 'Play now' })
    await button.waitFor()
    for (let tries = 0; tries < 30; tries++) {
      await page.keyboard.press('Tab')
      if (await button.evaluate((element) => element === document.activeElement)) break
    }
    const outline = await button.evaluate((element) => getComputedStyle(element).outlineWidth)
    assert.equal(outline, '3px', 'the focus is visible')
    await page.keyboard.press('Enter')
    await page.locator('.board').waitFor()
    await page.keyboard.press('?')
    await page.locator('dialog[open]').getByText('type a move in notation').waitFor()
    await page.keyboard.press('Escape')
    await playOut(page, typeTurn)
    await page.locator('dialog[open] tbody').waitFor()
    await done()
  },

  async 'two people by link, with a spectator: presence, take-back, hidden cards, resigning, rematch'(world) {
    const ann = await person(world)
    const bob = await person(world, { size: 'phone' })
    const eve = await person(world, { size: 'tablet', motion: 'no-preference' })
    await ann.page.goto(world.base)
    await ann.page.getByRole('button', { name: /With friends by link/ }).click()
    const address = await ann.page.locator('#link').inputValue()
    await bob.page.goto(address)
    await bob.page.getByRole('button', { name: 'Take a seat' }).click()
    await ann.page.locator('.board').waitFor()
    await bob.page.locator('.board').waitFor()
    await eve.page.goto(address)
    await eve.page.getByText('You are watching.').waitFor()
    await ann.page.getByText('1 spectator').waitFor()

    const first = (await look(ann.page)).moves.length ? [ann, bob] : [bob, ann]
    const [a, b] = first
    // an unseen card: its owner sees it, nobody else does
    await a.page.locator('[data-place="deck:2"]').click()
    const flight = eve.page.locator('.flight').first().waitFor({ state: 'attached' })
    await a.page.locator('.bar .buttons .primary').click()
    await flight // those who want motion see the card go
    await b.page.locator('main[data-turn="1"]').waitFor()
    assert.equal(await b.page.locator('.flight').count(), 0, 'those who do not want it see none')
    const seat = (await look(a.page)).viewer
    const own = (await look(a.page)).board.hands[seat].reserved[0]
    assert.ok(own.id, 'the owner knows the card')
    await a.page.locator(`[data-place="reserved:${seat}:0"] button`).waitFor()
    for (const other of [b, eve]) {
      assert.equal((await look(other.page)).board.hands[seat].reserved[0].id, null)
      assert.equal(await other.page.locator(`[data-place="reserved:${seat}:0"] .card.back`).count(), 1)
    }
    // take-back by consent
    await clickTurn(b.page)
    const { table } = await advice(b.page)
    if (table.can_undo) {
      await b.page.getByRole('button', { name: 'Take back' }).first().click()
      await a.page.getByText('asks to take back').waitFor()
      await a.page.getByRole('button', { name: 'Agree' }).click()
      await b.page.locator('main[data-turn="1"]').waitFor()
    }
    // b loses the connection and a is told
    await b.page.getByRole('button', { name: 'Table menu' }).click()
    await b.page.getByRole('button', { name: 'Give up' }).click()
    await b.page.locator('dialog[open]').getByRole('button', { name: 'Give up' }).click()
    await a.page.getByText(/gave up/).first().waitFor()
    await eve.page.locator('dialog[open]').waitFor()
    await a.page.getByRole('button', { name: 'Rematch' }).click()
    await a.page.waitForURL((url) => !url.href.startsWith(address))
    await b.page.getByRole('button', { name: 'Join the rematch' }).click()
    await b.page.locator('.board').waitFor()
    for (const one of [ann, bob, eve]) await one.done()
  },

  async 'a public table for three with clocks and a computer: found in the lobby, joined, played, left'(world) {
    const ann = await person(world, { size: 'phone' })
    const bob = await person(world)
    await ann.page.goto(`${world.base}/new`)
    await ann.page.getByLabel('3', { exact: true }).check()
    await ann.page.locator('fieldset.seat').nth(1).locator('select').first().selectOption('open')
    await ann.page.getByLabel('Clock').selectOption('live')
    await ann.page.getByLabel('Show in the lobby').check()
    await ann.page.getByRole('button', { name: 'Open the table' }).click()
    await ann.page.getByText('One more player is needed').waitFor()
    await bob.page.goto(`${world.base}/lobby`)
    await bob.page.getByRole('button', { name: 'Join' }).first().click()
    for (const one of [ann, bob]) {
      await one.page.locator('.board').waitFor()
      assert.ok((await one.page.locator('.clock').count()) >= 2, 'clocks are shown')
      await one.page.locator('.clock.running').first().waitFor()
      assert.equal(await one.page.locator('.clock.running').count(), 1, 'the running side is lit')
    }
    for (let turn = 0; turn < 40 && Number(await ann.page.locator('main').getAttribute('data-turn')) < 6; turn++) {
      for (const one of [ann, bob]) await clickTurn(one.page)
    }
    const height = await ann.page.evaluate(() => document.documentElement.scrollHeight)
    assert.ok(height <= 741, `three players on a phone are ${height} pixels high`)
    // bob goes away, ann is told and waits
    await bob.context.close()
    await ann.page.getByText(/is away/).first().waitFor()
    await ann.done()
  },

  async 'one device: the next player’s cards are not on the page until they are ready'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    await page.goto(world.base)
    await page.getByRole('button', { name: /On this device/ }).click()
    await page.getByRole('heading', { name: /Pass the device to/ }).waitFor()
    assert.equal(await page.locator('.board').count(), 0)
    await page.getByRole('button', { name: /^I am/ }).click()
    await page.locator('[data-place="deck:3"]').click()
    await page.locator('.bar .buttons .primary').click()
    await page.getByRole('heading', { name: 'Pass the device to Player 2' }).waitFor()
    assert.equal(await page.locator('.card').count(), 0, 'no card is on the page')
    await page.getByRole('button', { name: 'I am Player 2' }).click()
    await page.locator('.board').waitFor()
    const table = await look(page)
    assert.equal(table.board.hands[1 - table.viewer].reserved[0].id, null)
    assert.equal(await page.locator('.card.back').count(), 1)
    await done()
  },

  async 'a late game shows the last round and goes on after a reload'(world) {
    const { page, done } = await person(world, { size: 'tablet' })
    await atTable(world, page)
    await hurry(page, 12)
    await page.reload()
    await page.locator('.board').waitFor()
    await page.locator('.log li, .strip li').first().waitFor()
    await hurry(page, 100)
    await page.locator('dialog[open] tbody').waitFor()
    await done()
  },
}
