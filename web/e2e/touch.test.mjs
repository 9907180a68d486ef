import assert from 'node:assert/strict'
import { atTable, hurry, open, person, settled, tableId } from './people.mjs'

const LEAST = 44 // pixels, in both directions

/** The size of everything that can be pressed; only links within a sentence are left out, as the guidelines do. */
const sizes = (page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('a[href], button, select, textarea, input, summary, [role=button]')]
    const scope = document.querySelector('dialog[open]') ?? document
    return all
      .filter((element) => scope.contains(element) && element.getClientRects().length > 0)
      .filter((element) => !(element.matches('a') && getComputedStyle(element).display === 'inline' && element.parentElement.textContent.trim() !== element.textContent.trim()))
      .map((element) => {
        const target = (element.matches('[type=checkbox], [type=radio], [type=file]') && element.closest('label')) || element
        const { width, height } = target.getBoundingClientRect()
        return { name: `<${element.localName} class="${element.className}"> ${(element.textContent || element.ariaLabel || '').trim().slice(0, 30)}`, least: Math.min(width, height) }
      })
  })

let smallest = Infinity

async function check(page, where) {
  const found = await sizes(page)
  assert.ok(found.length > 0, `there is nothing to press on ${where}`)
  smallest = Math.min(smallest, ...found.map(({ least }) => least))
  const small = found.filter(({ least }) => least < LEAST - 0.01).map(({ name, least }) => `${name}: ${least.toFixed(1)}`)
  assert.deepEqual(small, [], `too small to touch: ${where}`)
}

export const tests = {
  async 'everything that can be pressed is 44 pixels large on a phone: the pages'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    for (const path of ['/', '/new', '/learn', '/learn?step=9', '/rules', '/lobby', '/archive', '/leaderboard', '/replay', '/settings', '/about', '/keys', '/nowhere']) {
      await page.goto(world.base + path)
      await page.locator('main h1').waitFor()
      await page.waitForLoadState('networkidle')
      await check(page, path)
    }
    await page.goto(`${world.base}/t/${'a'.repeat(22)}`)
    await page.getByText('This table does not exist').waitFor()
    await check(page, 'a table that does not exist')
    await page.goto(`${world.base}/new`)
    await page.getByLabel('4', { exact: true }).check()
    for (const [n, kind] of ['open', 'invited', 'device'].entries()) await page.locator('fieldset.seat').nth(n + 1).locator('select').first().selectOption(kind)
    await check(page, 'a table of every kind of seat')
    await page.goto(world.base)
    await page.getByRole('button', { name: 'Menu' }).click()
    await check(page, 'the menu of the site')
    await done()
  },

  async 'everything that can be pressed is 44 pixels large on a phone: the table'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    const dialog = page.locator('dialog[open]')
    const inMenu = async (name, where) => {
      await page.getByRole('button', { name: 'Table menu' }).click()
      await dialog.getByRole('button', { name, exact: true }).click()
      await check(page, where)
      await page.keyboard.press('Escape')
    }
    await atTable(world, page)
    await settled(page)
    await check(page, 'a table')
    await page.locator('[data-place="bank:red"]').click()
    await check(page, 'a token chosen')
    await page.locator('[data-place="market:3:0"] button').click()
    await check(page, 'a card chosen')
    await page.locator('[data-place="deck:2"]').click()
    await check(page, 'a deck chosen')
    await page.getByRole('button', { name: 'Table menu' }).click()
    await check(page, 'the menu of the table')
    await page.keyboard.press('Escape')
    await inMenu('Give up', 'giving up')
    await inMenu('Type a move', 'typing a move')
    await inMenu('Keyboard shortcuts', 'the keys')
    await page.getByRole('button', { name: 'Moves' }).click()
    await check(page, 'the log')
    await page.keyboard.press('Escape')
    await page.locator('.seat').first().click()
    await check(page, 'a player')
    await page.keyboard.press('Escape')
    for (const players of [3, 4]) {
      await open(world, page, [{ kind: 'me' }, ...Array.from({ length: players - 1 }, () => ({ kind: 'computer', level: 'apprentice' }))])
      await page.locator('.board').waitFor()
      await check(page, `a table of ${players}`)
    }
    await open(world, page, [{ kind: 'me' }, { kind: 'open' }])
    await page.locator('#link').waitFor()
    await check(page, 'waiting for players')
    await open(world, page, [{ kind: 'me' }, { kind: 'device', name: 'Bob' }])
    await page.getByRole('button', { name: /^I am/ }).waitFor()
    await check(page, 'passing the device')
    await done()
  },

  async 'everything that can be pressed is 44 pixels large on a phone: choices, the end and the replay'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    const dialog = page.locator('dialog[open]')
    await page.goto(`${world.base}/learn?step=7`)
    await page.locator('[data-place="market:1:0"] button').click()
    await check(page, 'a card with a choice of payments')
    await page.getByRole('button', { name: 'Pay otherwise' }).click()
    await check(page, 'the payments')
    await page.keyboard.press('Escape')
    for (const color of ['white', 'blue', 'green']) await page.locator(`[data-place="bank:${color}"]`).click()
    await page.locator('.bar').getByRole('button', { name: 'Confirm' }).click()
    await page.locator('button.give').first().click()
    await check(page, 'returning tokens')
    await atTable(world, page)
    await hurry(page, 400)
    await dialog.locator('tbody').waitFor()
    await check(page, 'the end')
    await page.goto(`${world.base}/replay/${tableId(page)}`)
    await page.locator('.board').waitFor()
    await check(page, 'a replay')
    await page.getByRole('button', { name: 'More' }).click()
    await check(page, 'what one can do with a replay')
    await page.goto(`${world.base}/archive`)
    await page.locator('main li a').first().waitFor()
    await check(page, 'the archive')
    console.log(`    the smallest is ${smallest.toFixed(1)} pixels`)
    await done()
  },
}
