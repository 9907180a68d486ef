// What Lighthouse says of the pages, from a real server:  node e2e/lighthouse.mjs [folder for the reports]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { desktopConfig } from 'lighthouse'
import { launchOwn } from './browser.mjs'
import { atTable, hurry, tableId } from './people.mjs'
import { serve } from './server.mjs'

const CATEGORIES = ['performance', 'accessibility', 'best-practices']
const PROFILES = { mobile: undefined, desktop: desktopConfig }

/** A browser that Lighthouse may steer, and `report(address, profile)`. */
export async function inspector() {
  const folder = mkdtempSync(join(tmpdir(), 'splendor-lighthouse-'))
  const context = await launchOwn(folder, ['--remote-debugging-port=0'])
  const port = Number(readFileSync(join(folder, 'DevToolsActivePort'), 'utf8').split('\n')[0])
  return {
    page: context.pages()[0] ?? (await context.newPage()),
    report: async (address, profile = 'mobile') =>
      (await lighthouse(address, { port, onlyCategories: CATEGORIES, logLevel: 'error' }, PROFILES[profile])).lhr,
    stop: async () => {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A game in its middle, and where it can be seen. */
export async function pages(base, page) {
  await atTable({ base }, page)
  await hurry(page, 6)
  const table = page.url()
  await page.goto(base)
  await page.getByRole('button', { name: 'Play now' }).click()
  await page.locator('.board').waitFor()
  await hurry(page, 400)
  return { table, home: base, replay: `${base}/replay/${tableId(page)}`, learn: `${base}/learn` }
}

if (import.meta.filename === process.argv[1]) {
  const server = await serve()
  const { page, report, stop } = await inspector()
  try {
    for (const [name, address] of Object.entries(await pages(server.base, page))) {
      await page.goto('about:blank')
      for (const profile of Object.keys(PROFILES)) {
        const result = await report(address, profile)
        const scores = CATEGORIES.map((category) => `${category} ${Math.round(result.categories[category].score * 100)}`)
        const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'].map((id) => `${id} ${result.audits[id].displayValue}`)
        console.log(`${name}, ${profile}: ${scores.join(', ')} (${times.join(', ')})`)
        if (process.argv[2]) writeFileSync(join(process.argv[2], `${name}-${profile}.json`), JSON.stringify(result))
      }
    }
  } finally {
    await stop()
    await server.stop()
  }
}
