import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { hurry, open, person, tableId } from './people.mjs'

/** A page of another site with a frame in it. */
async function elsewhere(address) {
  const site = createServer((_, reply) => reply.end(`<!doctype html><html lang="en"><title>A blog</title><iframe src="${address}" width="800" height="600" title="a game"></iframe></html>`))
  await new Promise((ready) => site.listen(0, 'localhost', ready))
  return { address: `http://localhost:${site.address().port}/`, stop: () => new Promise((done) => site.close(done)) }
}

export const tests = {
  async 'a finished game is shown inside of the page of another site, step by step, and no other page of ours is'(world) {
    const { page, done } = await person(world)
    await open(world, page, [{ kind: 'me' }, { kind: 'computer', level: 'apprentice' }], { public: true })
    await page.locator('.board').waitFor()
    await hurry(page, 400)
    const id = tableId(page)
    const site = await elsewhere(`${world.base}/embed/${id}`)
    await page.goto(site.address)
    const frame = page.frameLocator('iframe')
    await frame.locator('.board').waitFor()
    const [wide, has] = await frame.locator('html').evaluate((html) => [html.scrollWidth, html.clientWidth])
    assert.ok(wide <= has, `the viewer is ${wide} wide in a frame of ${has}`)
    const at = frame.locator('.at')
    const before = await at.textContent()
    await frame.getByRole('button', { name: 'One step on' }).click()
    assert.match(before, /^0 \//)
    await frame.getByText(/^1 \//).waitFor()
    await frame.locator('body').press('End')
    await frame.getByRole('slider').waitFor()
    const link = frame.getByRole('link', { name: 'Open the whole game' })
    assert.equal(await link.getAttribute('target'), '_blank')
    assert.match(await link.getAttribute('href'), new RegExp(`/replay/${id}`))
    await site.stop()
    await done()
  },
}
