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
      assert.equal(await dialog.getByRole('button', { name: 'Next: Journeyman' }).count(), won && result.winners.length === 1 ? 1 : 0)
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

  async 'the end on small screens: what comes next is in sight, names are whole; from the board the result is one tap away'(world) {
    const { page, done } = await person(world, { locale: 'de-DE' })
    await open(world, page, [{ kind: 'me' }, { kind: 'computer', level: 'artisan' }, { kind: 'computer', level: 'apprentice' }], { order: 'chosen' })
    await page.locator('.board').waitFor()
    await hurry(page, 400)
    const dialog = page.locator('dialog[open]')
    await dialog.locator('tbody').waitFor()
    for (const [width, height] of [[360, 640], [390, 844], [844, 390], [720, 450], [640, 400], [1440, 900]]) {
      await page.setViewportSize({ width, height })
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      for (const name of ['Revanche', 'Analyse', 'Schließen']) {
        const { x, y, width: wide, height: high } = await dialog.getByText(name, { exact: true }).or(dialog.getByLabel(name, { exact: true })).boundingBox()
        assert.ok(x >= 0 && y >= 0 && x + wide <= width && y + high <= height, `${name} at ${width}×${height}`)
      }
      const { over, names } = await dialog.evaluate((one) => ({
        over: one.querySelector('.body').scrollWidth - one.querySelector('.body').clientWidth,
        names: [...one.querySelectorAll('.player')].map((name) => name.getBoundingClientRect().height),
      }))
      assert.ok(over <= 0, `${over} pixels wider than the dialog at ${width}×${height}`)
      assert.ok(Math.max(...names) < 50, `names of ${names} pixels at ${width}×${height}`)
    }
    await page.keyboard.press('Escape')
    await page.locator('.bar').getByRole('button', { name: 'Ergebnis' }).click()
    await dialog.locator('tbody').waitFor()
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
