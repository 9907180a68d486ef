import { mkdirSync } from 'node:fs'
import { launch } from './browser.mjs'
import { atTable, clickTurn, hurry, look, person, tableId } from './people.mjs'
import { serve } from './server.mjs'
const out = process.argv[2]; mkdirSync(out, { recursive: true })
const only = process.argv.slice(3)
const [server, browser] = await Promise.all([serve({ SPLENDOR_GRACE: '1', SPLENDOR_ABSENCE: '4' }), launch()])
const world = { base: server.base, browser }
const settled = async (page) => page.locator(`main[data-version="${(await look(page)).version}"]`).waitFor()
const parts = {
  async pages(size, scheme, locale) {
    const { page, context } = await person(world, { size, scheme, locale })
    for (const path of ['/', '/new', '/learn', '/rules', '/lobby', '/archive', '/leaderboard', '/replay', '/settings', '/about', '/keys', '/nowhere', '/t/aaaaaaaaaaaaaaaaaaaaaa', '/replay/aaaaaaaaaaaaaaaaaaaaaa']) {
      await page.goto(world.base + path); await page.waitForLoadState('networkidle'); await page.waitForTimeout(150)
      await page.screenshot({ path: `${out}/page${path.replaceAll('/', '-').slice(0, 20)}-${size}-${scheme}-${locale}.png`, fullPage: true })
    }
    for (let i = 1; i <= 9; i++) { await page.goto(`${world.base}/learn?step=${i}`); await page.waitForLoadState('networkidle'); await page.waitForTimeout(150); await page.screenshot({ path: `${out}/learn${i}-${size}-${scheme}-${locale}.png` }) }
    await context.close()
  },
  async table(size, scheme, locale) {
    const { page, context } = await person(world, { size, scheme, locale })
    const shot = (name) => page.waitForTimeout(200).then(() => page.screenshot({ path: `${out}/table-${name}-${size}-${scheme}-${locale}.png` }))
    await page.goto(world.base)
    await page.locator('.big').click(); await page.locator('.board').waitFor()
    await page.waitForFunction(() => document.querySelector('.bar.active'))
    await shot('1start')
    await page.locator('[data-place="bank:red"]').click(); await shot('2token'); await page.keyboard.press('Escape')
    await page.locator('[data-place="market:2:1"] button').click(); await shot('3card'); await page.keyboard.press('Escape')
    await page.locator('[data-place="deck:2"]').click(); await shot('4deck'); await page.keyboard.press('Escape')
    await page.locator('.top .icon').last().click(); await shot('5menu')
    await page.locator('dialog .menu button').nth(0).click(); await shot('6log'); await page.keyboard.press('Escape')
    await hurry(page, 14); await settled(page); await shot('7late')
    await page.locator('.seat').first().click(); await shot('8seat'); await page.keyboard.press('Escape')
    await page.locator('.hand .head').click(); await shot('8own'); await page.keyboard.press('Escape')
    await page.keyboard.press('t'); await shot('9text'); await page.keyboard.press('t')
    await hurry(page, 300); await page.locator('dialog[open] tbody').waitFor(); await shot('A-end')
    await page.goto(`${world.base}/replay/${tableId(page)}?step=30`); await page.locator('.board').waitFor(); await shot('B-replay'); await page.screenshot({ path: `${out}/table-B-replayfull-${size}-${scheme}-${locale}.png`, fullPage: true })
    await page.goto(`${world.base}/archive`); await page.waitForLoadState('networkidle'); await shot('C-archive')
    await page.goto(`${world.base}/leaderboard`); await page.waitForLoadState('networkidle'); await shot('D-leader')
    await page.goto(`${world.base}/`); await page.waitForLoadState('networkidle'); await shot('E-home')
    await context.close()
  },
  async more(size, scheme, locale) {
    const { page, context } = await person(world, { size, scheme, locale })
    const shot = (name) => page.waitForTimeout(200).then(() => page.screenshot({ path: `${out}/more-${name}-${size}-${scheme}-${locale}.png` }))
    const open = async (seats, more = {}) => {
      const id = await page.evaluate(async ([seats, more]) => {
        await fetch('/api/session', { method: 'POST' })
        const reply = await fetch('/api/tables', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ seats, ...more }) })
        return (await reply.json()).id
      }, [seats, more])
      await page.goto(`${world.base}/t/${id}`)
    }
    await page.goto(world.base)
    for (const n of [3, 4]) {
      await open([{ kind: 'me' }, ...Array.from({ length: n - 1 }, () => ({ kind: 'computer', level: 'apprentice' }))], { clock: { kind: 'live', seconds: 900, increment: 10 } })
      await page.locator('.board').waitFor(); await hurry(page, 9); await settled(page); await shot(`${n}players`)
    }
    await open([{ kind: 'me' }, { kind: 'open' }, { kind: 'computer', level: 'master' }]); await page.locator('#link').waitFor(); await shot('waiting')
    await open([{ kind: 'me' }, { kind: 'device', name: 'Wilhelmine' }], { order: 'chosen' }); await page.locator('.cover').waitFor(); await shot('privacy')
    await page.locator('.cover button').click(); await page.locator('.board').waitFor(); await shot('hotseat')
    await page.goto(`${world.base}/learn?step=7`)
    for (const color of ['white', 'blue', 'green']) await page.locator(`[data-place="bank:${color}"]`).click()
    await page.locator('.bar .buttons .primary').click(); await page.locator('dialog[open] .tap').first().click(); await shot('return')
    await page.goto(`${world.base}/learn?step=7`); await page.locator('[data-place="market:1:0"] button').click(); await page.locator('.bar .link').click(); await shot('pay')
    const position = '2 0 13 0 act 0 222244 25,23,17,34/62,44,49,66/77,84,71,88 ?23/?26/?16 8,4,1 101200:1,2,3,9,10,12,18,19,26,27,28:- 121001:33,35:-'
    await page.route('**/api/positions', (route) => route.continue({ postData: JSON.stringify({ ...JSON.parse(route.request().postData()), position }) }))
    await page.goto(`${world.base}/learn?step=8`); await page.locator('[data-place="market:1:1"] button').click(); await page.locator('.bar .buttons .primary').click(); await page.locator('dialog[open] .tap').first().waitFor(); await shot('noble')
    await page.unroute('**/api/positions')
    // two people
    const bob = await person(world, { size, scheme, locale })
    await open([{ kind: 'me' }, { kind: 'open' }])
    await bob.page.goto(page.url()); await bob.page.locator('.row .primary').click(); await bob.page.locator('.board').waitFor(); await page.locator('.board').waitFor()
    const [a, b] = (await look(page)).moves.length ? [page, bob.page] : [bob.page, page]
    const sub = (p, name) => p.waitForTimeout(250).then(() => p.screenshot({ path: `${out}/more-${name}-${size}-${scheme}-${locale}.png` }))
    const t = await look(a); await a.locator(`main[data-version="${t.version}"]`).waitFor(); const take = t.moves.find((m) => m.kind === 'take' && Object.keys(m.taken).length === 3)
    for (const c of Object.keys(take.taken)) await a.locator(`[data-place="bank:${c}"]`).click()
    await a.locator('.bar .buttons .primary').click(); await b.locator('main[data-turn="1"]').waitFor(); await a.locator('main[data-turn="1"]').waitFor()
    await a.locator('.top .icon').nth(1).click(); await b.locator('.notice').waitFor(); await sub(b, 'takeback-asked'); await sub(a, 'takeback-asking')
    await b.locator('.notice .button').first().click()
    await b.locator('.top .icon').last().click(); await b.locator('dialog .menu button').last().click(); await sub(b, 'resign'); await b.keyboard.press('Escape')
    await page.evaluate(() => 0)
    await bob.context.close()
    await page.locator('.notice').waitFor({ timeout: 20000 }); await shot('away-wait'); await page.locator('.notice .button').nth(2).waitFor({ timeout: 20000 }); await shot('away-vote')
    await context.close()
    // offline banner
    const off = await person(world, { size, scheme, locale, init: () => { const R = WebSocket; window.S = []; window.refuse = false; window.WebSocket = class extends R { constructor(...a) { super(...(window.refuse ? ['ws://127.0.0.1:1/'] : a)); window.S.push(this) } } } })
    await off.page.goto(world.base); await off.page.locator('.big').click(); await off.page.locator('.board').waitFor()
    await off.page.evaluate(() => { window.refuse = true; window.S.forEach((s) => s.close()) }); await off.page.locator('.notice').waitFor(); await sub(off.page, 'offline')
    await off.page.goto(`${world.base}/lobby`); await off.page.route('**/api/**', (r) => r.abort()); for (const p of ['/lobby', '/archive', '/leaderboard', '/learn']) { await off.page.goto(world.base + p); await off.page.waitForTimeout(300); await sub(off.page, 'fail' + p.replace('/', '-')) }
    await off.context.close()
  },
}
const what = only.length ? only : ['pages', 'table', 'more']
for (const one of what) { const [part, size = 'phone', scheme = 'light', locale = 'en-GB'] = one.split(':'); try { await parts[part](size, scheme, locale) } catch (error) { console.log('FAILED', one, error.message) } }
await browser.close(); await server.stop()
