// How a grandmaster plays in the page: seconds a move, and how long the page stands still meanwhile.  node e2e/pace.mjs
import { launch } from './browser.mjs'
import { hurry, look, person, settled } from './people.mjs'
import { site } from './site.mjs'

const MOVES = 8
const [host, browser] = await Promise.all([site(), launch()])
const { page, done } = await person({ browser })
await page.goto(host.address)
await page.getByLabel('Computer').selectOption('grandmaster')
await page.getByRole('button', { name: 'Play now' }).click()
await page.locator('.board').waitFor()
await settled(page)
const seconds = []
const gaps = []
for (let move = 0; move < MOVES && (await look(page)).status === 'live'; move++) {
  await page.evaluate(() => {
    globalThis.gaps = []
    let last = performance.now()
    const frame = (now) => {
      globalThis.gaps.push(now - last)
      last = now
      globalThis.watching = requestAnimationFrame(frame)
    }
    globalThis.watching = requestAnimationFrame(frame)
  })
  await hurry(page, 1)
  const begun = Date.now()
  await settled(page)
  seconds.push((Date.now() - begun) / 1000)
  gaps.push(...(await page.evaluate(() => (cancelAnimationFrame(globalThis.watching), globalThis.gaps))))
}
const at = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.floor(share * (numbers.length - 1))]
console.log(`seconds a move: median ${at(seconds, 0.5).toFixed(2)}, longest ${Math.max(...seconds).toFixed(2)} (${seconds.length} moves)`)
console.log(`frames: median ${at(gaps, 0.5).toFixed(1)} ms, 99 % ${at(gaps, 0.99).toFixed(1)} ms, longest ${Math.max(...gaps).toFixed(1)} ms (${gaps.length} frames)`)
console.log(`a position: ${await page.evaluate(() => localStorage.getItem('splendor.pace'))} ms`)
await done()
await browser.close()
await host.stop()
