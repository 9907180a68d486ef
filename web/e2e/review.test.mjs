import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { person } from './people.mjs'

export const RECORD = `[Game "splendor 1"]
[Seed "5"]
[Seat0 "Ann"]
[Seat1 "Bob"]
[Result "*"]
[Position "2 0 1 0 act 0 444445 16,30,9,4/41,56,58,53/81,89,90,82 7,14,34,17,35,19,32,37,25,13,28,24,20,11,29,10,3,31,22,15,26,23,39,2,6,21,40,27,8,33,12,18,38,5,1,36/48,57,59,45,62,44,49,60,42,47,67,54,46,55,64,50,43,66,51,52,70,63,65,69,61,68/79,72,78,71,85,73,76,74,84,87,77,83,86,75,80,88 10,5,7 000000:-:- 000000:-:-"]

1. +wgk r41 >48
2. +wgr r4 >7
`

/** Opens a record by hand and asks for its review. */
async function reviewed(world, page) {
  await page.goto(`${world.base}/replay`)
  await page.locator('textarea').fill(RECORD)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await page.locator('.curve').waitFor()
  await page.waitForFunction(() => document.querySelectorAll('.grade').length >= 4)
}

export const tests = {
  async 'a record is reviewed: curve, grades, sums that close, and its link is kept'(world) {
    const { page, done } = await person(world)
    await reviewed(world, page)
    assert.match(page.url(), /\/review\/[\w-]{22}/)
    const rows = await page.locator('.summary tbody tr').evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim())))
    const value = (text) => Number(text.replace('−', '-').replace('%', '').split('±')[0].trim()) || 0
    const sums = [0, 1].map((seat) => rows.slice(2, 7).reduce((sum, row) => sum + value(row[seat]), 0))
    const gains = [0, 1].map((seat) => value(rows[7][seat].split('%')[1]))
    for (const seat of [0, 1]) assert.ok(Math.abs(sums[seat] - gains[seat]) < 0.5, `seat ${seat}: ${sums[seat]} and ${gains[seat]}`)
    await page.getByRole('button', { name: 'A picture to share' }).click()
    await page.getByRole('img', { name: 'Summary: Ann and Bob' }).waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()])
    assert.deepEqual([...readFileSync(await file.path()).subarray(1, 4)], [...Buffer.from('PNG')])
    await page.reload()
    await page.locator('.curve').waitFor()
    await done()
  },

  async 'a turn is looked at by the keyboard, and the better line is stepped through'(world) {
    const { page, done } = await person(world)
    await reviewed(world, page)
    await page.locator('.steps input').waitFor()
    for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowRight')
    await page.locator('.verdict').waitFor()
    await page.locator('.at', { hasText: '4 / 4' }).waitFor()
    assert.ok(await page.locator('.luck').count(), 'a card was revealed')
    const follow = page.getByRole('button', { name: 'Step through the better line' })
    if (await follow.count()) {
      await page.locator('.made').first().waitFor()
      await page.locator('.hinted').first().waitFor() // the better turn beside the played one
      await page.getByRole('button', { name: 'Both on the board' }).click()
      assert.equal(await page.locator('.made').count(), 0)
      await follow.click()
      await page.getByRole('button', { name: 'Back to the game' }).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Escape')
      await follow.waitFor()
    }
    for (const [width, height] of [[360, 640], [390, 844], [844, 390]]) {
      await page.setViewportSize({ width, height })
      await page.locator(`:root[data-shape='${width > height ? 'landscape' : 'phone'}']`).waitFor()
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, 'as wide as the screen')
      for (const part of ['.at', '.verdict', '.curve']) {
        const { x, width: wide } = await page.locator(part).boundingBox()
        assert.ok(x >= 0 && x + wide <= width, `${part} is whole at ${width}×${height}`)
      }
      const top = async (part) => (await page.locator(part).first().boundingBox()).y
      assert.ok((await top('.board')) < (await top('.verdict')), 'the board comes before what is said of the turn')
    }
    const rows = await page.locator('.curve table tbody tr').count()
    assert.equal(rows, 5, 'the curve is there as a table')
    await done()
  },
}
