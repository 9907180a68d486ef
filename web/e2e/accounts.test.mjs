import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { open, person, tableId } from './people.mjs'

const PASSWORD = 'correct horse battery'

export async function register(world, page, name) {
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

  async 'an invitation is declined, and who invites is blocked'(world) {
    const ann = await person(world)
    const bob = await person(world, { size: 'phone' })
    await register(world, bob.page, 'Busy Bob')
    const wish = [{ kind: 'me' }, { kind: 'invited', name: 'Busy Bob' }]
    await open(world, ann.page, wish)
    await open(world, ann.page, wish)
    await bob.page.goto(world.base)
    await bob.page.getByRole('button', { name: /Decline the invitation/ }).first().click()
    await bob.page.getByRole('button', { name: /^Block/ }).nth(1).waitFor({ state: 'detached' })
    await bob.page.getByRole('button', { name: /^Block/ }).click()
    await bob.page.getByText('can invite you no more').waitFor()
    await bob.page.getByRole('link', { name: /You are invited/ }).waitFor({ state: 'detached' })
    await bob.page.goto(`${world.base}/settings`)
    await bob.page.getByText('Blocked players').waitFor()
    await bob.page.getByRole('button', { name: /^Unblock/ }).click()
    await bob.page.getByText('Blocked players').waitFor({ state: 'detached' })
    for (const one of [ann, bob]) await one.done()
  },

  async 'recovery codes are made, and one of them sets a new password'(world) {
    const first = await person(world)
    await register(world, first.page, 'Forgetful Finn')
    await first.page.getByRole('button', { name: 'Make new codes' }).click()
    const code = await first.page.locator('.codes code').first().innerText()
    assert.match(code, /^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
    await first.page.getByText('8 codes are left').waitFor()
    const second = await person(world, { size: 'phone' })
    await second.page.goto(`${world.base}/settings`)
    await second.page.getByRole('button', { name: 'Password forgotten?' }).click()
    await second.page.getByLabel('Name').fill('Forgetful Finn')
    await second.page.getByLabel('Recovery code').fill(code)
    await second.page.getByLabel('New password').fill('a much better one')
    await second.page.getByRole('button', { name: 'Set the new password' }).click()
    await second.page.getByText('Signed in as Forgetful Finn.').waitFor()
    await second.page.getByText('7 codes are left').waitFor()
    for (const one of [first, second]) await one.done()
  },

  async 'all data is downloaded, and the account deleted'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    await register(world, page, 'Leaving Lea')
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()])
    assert.equal(JSON.parse(readFileSync(await download.path(), 'utf8')).person.name, 'Leaving Lea')
    await page.getByRole('button', { name: 'Delete the account' }).click()
    await page.getByRole('button', { name: 'Delete for ever' }).click()
    await page.getByRole('button', { name: 'Create account' }).waitFor()
    assert.equal((await fetch(`${world.base}/api/people/Leaving%20Lea`)).status, 422)
    await done()
  },

  async 'the browser proves a deal by itself, and finds out what it did not promise'(world) {
    const ann = await person(world)
    const bob = await person(world, { size: 'phone' })
    await ann.page.goto(world.base)
    await ann.page.locator('button.way').first().click()
    await ann.page.waitForURL(/\/t\//)
    const id = tableId(ann.page)
    await bob.page.goto(`${world.base}/t/${id}`)
    await bob.page.getByRole('button', { name: 'Take a seat' }).click()
    for (const one of [ann, bob]) await one.page.locator('.board').waitFor()
    await ann.page.evaluate(async (table) => {
      const body = { type: 'resign', key: crypto.randomUUID() }
      await fetch(`/api/tables/${table}/commands`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
    }, id)
    const asked = []
    bob.page.on('request', (request) => { if (request.url().includes('verify')) asked.push(request.url()) })
    const check = async (one) => {
      await one.page.goto(`${world.base}/replay/${id}`)
      await one.page.getByRole('button', { name: 'More' }).click()
      await one.page.getByRole('button', { name: 'Check the shuffle' }).click()
    }
    for (const one of [ann, bob]) {
      await check(one)
      await one.page.getByText('The deal follows from the secrets in the record.').waitFor()
      await one.page.getByText(/This browser took part/).waitFor()
    }
    assert.deepEqual(asked, [], 'the server is not asked')
    await bob.page.evaluate((table) => {
      const all = JSON.parse(localStorage.getItem('splendor.promises'))
      all[table].commits[0] = 'ab'.repeat(32) // as if the other had promised something else then
      localStorage.setItem('splendor.promises', JSON.stringify(all))
    }, id)
    await check(bob)
    await bob.page.getByText(/is not the one that stood when this browser gave its number/).waitFor()
    for (const one of [ann, bob]) await one.done()
  },
}
