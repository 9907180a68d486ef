import assert from 'node:assert/strict'
import { atTable, hurry, look, open, person, settled, tableId } from './people.mjs'

const resign = async (page) => {
  await page.getByRole('button', { name: 'Table menu' }).click()
  await page.getByRole('button', { name: 'Give up' }).click()
  await page.locator('dialog[open]').getByRole('button', { name: 'Give up' }).click()
}

export const tests = {
  async 'the end: points by round, the series of rematches, another level with one choice; the list of the replay follows the step'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    await open(world, page, [{ kind: 'me' }, { kind: 'computer', level: 'apprentice' }], { order: 'chosen' })
    const dialog = page.locator('dialog[open]')
    const scores = { You: 0, Apprentice: 0 }
    for (let game = 0; game < 2; game++) {
      await page.locator('.board').waitFor()
      await hurry(page, 400)
      await dialog.locator('tbody').waitFor()
      const { result, viewer } = await look(page)
      for (const seat of result.winners) scores[seat === viewer ? 'You' : 'Apprentice'] += 1
      const won = result.winners.includes(viewer)
      assert.equal(await dialog.locator('.crest').count(), won && result.winners.length === 1 ? 1 : 0, 'a win is crowned, and nothing else')
      if (!won) await dialog.locator('.kind').waitFor()
      const ends = await dialog.locator('figure text').allTextContents()
      assert.deepEqual(ends.map(Number).sort(), [...result.points].sort(), 'the lines end at the points')
      if (game === 1) {
        for (const [name, n] of Object.entries(scores)) await dialog.locator('.past', { hasText: `${name} ${n}` }).waitFor()
      } else {
        const before = tableId(page)
        await dialog.getByRole('button', { name: 'Rematch' }).click()
        await page.waitForURL((url) => url.pathname.startsWith('/t/') && !url.pathname.includes(before))
      }
    }
    const id = tableId(page)
    await page.goto(`${world.base}/replay/${id}?step=9`)
    await page.locator('.board').waitFor()
    await page.getByRole('button', { name: 'Moves' }).click()
    const now = dialog.locator('[aria-current=step]')
    await now.waitFor()
    assert.equal(await dialog.locator('li').evaluateAll((all) => all.findIndex((one) => one.querySelector('[aria-current]'))), 9)
    assert.ok((await dialog.locator('.token').count()) > 5, 'moves are drawn')
    assert.ok((await dialog.locator('.who', { hasText: 'You' }).count()) > 3, 'one is called as in the game')
    await dialog.locator('li button').nth(30).click()
    assert.match(page.url(), /step=30$/)
    await page.getByRole('button', { name: 'Moves' }).click()
    await page.waitForFunction(() => {
      const [list, row] = ['dialog .list', 'dialog [aria-current=step]'].map((name) => document.querySelector(name)?.getBoundingClientRect())
      return row && row.top >= list.top && row.bottom <= list.bottom
    })
    await page.goto(world.base)
    await page.getByLabel('Computer').selectOption('apprentice')
    await page.getByText(`You so far: ${scores.You} won, ${scores.Apprentice} lost`).waitFor()
    await page.goto(`${world.base}/t/${id}`)
    await dialog.getByLabel('Another level …').selectOption('journeyman')
    await page.waitForURL((url) => url.pathname.startsWith('/t/') && !url.pathname.includes(id))
    await page.locator('.board').waitFor()
    assert.equal((await settled(page)).seats.find((seat) => seat.kind === 'computer').player.level, 'journeyman')
    await done()
  },

  async 'giving up before anything was won is neither a victory nor a defeat'(world) {
    const { page, done } = await person(world)
    await atTable(world, page)
    await settled(page)
    await resign(page)
    await page.getByRole('heading', { name: 'The game is over' }).waitFor()
    assert.equal(await page.locator('dialog[open] :is(.crest, .kind, figure, table)').count(), 0)
    await done()
  },
}
