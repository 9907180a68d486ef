import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { atTable, hurry, person, settled, tableId } from './people.mjs'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function check(page, where) {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }),
  )
  const found = violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.target} ${node.any[0]?.message ?? ''}`).join(' | ')}`)
  assert.deepEqual(found, [], `axe on ${where}`)
}

/** Two pictures later: whatever has changed is drawn and noted. */
const frames = (page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))))

async function fits(page, where) {
  const [wide, has] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.ok(wide <= has, `${where} is ${wide} wide on a screen of ${has}`)
}

const PAGES = ['/', '/new', '/learn', '/rules', '/lobby', '/archive', '/leaderboard', '/calendar', '/replay', '/settings', '/about', '/keys', '/nowhere']

export const tests = {
  async 'axe finds nothing on any page, light and dark; everything fits a phone'(world) {
    for (const scheme of ['light', 'dark']) {
      const { page, done } = await person(world, { size: 'phone', scheme })
      for (const path of PAGES) {
        await page.goto(world.base + path)
        await page.locator('main h1, .board').first().waitFor()
        await page.waitForLoadState('networkidle')
        await check(page, `${path} ${scheme}`)
        await fits(page, path)
      }
      await done()
    }
  },

  async 'a leaderboard with long names fits a phone, however wide its letters are'(world) {
    for (const locale of ['en-GB', 'de-DE', 'nl-NL', 'nb-NO']) {
      const { page, done } = await person(world, { size: 'phone', locale })
      await page.route('**/api/leaderboard?*', (route) => {
        const line = (place, player) => ({ place, rating: 23.4, mu: 30, sigma: 2.2, games: 1234, aborted: 12, person: { id: `p${place}`, guest: null, level: null, is_computer: place === 2, name: null, ...player } })
        return route.fulfill({ json: { players: 2, against: 'people', strength: [], lines: [line(1, { name: 'Wilhelmina von WWWWW' }), line(2, { level: 'grandmaster' }), line(3, { name: 'WWWWWWWWWWWWWWWWWWWW' })] } })
      })
      await page.goto(`${world.base}/leaderboard`)
      await page.locator('tbody tr').nth(2).waitFor()
      await page.evaluate(() => (document.querySelector('main').style.letterSpacing = '0.1em'))
      await fits(page, `/leaderboard ${locale}`)
      await check(page, `/leaderboard ${locale}`)
      await done()
    }
  },

  async 'a lobby with tables of four and long names fits a phone'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    const who = (id, more) => ({ id, guest: null, level: null, is_computer: false, name: null, avatar: null, ...more })
    const seats = [who('a', { name: 'WWWWWWWWWWWWWWWWWWWW' }), who('b', { name: 'Wilhelmina von WWWWW' }), who('c', { level: 'grandmaster', is_computer: true }), who('d', { guest: 4821 })]
    const tables = [{ id: 'long', seats, clock: { kind: 'none' }, pairing: null }]
    await page.route('**/api/lobby*', (route) => route.fulfill({ json: { open: tables, live: tables } }))
    await page.goto(`${world.base}/lobby`)
    await page.locator('main li').nth(1).waitFor()
    await fits(page, '/lobby')
    await done()
  },

  async 'axe finds nothing at the table: early, chosen, dialogs, text, late, end'(world) {
    for (const [size, scheme] of [['phone', 'light'], ['desktop', 'dark']]) {
      const { page, done } = await person(world, { size, scheme })
      await atTable(world, page)
      await settled(page)
      await check(page, `early ${size}`)
      await fits(page, 'early')
      await page.locator('[data-place="bank:red"]').click()
      await check(page, 'tokens chosen')
      await page.locator('[data-place="market:3:0"] button').click()
      await check(page, 'card chosen')
      await page.locator('.seat').first().click()
      await check(page, 'seat dialog')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Table menu' }).click()
      await check(page, 'menu')
      await page.getByRole('button', { name: 'Text view' }).click()
      await page.locator('.text-view').waitFor()
      await check(page, 'text view')
      await page.keyboard.press('t')
      await hurry(page, 14)
      await settled(page)
      await check(page, `late ${size}`)
      await hurry(page, 200)
      await page.locator('dialog[open] tbody').waitFor()
      await check(page, 'end')
      await page.goto(`${world.base}/replay/${tableId(page)}`)
      await page.locator('.board').waitFor()
      await check(page, 'replay')
      await fits(page, 'replay')
      await done()
    }
  },

  async 'text at 200 % and high contrast: nothing is cut off to the side'(world) {
    const { page, done } = await person(world, { size: 'phone', init: () => localStorage.setItem('splendor.settings', '{"contrast":true,"letters":true}') })
    for (const path of ['/', '/settings', '/rules', '/new']) {
      await page.goto(world.base + path)
      await page.locator('main h1').waitFor()
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
      await fits(page, `${path} at 200 %`)
      await check(page, `${path} in high contrast`)
    }
    await atTable(world, page)
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    await fits(page, 'table at 200 %')
    await check(page, 'table in high contrast')
    await done()
  },

  async 'the lesson from the first step to the first game, with a hint'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    await page.goto(`${world.base}/learn`)
    const next = page.getByRole('button', { name: 'Next' })
    const confirm = page.locator('.bar').getByRole('button', { name: 'Confirm' })
    const pile = (color) => page.locator(`[data-place="bank:${color}"]`)
    const right = page.locator('.lesson').getByText('Well done.')
    await page.locator('.board').waitFor()
    await next.click()
    await page.getByRole('heading', { name: 'Take three tokens' }).waitFor()
    for (const color of ['white', 'blue', 'green']) await pile(color).click() // something else first
    await confirm.click()
    await page.getByRole('button', { name: 'Try once more' }).click()
    for (const color of ['blue', 'green', 'red']) await pile(color).click()
    await confirm.click()
    await right.waitFor()
    await next.click()
    await pile('white').click()
    await pile('white').click()
    await confirm.click()
    await right.waitFor()
    await next.click()
    await page.locator('.pick:has(.ready)').click()
    await page.getByRole('button', { name: 'Buy', exact: true }).click()
    await right.waitFor()
    await next.click()
    await page.locator('[data-place^="market:2"] .pick:has(.ready)').click()
    await page.getByRole('button', { name: 'Buy', exact: true }).click()
    await right.waitFor()
    await next.click()
    await page.locator('[data-place="market:3:1"] button').click()
    await page.getByRole('button', { name: 'Reserve', exact: true }).click()
    await right.waitFor()
    await next.click()
    // a card with a choice of payments
    await page.locator('[data-place="market:1:0"] button').click()
    await page.getByRole('button', { name: 'Pay otherwise' }).click()
    await check(page, 'payment dialog')
    assert.ok((await page.locator('dialog[open] .way').count()) > 1)
    await page.keyboard.press('Escape')
    for (const color of ['white', 'blue', 'green']) await pile(color).click()
    await confirm.click()
    await page.getByText('return 2 more').waitFor()
    await check(page, 'returning tokens')
    await page.locator('button.give').nth(3).click()
    await page.locator('button.give').nth(4).click()
    await confirm.click()
    await right.waitFor()
    await next.click()
    await page.locator('.pick.hinted').click()
    await page.getByRole('button', { name: 'Buy', exact: true }).click()
    await right.waitFor()
    await next.click()
    await page.getByRole('button', { name: /Play your first game/ }).click()
    await page.locator('.bar.active').waitFor()
    await page.getByRole('button', { name: 'Hint' }).click()
    await page.locator('.hinted').first().waitFor()
    await done()
  },

  async 'several nobles: one is chosen in a dialog'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    // the lesson on a position where buying card 23 makes two nobles come
    const position =
      '2 0 13 0 act 0 222244 25,23,17,34/62,44,49,66/77,84,71,88 ?23/?26/?16 8,4,1 101200:1,2,3,9,10,12,18,19,26,27,28:- 121001:33,35:-'
    await page.route('**/api/positions', (route) =>
      route.continue({ postData: JSON.stringify({ ...JSON.parse(route.request().postData()), position }) }),
    )
    await page.goto(`${world.base}/learn?step=8`)
    await page.locator('[data-place="market:1:1"] button').click()
    await page.getByRole('button', { name: 'Buy', exact: true }).click()
    const dialog = page.locator('dialog[open]')
    await dialog.getByText('Choose a noble').waitFor()
    assert.equal(await dialog.locator('.tap').count(), 2)
    await check(page, 'noble dialog')
    await dialog.locator('.tap').nth(1).click()
    await dialog.waitFor({ state: 'detached' })
    await done()
  },

  async 'every language on phone, tablet and desktop: chosen from the browser, complete, and nothing too wide'(world) {
    const words = { 'en-GB': ['en', 'Play now', 'Your turn'], 'de-DE': ['de', 'Jetzt spielen', 'Du bist am Zug'], 'nl-NL': ['nl', 'Nu spelen', 'Jij bent aan de beurt'], 'nb-NO': ['nb', 'Spill nå', 'Din tur'] }
    for (const [locale, [code, play, turn]] of Object.entries(words)) {
      for (const size of ['phone', 'tablet', 'desktop']) {
        const { page, done } = await person(world, { locale, size })
        await page.goto(world.base)
        await page.getByRole('button', { name: play }).waitFor()
        assert.equal(await page.locator('html').getAttribute('lang'), code)
        await fits(page, `home ${locale}`)
        await page.getByRole('button', { name: play }).click()
        await page.getByText(turn, { exact: true }).first().waitFor()
        await fits(page, `table ${locale} ${size}`)
        if (size === 'phone') {
          await page.locator('[data-place="market:2:1"] button').click()
          await fits(page, `card chosen ${locale}`)
          for (const path of ['/learn?step=4', '/rules', '/settings', '/new']) {
            await page.goto(world.base + path)
            await page.locator('main h1').waitFor()
            await fits(page, `${path} ${locale}`)
          }
        }
        await done()
      }
    }
  },

  async 'the whole table fits a phone without scrolling, and nothing shifts during play'(world) {
    const { page, done } = await person(world, {
      size: 'phone',
      init: () => {
        window.shift = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
            window.shift += entry.value
            window.shifted = entry.sources.map((source) => source.node?.className).join()
          }
        }).observe({ type: 'layout-shift', buffered: true })
      },
    })
    await atTable(world, page)
    await settled(page)
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    assert.ok(height <= 741, `the table is ${height} pixels high`)
    await page.evaluate(() => document.fonts.ready)
    await frames(page)
    await page.evaluate(() => (window.shift = 0))
    await hurry(page, 8)
    await settled(page)
    await frames(page)
    const shift = await page.evaluate(() => window.shift)
    assert.ok(shift < 0.02, `things shifted by ${shift}: ${await page.evaluate(() => window.shifted)}`)
    const answered = await page.evaluate(async () => {
      const move = (await (await fetch(`/api/tables/${location.pathname.split('/')[2]}`)).json()).moves.find((one) => one.kind === 'take')
      const pile = document.querySelector(`[data-place="bank:${Object.keys(move.taken)[0]}"]`)
      pile.click()
      await new Promise((resolve) => requestAnimationFrame(resolve))
      return pile.getAttribute('aria-pressed')
    })
    assert.equal(answered, 'true', 'a tap is answered in the very next picture')
    await done()
  },

  async 'an account, and back as a guest'(world) {
    const { page, done } = await person(world)
    await page.goto(`${world.base}/settings`)
    await page.getByLabel('Name').fill('Renaissance Rita')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Signed in as Renaissance Rita.').waitFor()
    await check(page, 'signed in')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await done()
  },
}
