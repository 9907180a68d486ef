// The examples of docs/browser.md, as they stand there: a page in a real browser, and a program for Node.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { launch } from './browser.mjs'

const BUILT = new URL('../../src/splendor/wasm/built/', import.meta.url).pathname
const PAGE = readFileSync(new URL('../../docs/browser.md', import.meta.url), 'utf8')
const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' }
const example = (language) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(PAGE)[1]

/** A folder with the engine and the examples, served below a path like any static site; `spoil` may damage a file. */
async function withSite(use, spoil = (name, bytes) => bytes) {
  const folder = mkdtempSync(join(tmpdir(), 'splendor-engine-'))
  cpSync(BUILT, folder, { recursive: true })
  writeFileSync(join(folder, 'index.html'), example('html'))
  writeFileSync(join(folder, 'example.mjs'), example('js'))
  const server = createServer((request, reply) => {
    const name = new URL(request.url, 'http://site').pathname.replace(/^\/some\/folder\//, '') || 'index.html'
    if (!existsSync(join(folder, name))) return void reply.writeHead(404).end() // a browser asks for more than there is
    reply.setHeader('Content-Type', KINDS[extname(name)] ?? 'application/octet-stream')
    reply.end(spoil(name, readFileSync(join(folder, name))))
  }).listen(0)
  try {
    await use(folder, `http://127.0.0.1:${server.address().port}/some/folder/`)
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What `load` says in a page: what it is able to do, or why it did not load. */
async function loaded(address, options, init = () => {}) {
  const browser = await launch()
  try {
    const page = await browser.newPage()
    await page.addInitScript(init)
    await page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
    await page.goto(`${address}blank`)
    return await page.evaluate(async ([file, wish]) => {
      const { load } = await import(file)
      try {
        const splendor = await load(wish)
        const game = splendor.deal({ players: 2, seed: 1 })
        return { moves: game.legalMoves.length, hasNetwork: splendor.hasNetwork }
      } catch (problem) {
        return { reason: problem.reason, sentence: problem.message }
      }
    }, [`${address}engine.js`, options])
  } finally {
    await browser.close()
  }
}

export const tests = {
  async 'a file that came damaged or by half is loaded once more, and then a sentence says so'() {
    const asked = []
    const once = (name, bytes) => {
      asked.push(name)
      const isFirst = asked.filter((other) => other === name).length === 1
      return name === 'network.bin' && isFirst ? bytes.subarray(0, 1_000_000) : bytes
    }
    await withSite(async (_, address) => {
      assert.deepEqual(await loaded(address, { network: true }), { moves: 30, hasNetwork: true })
      assert.equal(asked.filter((name) => name === 'network.bin').length, 2)
    }, once)
    const always = (name, bytes) => (name === 'rules.wasm' ? bytes.map((byte, at) => (at === 5000 ? byte ^ 1 : byte)) : bytes)
    await withSite(async (_, address) => {
      const { reason, sentence } = await loaded(address, {})
      assert.equal(reason, 'damaged')
      assert.equal(sentence, 'rules.wasm is damaged, was loaded by half, or is of another version: load it again')
    }, always)
  },

  async 'without SIMD the network is refused in a sentence, and the rules run'() {
    const old = () => {
      WebAssembly.validate = () => false
    }
    await withSite(async (_, address) => {
      const { reason, sentence } = await loaded(address, { network: true }, old)
      assert.equal(reason, 'no_simd')
      assert.match(sentence, /needs WebAssembly SIMD; rules, search and greedy run without it/)
      assert.deepEqual(await loaded(address, {}, old), { moves: 30, hasNetwork: false })
    })
  },

  async 'the example page plays a whole game without a server of ours, in at most thirty lines'() {
    assert.ok(example('html').trim().split('\n').length <= 30)
    await withSite(async (_, address) => {
      const browser = await launch()
      try {
        const page = await browser.newPage()
        const problems = []
        page.on('pageerror', (error) => problems.push(String(error)))
        await page.goto(address)
        await page.waitForFunction(() => document.getElementById('moves').textContent.includes(' won, points '), null, { timeout: 120_000 })
        assert.deepEqual(problems, [])
      } finally {
        await browser.close()
      }
    })
  },

  async 'the types beside the engine fit the example, and find what is wrong'() {
    const compiler = new URL('../node_modules/typescript/bin/tsc', import.meta.url).pathname
    const compile = (folder, program) => {
      writeFileSync(join(folder, 'typed.mts'), program)
      return spawnSync(process.execPath, [compiler, '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom', 'typed.mts'], { cwd: folder, encoding: 'utf8' }).stdout
    }
    await withSite((folder) => {
      assert.equal(compile(folder, example('js')), '')
      assert.match(compile(folder, example('js').replace('players: 3', "players: 'three'")), /'string' is not assignable to type 'number'/)
    })
  },

  async 'the example for Node thinks and says how far it is'() {
    await withSite((folder) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'example.mjs')], { encoding: 'utf8' })
      assert.equal(status, 0, stderr)
      const lines = stdout.trim().split('\n')
      for (const line of lines.slice(0, -3)) assert.match(line, /^\d+ \S+$/)
      for (const line of lines.slice(-3)) assert.match(line, /^\S+ \d+ 0\.\d{3}$/)
      assert.ok(lines.length > 3)
    })
  },
}
