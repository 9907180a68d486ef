// Pictures for the documentation, from a real game:  node e2e/shots.mjs [folder]
import { mkdirSync } from 'node:fs'
import { launch } from './browser.mjs'
import { atTable, hurry, open, person, settled, tableId } from './people.mjs'
import { serve } from './server.mjs'

const folder = process.argv[2] ?? new URL('../../docs/images/', import.meta.url).pathname
mkdirSync(folder, { recursive: true })
const [server, browser] = await Promise.all([serve(), launch()])
const world = { base: server.base, browser }

for (const [size, scheme] of [['phone', 'dark'], ['desktop', 'light']]) {
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
  await page.locator('button.give').first().click()
  await shot('returning')
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

// the table on further screens: in mid-game, with two to four players
{
  const { page, done } = await person(world)
  for (const [name, width, height, players] of [['landscape', 844, 390, 3], ['tablet', 820, 1180, 4], ['large', 2560, 1440, 2]]) {
    const computers = ['apprentice', 'journeyman', 'artisan'].slice(0, players - 1).map((level) => ({ kind: 'computer', level }))
    await open(world, page, [{ kind: 'me' }, ...computers], { order: 'chosen' })
    await page.locator('.board').waitFor()
    await hurry(page, 18)
    await settled(page)
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(400)
    await page.screenshot({ path: `${folder}/table-${name}.png` })
  }
  await done()
}

// a turn as a short film: its frames, of which scripts/small_pictures.py makes one picture
{
  const { page, done } = await person(world, { motion: 'no-preference', init: () => localStorage.setItem('splendor.settings', '{"motion":"normal","sound":false,"table":"felt"}') })
  await page.setViewportSize({ width: 1110, height: 640 })
  await open(world, page, [{ kind: 'me' }, { kind: 'computer', level: 'artisan' }], { order: 'chosen' })
  await page.locator('.board').waitFor()
  await hurry(page, 12)
  await settled(page)
  for (let turn = 0; turn < 8 && !(await page.locator('.pick:has(.ready)').count()); turn++) {
    await hurry(page, 1)
    await settled(page)
  }
  await page.waitForTimeout(2500)
  mkdirSync(`${folder}/turn`, { recursive: true })
  let frame = 0
  const film = async (times) => {
    for (let n = 0; n < times; n++) await page.screenshot({ path: `${folder}/turn/${String(frame++).padStart(2, '0')}.png` })
  }
  await film(3)
  await page.locator('.pick:has(.ready)').first().click()
  await film(4)
  await page.locator('.bar').getByRole('button', { name: 'Buy', exact: true }).click()
  await page.locator('.flight').first().waitFor({ state: 'attached' })
  for (let time = 0; time <= 1050; time += 75) {
    await page.evaluate((now) => {
      for (const layer of document.querySelectorAll('.flight')) {
        for (const animation of layer.getAnimations({ subtree: true })) {
          const { delay, duration } = animation.effect.getTiming()
          animation.pause()
          if (now >= delay + duration) animation.finish()
          else animation.currentTime = now
        }
      }
    }, time)
    await film(1)
  }
  await page.evaluate(() => document.querySelectorAll('.flight').forEach((layer) => layer.getAnimations({ subtree: true }).forEach((one) => one.finish())))
  await page.waitForTimeout(500)
  await film(6)
  await done()
}
await browser.close()
await server.stop()
