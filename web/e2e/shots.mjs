// Pictures for the documentation, from a real game:  node e2e/shots.mjs [folder]
import { mkdirSync } from 'node:fs'
import { launch } from './browser.mjs'
import { atTable, hurry, person, settled, tableId } from './people.mjs'
import { serve } from './server.mjs'

const folder = process.argv[2] ?? new URL('../../docs/images/', import.meta.url).pathname
mkdirSync(folder, { recursive: true })
const [server, browser] = await Promise.all([serve(), launch()])
const world = { base: server.base, browser }

for (const [size, scheme] of [['phone', 'light'], ['phone', 'dark'], ['desktop', 'light'], ['desktop', 'dark']]) {
  const { page, done } = await person(world, { size, scheme })
  const shot = async (name) => {
    await page.evaluate(() => document.fonts.ready)
    await page.waitForTimeout(250)
    await page.screenshot({ path: `${folder}/${name}-${size}-${scheme}.png` })
  }
  await page.goto(world.base)
  await page.locator('select option').first().waitFor({ state: 'attached' })
  await shot('home')
  await atTable(world, page)
  await hurry(page, 2)
  await settled(page)
  await shot('table-early')
  await hurry(page, 12)
  await settled(page)
  const ready = page.locator('.pick:has(.ready)').first()
  if (await ready.count()) await ready.click()
  await shot('table-late')
  await page.keyboard.press('Escape')
  await hurry(page, 200)
  await page.locator('dialog[open] tbody').waitFor()
  await shot('table-end')
  await page.goto(`${world.base}/replay/${tableId(page)}?step=24`)
  await page.locator('.board').waitFor()
  await shot('replay')
  await page.goto(`${world.base}/learn?step=4`)
  await page.locator('.board').waitFor()
  await page.locator('.pick:has(.ready)').click()
  await shot('learn')
  await page.goto(`${world.base}/learn?step=7`)
  for (const color of ['white', 'blue', 'green']) await page.locator(`[data-place="bank:${color}"]`).click()
  await page.locator('.bar').getByRole('button', { name: 'Confirm' }).click()
  await page.locator('dialog[open] .tap').first().click()
  await shot('dialog-return')
  await page.goto(`${world.base}/learn?step=7`)
  await page.locator('[data-place="market:1:0"] button').click()
  await page.getByRole('button', { name: 'Pay otherwise' }).click()
  await shot('dialog-payment')
  const position =
    '2 0 13 0 act 0 222244 25,23,17,34/62,44,49,66/77,84,71,88 ?23/?26/?16 8,4,1 101200:1,2,3,9,10,12,18,19,26,27,28:- 121001:33,35:-'
  await page.route('**/api/positions', (route) =>
    route.continue({ postData: JSON.stringify({ ...JSON.parse(route.request().postData()), position }) }),
  )
  await page.goto(`${world.base}/learn?step=8`)
  await page.locator('[data-place="market:1:1"] button').click()
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.locator('dialog[open] .tap').first().waitFor()
  await shot('dialog-noble')
  await done()
}
await browser.close()
await server.stop()
