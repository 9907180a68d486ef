import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atTable, hurry, person, tableId } from './people.mjs'

const RECORD = `[Game "splendor 1"]
[Seat0 "Ann"]
[Seat1 "Bob"]
[Result "*"]
[Position "2 0 1 0 act 0 444445 23,30,37,17/61,65,60,47/82,73,89,84 ?36/?26/?16 2,8,4 000000:-:- 000000:-:-"]

1. +wuk {[%clk 298.5]} r17 >16 {keeps the green card [%eval 0.62,0.38]}
2. +ugk +rr
`

/** Drags a file from outside onto the page, as the browser does it. */
async function dropFile(page, path) {
  const session = await page.context().newCDPSession(page)
  const at = { x: 400, y: 300, data: { items: [], files: [path], dragOperationsMask: 1 } }
  for (const type of ['dragEnter', 'dragOver']) await session.send('Input.dispatchDragEvent', { type, ...at })
  await page.locator('.drop.over, .shown').waitFor()
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...at })
}

export const tests = {
  async 'a record is dropped on the page, and another one on its replay: comments, evaluations and clocks are shown'(world) {
    const folder = mkdtempSync(join(tmpdir(), 'splendor-records-'))
    const { page, done } = await person(world)
    try {
      const file = join(folder, 'game.txt')
      writeFileSync(file, RECORD)
      await page.goto(`${world.base}/replay`)
      await page.locator('.drop').waitFor()
      await dropFile(page, file)
      await page.getByText('Ann and Bob').waitFor()
      await page.keyboard.press('ArrowRight')
      await page.locator('.seat', { hasText: 'Ann' }).getByText('4:59').waitFor()
      assert.equal(await page.locator('.shares').count(), 0, 'this move has no evaluation')
      await page.keyboard.press('ArrowRight')
      await page.getByText('keeps the green card', { exact: true }).waitFor()
      const widths = await page.locator('.shares span').evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width))
      assert.ok(Math.abs(widths[0] / (widths[0] + widths[1]) - 0.62) < 0.03, `the parts are ${widths}`)
      await page.getByText('Share of the win: Ann 62% and Bob 38%.').first().waitFor({ state: 'attached' })

      await atTable(world, page)
      await hurry(page, 400)
      await page.goto(`${world.base}/replay/${tableId(page)}`)
      await page.locator('.board').waitFor()
      await dropFile(page, file)
      await page.getByText('Ann and Bob').waitFor()
      assert.match(page.url(), /\/replay$/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    await done()
  },
}
