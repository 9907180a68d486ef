// Runs the tests in a real Chromium against a real server:  node e2e/run.mjs [part of a name …]
import { readdirSync } from 'node:fs'
import { launch } from './browser.mjs'
import { serve } from './server.mjs'

const wanted = process.argv.slice(2)
const started = Date.now()
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`

const [server, browser] = await Promise.all([serve(), launch()])
console.log(`server and browser ready after ${seconds(started)}`)
const world = { base: server.base, browser }
const LONGEST = 600_000 // milliseconds for one test: a test that hangs is one that fails
const late = () => new Promise((_, reject) => setTimeout(() => reject(new Error('it takes too long')), LONGEST).unref())
let failed = 0
let passed = 0
try {
  for (const file of readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.test.mjs')).sort()) {
    const { tests } = await import(`./${file}`)
    for (const [name, test] of Object.entries(tests)) {
      if (wanted.length && !wanted.some((part) => `${file} ${name}`.includes(part))) continue
      const begun = Date.now()
      try {
        await Promise.race([test(world), late()])
        passed += 1
        console.log(`  ✓ ${name} (${seconds(begun)})`)
      } catch (error) {
        failed += 1
        console.log(`  ✗ ${name} (${seconds(begun)})\n${error.stack ?? error}`)
      }
    }
  }
} finally {
  await browser.close()
  await server.stop()
}
console.log(`${passed} passed, ${failed} failed, ${seconds(started)}`)
process.exit(failed || !passed ? 1 : 0)
