import assert from 'node:assert/strict'
import { atTable, hurry, open, person } from './people.mjs'

/** Nothing is wider than the screen. */
async function fits(page) {
  const [wide, has] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.ok(wide <= has, `${page.url()} is ${wide} wide on a screen of ${has}`)
}

export const tests = {
  async 'a guest plays and finds the own profile; the leaderboard knows how strong computers are, and so does the start page'(world) {
    const { page, done } = await person(world, { size: 'phone' })
    await page.goto(world.base)
    await page.getByText('Strength 1200.').waitFor()
    await page.goto(`${world.base}/leaderboard`)
    const strength = page.locator('.strength tbody tr')
    await strength.nth(4).waitFor()
    assert.match(await strength.first().textContent(), /Grandmaster.*1940.*77%.*Master/s)
    await page.getByRole('button', { name: '4 players' }).click()
    await page.getByText('1640').waitFor()
    await page.getByRole('button', { name: 'Against computers' }).click()
    await fits(page)

    await atTable(world, page) // who has never played is nobody
    for (const players of [2, 3]) {
      await open(world, page, [{ kind: 'me' }, ...['apprentice', 'journeyman'].slice(0, players - 1).map((level) => ({ kind: 'computer', level }))])
      await page.locator('.board').waitFor()
      await hurry(page, 400)
    }
    await page.goto(`${world.base}/settings`)
    await page.getByRole('link', { name: 'Your profile' }).click()
    await page.getByRole('heading', { name: 'By opponent' }).waitFor()
    await page.getByRole('cell', { name: 'Apprentice' }).waitFor()
    await page.locator('.cards .card').first().waitFor()
    await page.getByRole('button', { name: 'Against computers, 3 players' }).click()
    await page.getByText('As a table').click()
    assert.equal(await page.locator('details tbody tr').count(), 1)
    await fits(page)
    await done()
  },

  async 'who only plays against computers in the page has a profile too, which stays in this browser'(world) {
    const { page, done } = await person(world, { size: 'phone', computers: 'here' })
    await atTable(world, page)
    assert.match(page.url(), /\/t\/local-/)
    await hurry(page, 400)
    await page.locator('dialog[open] tbody').waitFor()
    await page.goto(`${world.base}/settings`)
    const asked = []
    page.on('request', (request) => { if (/api\/people/.test(request.url())) asked.push(request.url()) })
    await page.getByRole('link', { name: 'Your profile' }).click()
    await page.getByRole('heading', { name: 'Your games in this browser' }).waitFor()
    await page.getByRole('heading', { name: 'By opponent' }).waitFor()
    await page.getByRole('cell', { name: '2 players' }).waitFor()
    await page.locator('.cards .card').first().waitFor()
    await fits(page)
    assert.deepEqual(asked, [], 'the server is not asked')
    await done()
  },
}
