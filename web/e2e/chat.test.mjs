import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { open, person, tableId } from './people.mjs'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PASSWORD = 'correct horse battery'

async function check(page, where) {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }))
  assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target).join(' | ')}`), [], `axe on ${where}`)
}

const fits = async (page) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the page')

/** An account, made through the interface for programs. */
async function register(world, page, name) {
  await page.goto(`${world.base}/about`)
  await page.evaluate(async (wish) => {
    const send = (path, body) => fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
    await send('/api/session', {})
    await send('/api/register', wish)
    localStorage.setItem('splendor.known', '1')
  }, { name, password: PASSWORD })
}

export const tests = {
  async 'two with accounts write to each other: allowed, said, muted, reported and blocked; a guest who looks on sees nothing of it'(world) {
    const ann = await person(world, { size: 'phone' })
    const bob = await person(world, { locale: 'de-DE', scheme: 'dark' })
    const eve = await person(world)
    await register(world, ann.page, 'Chatty Charlotte')
    await register(world, bob.page, 'Silent Sibylle')

    // it is off: one turns it on in the settings, the other where one would write
    await ann.page.goto(`${world.base}/settings`)
    const setting = ann.page.getByLabel('Let players ask to write with me')
    await setting.waitFor()
    assert.equal(await setting.isChecked(), false)
    const [saved] = await Promise.all([ann.page.waitForResponse('**/api/account/chat'), setting.check()])
    assert.equal(saved.status(), 204)
    await open(world, ann.page, [{ kind: 'me' }, { kind: 'open' }], { order: 'chosen' })
    const id = tableId(ann.page)
    await bob.page.goto(`${world.base}/t/${id}`)
    await bob.page.getByRole('button', { name: 'Platz nehmen' }).click()
    for (const { page } of [ann, bob]) await page.locator('.board').waitFor()
    await eve.page.goto(`${world.base}/t/${id}`)
    await eve.page.locator('.board').waitFor()
    await ann.page.getByRole('button', { name: 'Say something' }).click()
    await ann.page.getByText('With Silent Sibylle there is no free chat.').waitFor()
    await bob.page.getByRole('button', { name: 'Etwas sagen' }).click()
    await bob.page.getByRole('button', { name: 'Einschalten' }).click()
    await check(bob.page, 'chat before anybody was asked')
    await bob.page.keyboard.press('Escape')

    // one asks, the other allows
    await ann.page.getByRole('button', { name: 'Ask Silent Sibylle to talk' }).click()
    await ann.page.getByText('Silent Sibylle has been asked.').waitFor()
    await bob.page.getByText('Chatty Charlotte möchte sich unterhalten: erlauben?').waitFor()
    await check(bob.page, 'somebody asks to talk')
    await bob.page.getByRole('button', { name: 'Erlauben' }).click()
    const field = ann.page.getByLabel('Write to Silent Sibylle')
    await field.waitFor()
    await fits(ann.page)

    // a line: as plain text, shown and said where nobody looks at it, counted until it is read
    await field.fill('Look: https://example.org/ <b>fine</b>')
    await ann.page.keyboard.press('Enter')
    await ann.page.locator('[data-line]', { hasText: 'Look: https://example.org/ <b>fine</b>' }).waitFor()
    await bob.page.getByRole('status').filter({ hasText: 'Chatty Charlotte: Look: https://example.org/' }).waitFor()
    await bob.page.getByRole('button', { name: 'Etwas sagen: 1 neue Zeile' }).click()
    const log = bob.page.getByRole('log', { name: 'Was geschrieben wurde' })
    await log.getByText('Look: https://example.org/ <b>fine</b>').waitFor()
    assert.equal(await log.getAttribute('aria-live'), 'polite')
    assert.equal(await log.locator('a').count(), 0, 'no link')
    assert.equal(await bob.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'An Chatty Charlotte schreiben', 'one can write at once')
    await bob.page.keyboard.type('Go away!')
    await bob.page.keyboard.press('Enter')
    await ann.page.locator('[data-line]', { hasText: 'Go away!' }).waitFor()
    await ann.page.locator('[data-line]', { hasText: 'Go away!' }).getByRole('button', { name: /^Report what Silent Sibylle wrote/ }).waitFor()
    await check(ann.page, 'chat on a phone')
    await fits(ann.page)
    assert.equal(await ann.page.getByRole('button', { name: /^Report/ }).count(), 1, 'nobody reports an own line')

    // reported: one tap, and a reason
    await ann.page.getByRole('button', { name: /^Report what/ }).click()
    await check(ann.page, 'reporting')
    await fits(ann.page)
    await ann.page.getByRole('button', { name: 'Insult' }).click()
    await ann.page.getByText('reported', { exact: true }).waitFor()

    // muted in this browser: the line is gone, and none is shown
    await ann.page.getByLabel('Do not hear Silent Sibylle').check()
    await ann.page.locator('[data-line]', { hasText: 'Go away!' }).waitFor({ state: 'detached' })
    await ann.page.getByLabel('Do not hear Silent Sibylle').uncheck()
    await ann.page.locator('[data-line]', { hasText: 'Go away!' }).waitFor()

    // who comes back finds what was written, read
    await bob.page.reload()
    await bob.page.getByRole('button', { name: 'Etwas sagen', exact: true }).click()
    await bob.page.getByRole('log').getByText('Go away!').waitFor()

    // blocked: nothing comes through any more, faces and phrases neither
    await ann.page.getByRole('button', { name: 'Block Silent Sibylle' }).click()
    await ann.page.getByText('With Silent Sibylle there is no free chat.').waitFor()
    await ann.page.locator('[data-line]', { hasText: 'Go away!' }).waitFor({ state: 'detached' })
    await ann.page.keyboard.press('Escape')
    await bob.page.getByText('Mit Chatty Charlotte gibt es keinen freien Chat.').waitFor()
    await bob.page.locator('dialog[open]').getByRole('button', { name: 'Danke!' }).click()
    await bob.page.locator('[data-said=thanks]').waitFor()
    await ann.page.getByRole('button', { name: 'Say something' }).click()
    await ann.page.locator('dialog[open]').getByRole('button', { name: 'Oops!' }).click()
    await ann.page.locator('[data-said=oops]').waitFor() // by then the other one would have come
    assert.equal(await ann.page.locator('[data-said=thanks]').count(), 0)
    await eve.page.locator('[data-said=oops]').waitFor() // who has blocked nobody hears it
    assert.ok(!(await eve.page.content()).includes('Go away!'))
    for (const one of [ann, bob, eve]) await one.done()
  },

  async 'a guest is told that free chat is for accounts, and is asked nothing'(world) {
    const ann = await person(world)
    const bob = await person(world, { size: 'phone' })
    await open(world, ann.page, [{ kind: 'me' }, { kind: 'open' }], { order: 'chosen' })
    await ann.page.getByRole('button', { name: 'QR code' }).click() // a browser lets a phone knock only when somebody has tapped
    await bob.page.goto(ann.page.url())
    await bob.page.getByRole('button', { name: 'Take a seat' }).click()
    await bob.page.locator('.board').waitFor()
    await bob.page.getByRole('button', { name: 'Say something' }).click()
    await bob.page.getByText('Free chat is for players with an account.').waitFor()
    assert.equal(await bob.page.getByRole('log').count(), 0)
    await check(bob.page, 'talk of a guest')
    // and there are no hints against another person
    await bob.page.keyboard.press('Escape')
    assert.equal(await ann.page.getByRole('button', { name: 'Hint' }).count(), 0)
    await ann.page.keyboard.press('h')
    await ann.page.getByText('This position is being played right now.').waitFor()
    for (const one of [ann, bob]) await one.done()
  },
}
