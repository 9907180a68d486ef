import assert from 'node:assert/strict'
import { atTable, look, person, settled } from './people.mjs'

/** Motion at leisure, so that it can be looked at. */
const slowly = () => localStorage.setItem('splendor.settings', JSON.stringify({ motion: 'slow', sound: false }))

const quickly = () => localStorage.setItem('splendor.settings', JSON.stringify({ motion: 'off' }))

/** All flights stand still; `at` their end or their beginning. */
const hold = (page, at) =>
  page.evaluate((end) => {
    for (const layer of document.querySelectorAll('.flight')) {
      for (const animation of layer.getAnimations({ subtree: true })) {
        animation.pause()
        const { delay, duration } = animation.effect.getTiming()
        animation.currentTime = end ? delay + duration : delay
      }
    }
  }, at === 'end')

const box = (page, selector) =>
  page.locator(selector).first().evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return [x, y, width, height]
  })

const near = (one, two, what) => one.forEach((value, n) => assert.ok(Math.abs(value - two[n]) < 1.5, `${what}: ${one.map(Math.round)} is not ${two.map(Math.round)}`))

async function takeThree(page) {
  const { moves } = await settled(page)
  const move = moves.find((one) => one.kind === 'take' && Object.keys(one.taken).length === 3)
  for (const color of Object.keys(move.taken)) await page.locator(`[data-place="bank:${color}"]`).click()
  await page.locator('.bar').getByRole('button', { name: 'Confirm' }).click()
  return Object.keys(move.taken)
}

