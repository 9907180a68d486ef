// `splendor site` in a folder of a host that knows nothing of us: Python's own, as README says.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SPLENDOR } from './server.mjs'

const beside = join(dirname(SPLENDOR), 'python')
const PYTHON = existsSync(beside) ? beside : 'python3'

/** The site at an address such as http://127.0.0.1:8000/some/folder/. */
export async function site() {
  const root = mkdtempSync(join(tmpdir(), 'splendor-site-'))
  const folder = join(root, 'some', 'folder')
  execFileSync(SPLENDOR, ['site', folder])
  const child = spawn(PYTHON, ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', root], { stdio: ['ignore', 'pipe', 'ignore'] })
  const gone = new Promise((resolve) => child.on('exit', resolve))
  let said = ''
  const port = await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said += chunk
      const found = / port (\d+)/.exec(said)
      if (found) resolve(found[1])
    })
    child.on('exit', () => reject(new Error(`the host did not start: ${said}`)))
  })
  return {
    folder,
    address: `http://127.0.0.1:${port}/some/folder/`,
    /** From now on nobody answers. */
    unplug: async () => {
      child.kill('SIGKILL')
      await gone
    },
    stop: async () => {
      child.kill('SIGKILL')
      await gone
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Puts a second version in the place of a site: its page and some scripts have other names and contents. */
export function release(folder) {
  const assets = join(folder, 'assets')
  const names = readdirSync(assets).filter((name) => /^(index|Keys)-.*\.js$/.test(name))
  const renamed = (text) => names.reduce((all, name) => all.replaceAll(name, `second-${name}`), text)
  for (const name of readdirSync(assets).filter((one) => one.endsWith('.js'))) {
    writeFileSync(join(assets, name), renamed(readFileSync(join(assets, name), 'utf8')))
  }
  for (const name of names) renameSync(join(assets, name), join(assets, `second-${name}`))
  const page = renamed(readFileSync(join(folder, 'index.html'), 'utf8')).replace('<head>', '<head><meta name="version" content="second">')
  writeFileSync(join(folder, 'index.html'), page)
  const worker = renamed(readFileSync(join(folder, 'sw.js'), 'utf8')).replace(/(index\.html",\s*"?revision"?:\s*")[0-9a-f]+/, '$1second')
  writeFileSync(join(folder, 'sw.js'), worker)
  const later = Date.now() / 1000 + 60 // the host tells seconds apart, no less
  for (const name of ['index.html', 'sw.js']) utimesSync(join(folder, name), later, later)
}
