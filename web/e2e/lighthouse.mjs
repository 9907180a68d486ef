// What Lighthouse says of the pages, from a real server:  node e2e/lighthouse.mjs [folder for the reports] [page …]
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import lighthouse, { desktopConfig } from 'lighthouse'
import { chromium } from 'playwright-core'
import { isWhole, listen } from './browser.mjs'
import { atTable, hurry, tableId } from './people.mjs'
import { serve } from './server.mjs'

const CATEGORIES = isWhole ? ['performance', 'accessibility', 'best-practices'] : ['accessibility']
const TIMES = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']
const PROFILES = { mobile: undefined, desktop: desktopConfig }

/** A browser that has played: the addresses of what it can see, and what Lighthouse says of one of them. */
export async function inspector(base) {
  const { port, stop } = await listen()
  try {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    const addresses = await play(base, await browser.contexts()[0].newPage())
    await browser.close() // one hand at the wheel
    const report = async (address, profile) => {
      const { lhr } = await lighthouse(address, { port, onlyCategories: CATEGORIES, logLevel: 'error' }, PROFILES[profile])
      if (lhr.runtimeError) throw new Error(lhr.runtimeError.message)
      return lhr
    }
    return { addresses, report, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The scores, and the times behind the first of them. */
export function summary({ categories, audits }) {
  const scores = CATEGORIES.map((category) => `${category} ${Math.round(categories[category].score * 100)}`)
  const times = TIMES.filter((id) => audits[id]).map((id) => `${id} ${audits[id].displayValue}`)
  return [...scores, ...times].join(', ')
}

/** One game in its middle and one that is over. */
async function play(base, page) {
  await atTable({ base }, page)
  await hurry(page, 6)
  const table = page.url()
  await atTable({ base }, page)
  await hurry(page, 400)
  const replay = `${base}/replay/${tableId(page)}`
  await page.close()
  return { table, home: base, replay, learn: `${base}/learn` }
}

if (import.meta.filename === process.argv[1]) {
  const [folder, ...wanted] = process.argv.slice(2)
  const server = await serve()
  const { addresses, report, stop } = await inspector(server.base)
  try {
    for (const [name, address] of Object.entries(addresses)) {
      if (wanted.length && !wanted.includes(name)) continue
      for (const profile of Object.keys(PROFILES)) {
        const result = await report(address, profile)
        console.log(`${name}, ${profile}: ${summary(result)}`)
        if (folder) writeFileSync(join(folder, `${name}-${profile}.json`), JSON.stringify(result))
      }
    }
  } finally {
    await stop()
    await server.stop()
  }
}
