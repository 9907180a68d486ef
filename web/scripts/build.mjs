// Builds the client and the engine: types and texts are checked, then both are bundled, and a first visit is weighed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { writeDrawings } from './drawings.mjs'

const ROOT = new URL('..', import.meta.url).pathname
const OUT = new URL('../../src/splendor/server/web/', import.meta.url).pathname
const ENGINE = new URL('../../src/splendor/wasm/built/', import.meta.url).pathname
const ENGINE_FILES = ['rules.wasm', 'network.wasm', 'network.bin']
const BUDGET = { home: 60_000, table: 100_000 } // bytes after gzip: scripts and styles of the first load, without fonts

function run(file, ...args) {
  const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules', file), ...args], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

if (!process.argv.includes('--fast')) run('svelte-check/bin/svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings', '--output', 'machine')

// who loads the engine compares it with what it was when this was built
const digest = (folder, name) => createHash('sha256').update(readFileSync(join(folder, name))).digest('hex')
const ofEngine = (what) => JSON.stringify(Object.fromEntries(ENGINE_FILES.map((name) => [name, what(name)])))
if (ENGINE_FILES.every((name) => existsSync(join(ENGINE, name)))) {
  process.env.ENGINE_DIGESTS = ofEngine((name) => digest(ENGINE, name))
  process.env.ENGINE_BYTES = ofEngine((name) => statSync(join(ENGINE, name)).size)
  process.env.ENGINE_ADDRESSES = JSON.stringify(ENGINE_FILES.map((name) => `${name}?${digest(ENGINE, name).slice(0, 16)}`))
}
run('vite/bin/vite.js', 'build', '--logLevel', 'warn')
run('vite/bin/vite.js', 'build', '--config', 'engine/vite.config.ts', '--logLevel', 'warn')
const types = await rollup({ input: join(ROOT, 'engine/index.ts'), plugins: [dts({ tsconfig: join(ROOT, 'engine/tsconfig.json') })] })
await types.write({ file: join(ENGINE, 'engine.d.ts') })

// what the start page and then the table load, in one language
const manifest = JSON.parse(readFileSync(join(OUT, 'build.json'), 'utf8'))
const files = new Set()
function collect(name) {
  const chunk = manifest[name] ?? Object.values(manifest).find((one) => one.name === basename(name, '.svelte')) // shared ones
  if (!chunk) throw new Error(`${name} is in no file of the client: a first visit cannot be weighed`)
  if (files.has(chunk.file)) return
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
  for (const other of chunk.imports ?? []) collect(other)
}
collect('index.html')
const home = weigh()
collect('src/i18n/en.ts')
collect('src/pages/Table.svelte')
const table = weigh()

function weigh() {
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(OUT, file))).length, 0)
}

// the service worker knows all files of the client but what only a server needs; a name with a hash never changes
rmSync(join(OUT, 'build.json'))
const shell = readdirSync(OUT, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  .map((file) => relative(OUT, join(file.parentPath, file.name)).replaceAll('\\', '/')).filter((name) => !/^(embed\.html|pictures\/)/.test(name)).sort()
process.env.SHELL_FILES = JSON.stringify(shell.map((url) => ({ url, revision: url.startsWith('assets/') ? null : digest(OUT, url) })))
run('vite/bin/vite.js', 'build', '--config', 'service/vite.config.ts', '--logLevel', 'warn')

await writeDrawings(OUT) // for the server: no page loads them

// beside every file that can be made smaller its compressed twins, which the server sends as they are
for (const folder of [OUT, ENGINE]) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(js|css|html|svg|webmanifest|wasm|bin)$/.test(name)) continue
    const plain = readFileSync(join(folder, name))
    const quality = plain.length < 1_000_000 ? constants.BROTLI_MAX_QUALITY : 9 // for the weights: 4 % more, in no time
    writeFileSync(join(folder, `${name}.gz`), gzipSync(plain, { level: 9 }))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }))
  }
}

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
console.log(`client built: ${kB(home)} for the start page, ${kB(table)} with the table and a language (gzip, without fonts; limits ${kB(BUDGET.home)} and ${kB(BUDGET.table)})`)
if (home > BUDGET.home || table > BUDGET.table) {
  console.error('the first load is over its budget')
  process.exit(1)
}
