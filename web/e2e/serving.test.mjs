import assert from 'node:assert/strict'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** What really goes over the line; `fetch` would unpack it. */
const ask = (address, headers = {}) =>
  new Promise((resolve, reject) => {
    request(address, { headers }, (reply) => {
      const parts = []
      reply.on('data', (part) => parts.push(part))
      reply.on('end', () => resolve({ status: reply.statusCode, headers: reply.headers, body: Buffer.concat(parts) }))
    })
      .on('error', reject)
      .end()
  })

const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync }

export const tests = {
  async 'the files of the client come compressed, are kept for ever by their hash, and cost nothing when asked again'(world) {
    const page = await ask(world.base)
    const script = `${world.base}${/src="(\/assets\/[^"]+\.js)"/.exec(page.body)[1]}`
    for (const [address, caching] of [[world.base, 'no-cache'], [script, 'public, max-age=31536000, immutable'], [`${world.base}/sw.js`, 'no-cache']]) {
      const plain = await ask(address)
      assert.equal(plain.headers['content-encoding'], undefined)
      const tags = new Set([plain.headers.etag])
      for (const [header, encoding] of [['gzip, deflate, br, zstd', 'br'], ['gzip, deflate', 'gzip'], ['br;q=0, gzip;q=0.5', 'gzip']]) {
        const packed = await ask(address, { 'Accept-Encoding': header })
        assert.equal(packed.headers['content-encoding'], encoding)
        assert.equal(packed.headers.vary, 'accept-encoding')
        assert.equal(packed.headers['cache-control'], caching)
        assert.equal(packed.headers['content-type'], plain.headers['content-type'])
        assert.equal(Number(packed.headers['content-length']), packed.body.length)
        assert.ok(packed.body.length < plain.body.length)
        assert.deepEqual(UNPACK[encoding](packed.body), plain.body)
        tags.add(packed.headers.etag)
        const again = await ask(address, { 'Accept-Encoding': header, 'If-None-Match': packed.headers.etag })
        assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, packed.headers.etag])
      }
      assert.equal(tags.size, 3, 'each form has a tag of its own')
    }
    for (const ending of ['br', 'gz']) assert.equal((await ask(`${script}.${ending}`)).status, 404)
  },

  async 'the engine for browsers lies beside the client, compressed'(world) {
    for (const [name, kind] of [['rules.wasm', 'application/wasm'], ['network.wasm', 'application/wasm'], ['network.bin', 'application/octet-stream'], ['engine.js', 'text/javascript']]) {
      const plain = await ask(`${world.base}/engine/${name}`)
      const packed = await ask(`${world.base}/engine/${name}?0123456789abcdef`, { 'Accept-Encoding': 'br' })
      assert.equal(plain.headers['content-type'].split(';')[0], kind)
      assert.ok(packed.body.length < 0.95 * plain.body.length)
      assert.deepEqual(brotliDecompressSync(packed.body), plain.body)
    }
    assert.equal((await ask(`${world.base}/engine/sources`)).status, 404)
  },

  async 'long answers of the interface come compressed to those who can read that'(world) {
    const address = `${world.base}/api/catalogue`
    const plain = await ask(address)
    const packed = await ask(address, { 'Accept-Encoding': 'gzip, br' })
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(packed.headers['content-encoding'], 'gzip')
    for (const { headers } of [plain, packed]) assert.equal(headers.vary, 'accept-encoding')
    assert.equal(Number(packed.headers['content-length']), packed.body.length)
    assert.ok(packed.body.length < plain.body.length / 3)
    assert.deepEqual(JSON.parse(gunzipSync(packed.body)), JSON.parse(plain.body))
    const short = await ask(`${world.base}/api/people/computer:apprentice`, { 'Accept-Encoding': 'gzip' })
    assert.equal(short.status, 200)
    assert.equal(short.headers['content-encoding'], undefined)
  },
}
