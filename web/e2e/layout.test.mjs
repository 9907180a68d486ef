import assert from 'node:assert/strict'
import { hurry, open, person, settled } from './people.mjs'

const PHONES = [[360, 640], [390, 844]]
const LOW = [[844, 390], [720, 450], [640, 400]] // landscape phones, and a laptop at 200 %
const LARGE = [[820, 1180], [1024, 768], [1440, 900], [2560, 1440]]
const COMPUTERS = ['apprentice', 'journeyman', 'artisan']

/** The boxes of what a player needs at once: the piles, the cards, the nobles, the own hand, the bar, the other seats. */
const boxes = (page) =>
  page.evaluate(() => {
    const box = (element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return { name: element.dataset.place ?? element.className.split(' ')[0], left, top, right, bottom }
    }
    const all = (selector) => [...document.querySelectorAll(selector)].map(box)
    return {
      screen: [innerWidth, innerHeight],
      height: document.documentElement.scrollHeight,
      pieces: [...all('.pile'), ...all('[data-place^="market:"]'), ...all('button.deck'), ...all('[data-place^="noble:"]'), ...all('.seat'), ...all('section.hand')],
      bar: all('.bar .bar'),
      tokens: all('section.hand .color > .token'),
      figures: all('.seat .cell > :is(.bonus, .disc):not(.none)'),
      said: all('.bar .what > *').filter(({ left, right }) => right - left > 1), // the rest is for those who listen
      room: all('.bar .what')[0],
    }
  })

function separate(boxes, where) {
  boxes.forEach((one, n) =>
    boxes.slice(n + 1).forEach((two) => {
      const across = Math.min(one.right, two.right) - Math.max(one.left, two.left)
      const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top)
      assert.ok(across <= 1 || down <= 1, `${where}: ${one.name} lies on ${two.name}`)
    }),
  )
}

async function check(page, where) {
  const { screen, height, pieces, bar, tokens, figures, said, room } = await boxes(page)
  const all = [...pieces, ...bar]
  assert.ok(height <= screen[1], `${where}: ${height} pixels high on a screen of ${screen[1]}`)
  for (const { name, left, top, right, bottom } of [...all, ...tokens]) {
    const seen = left >= -0.5 && top >= -0.5 && right <= screen[0] + 0.5 && bottom <= screen[1] + 0.5
    assert.ok(seen, `${where}: ${name} is at ${[left, top, right, bottom].map(Math.round)} on ${screen}`)
  }
  separate(all, where)
  separate([...bar, ...tokens], where)
  separate(figures, where)
  for (const { name, left, top, right, bottom } of said) {
    const fits = left >= room.left - 1 && top >= room.top - 1 && right <= room.right + 1 && bottom <= room.bottom + 1
    assert.ok(fits, `${where}: ${name} is cut off in the bar`)
  }
}

const barHeight = (page) => page.locator('.bar .bar').evaluate((bar) => bar.getBoundingClientRect().height)

async function late(world, page, players) {
  await open(world, page, [{ kind: 'me' }, ...COMPUTERS.slice(0, players - 1).map((level) => ({ kind: 'computer', level }))], { order: 'chosen' })
  await page.locator('.board').waitFor()
  await hurry(page, 14)
  await settled(page)
}