export const tests = {
  async 'a bought card: it flies to its stack, the new one turns over and lands in the slot at its size, and counters wait for the landing'(world) {
    const { page, done } = await person(world, { motion: 'no-preference', init: slowly })
    await page.goto(`${world.base}/learn?step=4`)
    await page.waitForFunction(() => document.querySelector('.pick:has(.ready)'))
    await page.waitForLoadState('networkidle')
    const slot = page.locator('[data-place^="market:1"]:has(.ready)').first()
    const place = await slot.getAttribute('data-place')
    await slot.locator('button').click()
    const bank = () => page.locator('.bank .left').allTextContents().then((all) => all.map(Number))
    const before = await bank()
    await page.locator('.bar').getByRole('button', { name: 'Buy', exact: true }).click()
    await page.locator('.flight:has(.hind)').waitFor({ state: 'attached' })
    assert.deepEqual(await bank(), before, 'what is paid is not yet in the bank')
    assert.equal(await page.locator('section.hand .color > .bonus:not(.none)').count(), 0, 'the bonus comes with the card')
    await hold(page, 'begin')
    near(await box(page, '.flight:has(.hind)'), await box(page, '[data-place="deck:1"]'), 'a new card comes from its deck')
    await hold(page, 'end')
    near(await box(page, '.flight:has(.hind)'), await box(page, `[data-place="${place}"]`), 'and lands in the slot at its size')
    const turned = await page.locator('.turning:has(.hind)').first().evaluate((element) => getComputedStyle(element).transform)
    assert.match(turned, /^(none|matrix\(1, 0, 0, 1, 0, 0\)|matrix3d\(1, 0, 0, 0, 0, 1)/, 'it lies face up')
    near(await box(page, '.flight:has(.turning):not(:has(.hind))'), await box(page, 'section.hand .sliver'), 'the bought card lies in its stack')
    await page.evaluate(() => document.querySelectorAll('.flight').forEach((layer) => layer.getAnimations({ subtree: true }).forEach((one) => one.finish())))
    await page.locator('.flight').first().waitFor({ state: 'detached' })
    assert.ok((await bank()).reduce((a, b) => a + b) > before.reduce((a, b) => a + b), 'it is in the bank')
    assert.equal(await page.locator('section.hand .color > .bonus:not(.none)').count(), 1)
    await done()
  },

  async 'nothing waits for motion: the next choice is made while tokens fly; without motion there are still pictures'(world) {
    for (const [init, moves] of [[slowly, true], [quickly, false]]) {
      const { page, done } = await person(world, { motion: 'no-preference', init })
      await atTable(world, page)
      await takeThree(page)
      if (moves) await page.locator('.flight').first().waitFor({ state: 'attached' })
      await page.locator('[data-place="market:2:0"] button').click()
      assert.equal(await page.locator('.pick.chosen').count(), 1, 'a card is chosen meanwhile')
      if (!moves) assert.equal(await page.locator('.flight').count(), 0)
      await page.waitForFunction(() => !document.querySelector('.flight'))
      const { board, viewer } = await settled(page)
      const shown = await page.locator('section.hand .color > .token .count').allTextContents()
      assert.deepEqual(shown.map(Number), Object.values(board.hands[viewer].tokens), 'the counters are right in the end')
      await done()
    }
  },

  async 'what the others did since my turn stays in sight, and a tap shows it again, with four players too'(world) {
    const { page, done } = await person(world, { size: 'phone', motion: 'no-preference' })
    await page.goto(world.base)
    await page.evaluate(async () => {
      const send = (path, body) => fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
      await send('/api/session', {})
      const computers = ['apprentice', 'journeyman', 'artisan'].map((level) => ({ kind: 'computer', level }))
      location.href = `/t/${(await (await send('/api/tables', { seats: [{ kind: 'me' }, ...computers], order: 'chosen' })).json()).id}`
    })
    await page.locator('.board').waitFor()
    await takeThree(page)
    await settled(page)
    const chips = page.locator('.strip button')
    await page.waitForFunction(() => document.querySelectorAll('.strip button').length === 3)
    const names = await page.locator('.strip .who').allTextContents()
    assert.deepEqual(names, ['Apprentice', 'Journeyman', 'Artisan'])
    await page.waitForFunction(() => !document.querySelector('.flight'))
    await chips.nth(1).click()
    await page.locator('.flight').first().waitFor({ state: 'attached' })
    const sizes = await chips.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ height, right }) => [height, right]))
    for (const [height, right] of sizes) assert.ok(height >= 44 && right <= 360)
    await done()
  },

  async 'sounds are on after the first tap, and can be turned off; two taps without confirmation make a move'(world) {
    const { page, done } = await person(world, {
      init: () => {
        window.heard = 0
        const start = AudioBufferSourceNode.prototype.start
        AudioBufferSourceNode.prototype.start = function (...rest) {
          window.heard += 1
          return start.apply(this, rest)
        }
      },
    })
    await atTable(world, page)
    await takeThree(page)
    await page.waitForFunction(() => window.heard > 0)
    await settled(page)
    await page.getByRole('button', { name: 'Table menu' }).click()
    await page.getByRole('button', { name: 'Settings' }).click()
    const dialog = page.locator('dialog[open]')
    await dialog.getByLabel('Sounds').uncheck()
    await dialog.getByLabel('Confirm every move').uncheck()
    await dialog.getByLabel('Left-handed').check()
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('html').getAttribute('data-hand'), 'left')
    const heard = await page.evaluate(() => window.heard)
    const before = await settled(page)
    const move = before.moves.find((one) => one.kind === 'take' && Object.keys(one.taken).length === 3 && !one.then)
    for (const color of Object.keys(move.taken)) await page.locator(`[data-place="bank:${color}"]`).click()
    await page.waitForFunction((version) => Number(document.querySelector('main').dataset.version) > version, before.version)
    await settled(page)
    assert.equal(await page.evaluate(() => window.heard), heard, 'nothing is heard any more')
    await done()
  },

  async 'taking back says why not; the hint is said in words; an error goes when it is mended'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    await atTable(world, page)
    await settled(page)
    await page.locator('.bar').getByRole('button', { name: 'Take back' }).click()
    await page.getByText('You have made no move yet that could be taken back.').waitFor()
    await page.locator('.bar').getByRole('button', { name: 'Hint' }).click()
    await page.locator('#spoken', { hasText: /^Hint: (take|buy|reserve) / }).waitFor({ state: 'attached' })
    await page.locator('.hinted').first().waitFor()
    await page.keyboard.press('Escape')
    await page.route('**/api/hints', (route) => route.abort())
    await page.keyboard.press('h')
    await page.locator('.notices .problem').waitFor()
    await takeThree(page)
    await page.locator('.notices .problem').waitFor({ state: 'detached', timeout: 4000 })
    assert.ok((await look(page)).board.turn >= 1)
    await done()
  },
}
