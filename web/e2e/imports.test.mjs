// Games of this browser that an account keeps.
import assert from 'node:assert/strict'
import { register } from './accounts.test.mjs'
import { hurry, person, settled } from './people.mjs'

async function finish(world, page) {
  await page.goto(world.base)
  await page.getByLabel('Computer').selectOption('apprentice')
  await page.getByRole('button', { name: 'Play now' }).click()
  await page.locator('.board').waitFor()
  assert.match(page.url(), /\/t\/local-/)
  await settled(page)
  await hurry(page, 400)
  await page.locator('dialog[open] tbody').waitFor()
}

export const tests = {
  async 'a game of this browser is kept in the account: from its end, one by one, all at once; looked at elsewhere, and removed'(world) {
    const { page, done } = await person(world, { computers: 'here', serviceWorkers: 'block' })
    await finish(world, page)
    assert.equal(await page.getByRole('button', { name: 'Keep in my account' }).count(), 0, 'a guest has none')
    await page.goto(`${world.base}/archive`)
    await page.getByRole('button', { name: 'In this browser' }).click()
    await page.getByText('With an account you can keep these games there as well.').waitFor()
    await register(world, page, 'Keeping Kim')
    for (let n = 0; n < 2; n++) await finish(world, page)
    await page.getByRole('button', { name: 'Keep in my account' }).click()
    await page.locator('dialog[open]').getByRole('link', { name: 'Kept in your account' }).click()
    await page.getByText('not played here, unrated').waitFor()

    await page.getByRole('button', { name: 'In this browser' }).click()
    await page.getByText('Kept in your account').waitFor()
    await page.getByRole('button', { name: 'Keep all 2 in my account' }).click()
    await page.getByText('2 of 2 are in your account now.').first().waitFor()
    assert.equal(await page.locator('.deeds').getByText('Kept in your account').count(), 3)

    const phone = await person(world, { size: 'phone' })
    const other = phone.page
    await other.goto(`${world.base}/settings`)
    await other.getByLabel('Name').fill('Keeping Kim')
    await other.getByLabel('Password').fill('correct horse battery')
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByText('Signed in as Keeping Kim.').waitFor()
    await other.goto(`${world.base}/archive`)
    await other.getByRole('button', { name: 'Played elsewhere' }).click()
    const games = other.locator('li.kept')
    await games.nth(2).waitFor()
    await games.first().getByRole('link').click()
    await other.locator('.board').waitFor()
    await other.getByRole('button', { name: 'One step on' }).click()
    assert.match(other.url(), /imported=[\w-]{22}&step=1$/)
    await other.reload()
    await other.locator('.board').waitFor()
    await other.goto(`${world.base}/archive?whose=imported`)
    await games.first().getByRole('button', { name: /^Remove the game/ }).click()
    await games.nth(2).waitFor({ state: 'detached' })
    assert.equal(await games.count(), 2)
    assert.equal((await (await other.request.get(`${world.base}/api/games?player=Keeping Kim`)).json()).games.length, 0)
    await phone.done()
    await done()
  },
}
