import assert from 'node:assert/strict'
import { inspector, summary } from './lighthouse.mjs'

const LEAST = 0.95

export const tests = {
  async 'Lighthouse at a table in mid-game: accessible and well made'(world) {
    const { addresses, report, stop } = await inspector(world.base)
    try {
      for (const profile of ['mobile', 'desktop']) {
        const result = await report(addresses.table, profile)
        console.log(`    ${summary(result)} (${profile})`)
        for (const { id, score } of Object.values(result.categories)) {
          if (id !== 'performance') assert.ok(score >= LEAST, `${id} is ${score}`) // speed is a matter of the machine
        }
      }
    } finally {
      await stop()
    }
  },
}
