import assert from 'node:assert/strict'
import { look, open, person } from './people.mjs'

const fits = async (page) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the page')

export const tests = {
  async 'the waiting room: a link and its code, computers that come and go, a guest with a name and a picture seated by one tap'(world) {
    const ann = await person(world, { size: 'phone' })
    const bob = await person(world, { size: 'phone', scheme: 'dark' })
    await open(world, ann.page, [{ kind: 'me' }, { kind: 'open' }, { kind: 'open' }, { kind: 'computer', level: 'artisan' }], { order: 'chosen' })
    await ann.page.getByRole('heading', { name: '2 more players are needed' }).waitFor()
    const address = await ann.page.getByLabel('Link to this table').inputValue()
    await ann.page.getByRole('button', { name: 'QR code' }).click()
    await ann.page.getByRole('img', { name: 'QR code' }).waitFor()
    await ann.page.getByLabel('Computer for seat 3').selectOption('journeyman')
    await ann.page.getByRole('heading', { name: 'One more player is needed' }).waitFor()
    await ann.page.getByLabel('Computer for seat 4').selectOption('apprentice')
    await ann.page.getByRole('button', { name: 'Remove Apprentice' }).waitFor()
    await ann.page.getByRole('button', { name: 'Remove Journeyman' }).click()
    await ann.page.getByRole('heading', { name: '2 more players are needed' }).waitFor()
    await fits(ann.page)

    await bob.page.goto(address)
    await bob.page.getByText('invites you to a game').waitFor()
    assert.equal(await bob.page.getByLabel(/Computer for seat/).count(), 0, 'only the host says who plays')
    await bob.page.getByRole('button', { name: 'Name and picture' }).click()
    await bob.page.getByLabel('Your name').fill('Quick Quinn')
    await bob.page.getByLabel('Owl').check()
    await fits(bob.page)
    await bob.page.getByRole('button', { name: 'Take a seat' }).click() // and nothing else
    const row = ann.page.locator('li', { hasText: 'Quick Quinn' })
    await row.getByText('connected', { exact: true }).waitFor()
    assert.match(await row.locator('use').getAttribute('href'), /#owl$/)
    await bob.page.getByText('You play as Quick Quinn.').waitFor()
    await bob.page.getByRole('button', { name: 'Name and picture' }).click()
    await bob.page.getByLabel('Fox').focus()
    await bob.page.keyboard.press('ArrowRight') // by keyboard: the next one
    await bob.page.getByLabel('Owl').and(bob.page.locator(':checked')).waitFor()
    await bob.page.getByLabel('Your name').fill('Quiet Quinn')
    await bob.page.keyboard.press('Enter')
    await ann.page.getByText('Quiet Quinn').waitFor()
    await ann.page.getByLabel('Computer for seat 3').selectOption('apprentice')
    for (const one of [ann, bob]) await one.page.locator('.board').waitFor()
    assert.equal((await look(ann.page)).seats[1].player.name, 'Quiet Quinn')
    for (const one of [ann, bob]) await one.done()
  },

  async 'a game is found with somebody else; computers fill up; who goes away waits no longer; what is said is read in each one’s language'(world) {
    const ann = await person(world, { size: 'phone' })
    const bob = await person(world, { locale: 'de-DE', scheme: 'dark' })
    const find = async (page, name, players) => {
      await page.goto(`${world.base}/lobby`)
      await page.getByRole('radio', { name: String(players), exact: true }).check({ force: true })
      await page.getByRole('button', { name, exact: true }).click()
      await page.waitForURL(/\/t\//)
    }
    // two who look for the same
    await find(ann.page, 'Find a game', 2)
    await ann.page.getByText('Looking for players …').waitFor()
    await ann.page.getByText(/Computers take the free seats in/).waitFor()
    await fits(ann.page)
    await bob.page.goto(`${world.base}/lobby`)
    await bob.page.getByText('Eine Person wartet darauf.').waitFor()
    await find(bob.page, 'Spiel suchen', 2)
    for (const { page } of [ann, bob]) await page.locator('.board').waitFor()

    // faces and phrases
    const { viewer } = await look(ann.page)
    const talk = async (page, open, what) => {
      await page.getByRole('button', { name: open }).click()
      await page.locator('dialog[open]').getByRole('button', { name: what, exact: true }).click()
    }
    await talk(ann.page, 'Say something', 'Good move!')
    await bob.page.locator('[data-said=good_move]', { hasText: 'Guter Zug!' }).waitFor()
    await bob.page.locator('#spoken', { hasText: 'Guter Zug!' }).waitFor({ state: 'attached' })
    const [bubble, seat] = await Promise.all(['[data-said]', `[data-place="seat:${viewer}"]`].map((name) => bob.page.locator(name).boundingBox()))
    assert.ok(Math.abs(bubble.x + bubble.width / 2 - seat.x - seat.width / 2) < 60 + seat.width / 2, 'it is said at the seat')
    await talk(bob.page, 'Etwas sagen', 'jubelt')
    await ann.page.locator('[data-said=cheer] svg').waitFor()
    await ann.page.locator('[data-said=cheer]').waitFor({ state: 'detached' })
    await ann.page.getByRole('button', { name: 'Say something' }).click()
    await ann.page.getByLabel(/^Do not hear/).check()
    await ann.page.keyboard.press('Escape')
    await talk(bob.page, 'Etwas sagen', 'Danke!')
    await bob.page.locator('[data-said=thanks]').waitFor()
    await talk(ann.page, 'Say something', 'Oops!')
    await bob.page.locator('[data-said=oops]').waitFor() // by then the other one had come
    assert.equal(await ann.page.locator('[data-said=thanks]').count(), 0, 'muted')

    // alone: with computers at once; and who leaves the page waits no longer
    await find(ann.page, 'Find a game', 4)
    await ann.page.getByRole('button', { name: 'Play with computers now' }).click()
    await ann.page.locator('.board').waitFor()
    assert.deepEqual((await look(ann.page)).seats.map((one) => one.kind).sort(), ['computer', 'computer', 'computer', 'person'])
    await find(ann.page, 'Find a game', 3)
    await ann.page.getByText('Looking for players …').waitFor()
    const left = ann.page.url()
    await ann.page.goto(`${world.base}/rules`)
    await bob.page.goto(left)
    await bob.page.getByText('Dieser Tisch wurde geschlossen.').waitFor()
    await find(bob.page, 'Spiel suchen', 3)
    await bob.page.getByRole('button', { name: 'Suche beenden' }).click()
    await bob.page.waitForURL(`${world.base}/`)
    for (const one of [ann, bob]) await one.done()
  },
}