const resize = async (page, [width, height]) => {
  await page.setViewportSize({ width, height })
  await page.locator(`:root[data-shape='${width >= 1100 && height >= 560 ? 'desktop' : width > height ? 'landscape' : width < 600 ? 'phone' : 'tablet'}'] .board`).waitFor()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

export const tests = {
  async 'on every screen, with two to four players, all is seen at once and nothing is covered; the bar keeps its height'(world) {
    const { page, done } = await person(world, { locale: 'de-DE' }) // its words are the longest
    for (const players of [2, 3, 4]) {
      await late(world, page, players)
      for (const size of [...PHONES, ...LOW, ...LARGE]) {
        const where = `${players} players at ${size.join('×')}`
        await resize(page, size)
        await check(page, where)
        const idle = await barHeight(page)
        const short = await page.evaluate(() => {
          const lacks = (slot) => slot.querySelectorAll('.lack').length - 9 * slot.querySelectorAll('.tick').length
          return [...document.querySelectorAll('[data-place^="market:"]')].sort((a, b) => lacks(b) - lacks(a))[0].dataset.place
        })
        for (const place of [short, 'market:3:0', 'market:1:2', 'deck:2']) {
          await page.locator(`[data-place="${place}"]:is(button), [data-place="${place}"] button`).first().click()
          await check(page, `${where}, ${place} chosen`)
          assert.equal(await barHeight(page), idle, `${where}: the bar changes its height`)
        }
        const words = await page.locator('.bar .button').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent))
        assert.deepEqual(words, [], `${where}: cut off in the bar`)
        await page.keyboard.press('Escape')
        const names = await page.locator('.seat .text').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent))
        if (size[0] >= 844 && size[0] > size[1]) assert.deepEqual(names, [], `${where}: names cut off`)
      }
    }
    await done()
  },

  async 'figures are readable: lining, costs of nobles and missing marks at least 12 pixels with four players on a phone'(world) {
    const { page, done } = await person(world)
    await late(world, page, 4)
    for (const size of [PHONES[0], LOW[1]]) {
      await resize(page, size)
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('.tile .cost b, .market .item b, .market .lack, .market .have')]
          .map((one) => ({ text: `${one.className} ${one.textContent}`, size: parseFloat(getComputedStyle(one).fontSize) }))
          .filter(({ size }) => size < 12))
      assert.deepEqual(small, [], `at ${size.join('×')}`)
      const cut = await page.locator('.market .card').evaluateAll((cards) =>
        cards.flatMap((card) => {
          const edge = card.getBoundingClientRect()
          return [...card.querySelectorAll('.cost b, .lack, .have')].filter((one) => one.getBoundingClientRect().right > edge.right).map((one) => one.textContent)
        }))
      assert.deepEqual(cut, [], `cut off at the edge of a card at ${size.join('×')}`)
    }
    await resize(page, LARGE[2])
    const old = await page.evaluate(() =>
      [...document.querySelectorAll('.board *')]
        .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && /\d/.test(node.textContent)))
        .filter((one) => !getComputedStyle(one).fontVariantNumeric.includes('lining-nums'))
        .map((one) => `${one.className}: ${one.textContent.trim().slice(0, 20)}`))
    assert.deepEqual(old, [], 'old-style figures')
    await done()
  },

  async 'a large screen is used: cards of 240 pixels, bought cards as stacks by color, next to no empty columns'(world) {
    const { page, done } = await person(world)
    await late(world, page, 3)
    await resize(page, LARGE[3])
    const widths = await page.locator('.market .card').evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().width))
    assert.ok(Math.min(...widths) >= 240, `cards are ${Math.min(...widths)} wide`)
    const used = await page.evaluate(() => {
      const [seats, stage, log] = ['.seats', '.stage', '.log'].map((name) => document.querySelector(name).getBoundingClientRect())
      return (seats.width + stage.width + log.width) / innerWidth
    })
    assert.ok(used > 0.95, `${used} of the width is used`)
    const table = await settled(page)
    const slivers = await page.locator('section.hand .sliver').count()
    assert.equal(slivers, table.board.hands[table.viewer].bought.length, 'every bought card lies in a stack')
    await done()
  },

  async 'returning tokens: the market stays in sight, the bar says what to do, the own tokens are tapped'(world) {
    for (const size of PHONES) {
      const { page, done } = await person(world, { locale: 'de-DE' })
      await page.setViewportSize({ width: size[0], height: size[1] })
      await page.goto(`${world.base}/learn?step=7`)
      for (const color of ['white', 'blue', 'green']) await page.locator(`[data-place="bank:${color}"]`).click()
      await page.locator('.bar .buttons .primary').click()
      await page.locator('button.give').first().waitFor()
      await page.evaluate(() => scrollTo(0, 0))
      const { y, height } = await page.locator('.bar .buttons .primary').boundingBox()
      assert.ok(y + height <= size[1], `what confirms ends at ${y + height} on ${size}`)
      const tokens = await page.locator('button.give').first().boundingBox()
      assert.ok(tokens.y + tokens.height <= (await page.locator('.bar .bar').boundingBox()).y + 1, `the bar lies on the own tokens on ${size}`)
      await done()
    }
    for (const size of [PHONES[0], LOW[0], LARGE[2]]) {
      const { page, done } = await person(world)
      await page.setViewportSize({ width: size[0], height: size[1] })
      await page.goto(`${world.base}/learn?step=7`)
      for (const color of ['white', 'blue', 'green']) await page.locator(`[data-place="bank:${color}"]`).click()
      await page.locator('.bar').getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('return 2 more', { exact: false }).waitFor()
      assert.equal(await page.locator('dialog[open]').count(), 0)
      const market = await page.locator('.market .card').first().boundingBox()
      assert.ok(market.width > 40)
      const give = page.locator('button.give')
      const sizes = await give.evaluateAll((all) => all.map((one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height)))
      if (size !== LARGE[2]) assert.ok(Math.min(...sizes) >= 43.9, `own tokens are ${sizes}`)
      await give.nth(0).click()
      await page.getByText('return one more', { exact: false }).waitFor()
      const confirm = page.locator('.bar').getByRole('button', { name: 'Confirm' })
      assert.ok(await confirm.isDisabled())
      await give.nth(1).click()
      await confirm.click()
      await page.locator('.lesson').getByText('Well done.').waitFor()
      await done()
    }
  },

  async 'a notice lies above the players, not on the own tokens or the bar'(world) {
    const { page, done } = await person(world)
    await late(world, page, 4)
    for (const size of [PHONES[0], LOW[0]]) {
      await resize(page, size)
      await page.getByRole('button', { name: 'Table menu' }).click()
      await page.getByRole('button', { name: 'Copy the link' }).click()
      const notice = await page.locator('.notices p').first().boundingBox()
      for (const name of ['section.hand', '.bar .bar']) {
        const { y, x } = await page.locator(name).boundingBox()
        assert.ok(notice.y + notice.height <= y || notice.x + notice.width <= x, `it lies on ${name}`)
      }
      await page.locator('.notices p').first().waitFor({ state: 'detached' })
    }
    await done()
  },
}
