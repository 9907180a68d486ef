import assert from 'node:assert/strict'
import { person } from './people.mjs'

const PASSWORD = 'correct horse battery'

async function register(world, page, name) {
  await page.goto(`${world.base}/settings`)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText(`Signed in as ${name}.`).waitFor()
}

export const tests = {
  async 'two browsers of one account: one ends the other'(world) {
    const first = await person(world)
    const second = await person(world, { size: 'phone' })
    await register(world, first.page, 'Session Sam')
    await second.page.goto(`${world.base}/settings`)
    await second.page.getByLabel('Name').fill('Session Sam')
    await second.page.getByLabel('Password').fill(PASSWORD)
    await second.page.getByRole('button', { name: 'Sign in' }).click()
    await second.page.getByText('Signed in as Session Sam.').waitFor()
    await first.page.reload()
    const rows = first.page.locator('li', { hasText: /Chrom/ })
    await rows.nth(1).waitFor()
    await first.page.getByText('this browser', { exact: true }).waitFor()
    await rows.getByRole('button', { name: 'End' }).click()
    await rows.nth(1).waitFor({ state: 'detached' })
    await second.page.reload()
    await second.page.getByRole('button', { name: 'Sign in' }).waitFor()
    for (const one of [first, second]) await one.done()
  },

  async 'a token for a program: made with scopes, shown once, used, revoked'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    await register(world, page, 'Token Tess')
    await page.getByLabel('Name of the token').fill('my bot')
    await page.getByLabel('open tables').check()
    await page.getByLabel('play at them').uncheck()
    await page.getByLabel('Valid for').selectOption('30')
    await page.getByRole('button', { name: 'Make a token' }).click()
    const secret = await page.getByLabel('The token', { exact: true }).inputValue()
    const asked = async () => fetch(`${world.base}/api/me`, { headers: { Authorization: `Bearer ${secret}` } })
    const me = await (await asked()).json()
    assert.equal(me.person.name, 'Token Tess')
    assert.deepEqual([...me.scopes].sort(), ['create', 'read'])
    await page.reload()
    const row = page.locator('li', { hasText: 'my bot' })
    await row.getByText('see your tables and open tables').waitFor()
    assert.equal(await page.getByLabel('The token', { exact: true }).count(), 0, 'it is shown once')
    assert.ok(!(await page.content()).includes(secret))
    await row.getByRole('button', { name: 'Revoke my bot' }).click()
    await row.waitFor({ state: 'detached' })
    assert.equal((await asked()).status, 401)
    await done()
  },

  async 'somebody is invited by name, finds the table on the start page and takes the seat'(world) {
    const ann = await person(world)
    const bob = await person(world, { size: 'phone' })
    await register(world, bob.page, 'Invited Ingrid')
    await ann.page.goto(`${world.base}/new`)
    const seat = ann.page.locator('fieldset.seat').nth(1)
    await seat.locator('select').first().selectOption('invited')
    await seat.getByLabel('Name of the player').fill('Nobody of that name')
    await ann.page.getByRole('button', { name: 'Open the table' }).click()
    await ann.page.getByText('There is no player of that name.').waitFor()
    await seat.getByLabel('Name of the player').fill('Invited Ingrid')
    await ann.page.getByRole('button', { name: 'Open the table' }).click()
    await ann.page.locator('li', { hasText: 'Invited Ingrid' }).getByText('invited', { exact: true }).waitFor()
    await bob.page.goto(world.base)
    await bob.page.getByRole('link', { name: /You are invited/ }).click()
    await bob.page.getByRole('button', { name: 'Take a seat' }).click()
    for (const one of [ann, bob]) await one.page.locator('.board').waitFor()
    for (const one of [ann, bob]) await one.done()
  },
}
