import assert from 'node:assert/strict'
import { atTable, hurry, person, settled } from './people.mjs'

const LARGEST = 180_000 // bytes that a first visit to a table fetches, fonts included
const MOST = 20 // requests
const SHIFT = 0.02

export const tests = {
  async 'a first visit to a table in mid-game: few requests, all texts compressed, one style sheet to wait for, nothing shifts'(world) {
    for (const size of ['phone', 'desktop']) {
      const before = await person(world, { size })
      await atTable(world, before.page)
      await hurry(before.page, 6)
      const address = before.page.url()
      const { cookies } = await before.context.storageState()
      await before.done()

      const { page, context, done } = await person(world, {
        size,
        init: () => {
          window.shift = 0
          new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.shift += entry.value))).observe({ type: 'layout-shift', buffered: true })
        },
      })
      await context.addCookies(cookies)
      await page.goto(address)
      await settled(page)
      await page.waitForLoadState('networkidle')
      await page.evaluate(() => document.fonts.ready)
      const { entries, shift } = await page.evaluate(() => ({
        shift: window.shift,
        entries: ['navigation', 'resource']
          .flatMap((type) => performance.getEntriesByType(type))
          .filter(({ initiatorType }) => initiatorType !== 'fetch') // of the test and of the game
          .map(({ name, transferSize, encodedBodySize, decodedBodySize, renderBlockingStatus, initiatorType }) => ({ path: new URL(name).pathname, transferSize, encodedBodySize, decodedBodySize, renderBlockingStatus, initiatorType })),
      }))
      const bytes = entries.reduce((sum, { transferSize }) => sum + transferSize, 0)
      console.log(`    ${size}: ${entries.length} requests, ${(bytes / 1000).toFixed(0)} kB, shift ${shift.toFixed(3)}`)
      assert.ok(bytes > 50_000 && bytes <= LARGEST, `${bytes} bytes`)
      assert.ok(entries.length <= MOST, `${entries.length} requests`)
      const texts = entries.filter(({ path }) => /\.(js|css)$/.test(path))
      assert.ok(texts.length > 3)
      assert.deepEqual(texts.filter(({ encodedBodySize, decodedBodySize }) => encodedBodySize >= decodedBodySize), [], 'not compressed')
      const blocking = entries.filter(({ renderBlockingStatus, initiatorType }) => renderBlockingStatus === 'blocking' && initiatorType !== 'navigation')
      assert.ok(blocking.length <= 1 && blocking.every(({ path }) => path.endsWith('.css')), `the page waits for ${JSON.stringify(blocking)}`)
      assert.ok(shift < SHIFT, `things shift by ${shift}`)
      await done()
    }
  },
}
