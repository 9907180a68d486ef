// Builds the client: types and texts are checked, then it is bundled, and what a first visit loads is weighed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const ROOT = new URL('..', import.meta.url).pathname
const OUT = new URL('../../src/splendor/server/web/', import.meta.url).pathname
const BUDGET = 150 * 1000 // bytes after gzip: scripts and styles of the first load, without fonts

function run(file, ...args) {
  const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules', file), ...args], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

if (!process.argv.includes('--fast')) run('svelte-check/bin/svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings', '--output', 'machine')
run('vite/bin/vite.js', 'build', '--logLevel', 'warn')

// what the start page and then the table load, in one language
const manifest = JSON.parse(readFileSync(join(OUT, 'build.json'), 'utf8'))
const files = new Set()
function collect(name) {
  const chunk = manifest[name]
  if (!chunk || files.has(chunk.file)) return
  files.add(chunk.file)
  for (const other of chunk.imports ?? []) collect(other)
}
collect('style.css')
collect('index.html')
const home = weigh()
collect('src/i18n/en.ts')
collect('src/pages/Table.svelte')
const table = weigh()

function weigh() {
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(OUT, file))).length, 0)
}

// the service worker changes with every build
const build = createHash('sha256').update([...Object.values(manifest).map((chunk) => chunk.file)].sort().join()).digest('hex').slice(0, 12)
const worker = join(OUT, 'sw.js')
writeFileSync(worker, readFileSync(worker, 'utf8').replace('__BUILD__', build))
rmSync(join(OUT, 'build.json'))

// beside every text its compressed twins, which the server sends as they are
for (const name of readdirSync(OUT, { recursive: true })) {
  if (!/\.(js|css|html|svg|webmanifest)$/.test(name)) continue
  const plain = readFileSync(join(OUT, name))
  writeFileSync(join(OUT, `${name}.gz`), gzipSync(plain, { level: 9 }))
  writeFileSync(join(OUT, `${name}.br`), brotliCompressSync(plain))
}

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
console.log(`client built: ${kB(home)} for the start page, ${kB(table)} with the table and a language (gzip, without fonts; limit ${kB(BUDGET)})`)
if (table > BUDGET) {
  console.error('the first load is over its budget')
  process.exit(1)
}
