// The real server, with a database of its own that is thrown away.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const SPLENDOR = process.env.SPLENDOR ?? new URL('../../.venv/bin/splendor', import.meta.url).pathname

export async function serve(environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'splendor-e2e-'))
  const child = spawn(SPLENDOR, ['serve', '--port', '0'], {
    env: {
      ...process.env,
      SPLENDOR_DATABASE: `sqlite:///${join(folder, 'test.db')}`,
      SPLENDOR_LIMITS: '0',
      SPLENDOR_COMPUTER_PAUSE: '0',
      SPLENDOR_REVIEWS: 'false', // only those that a test asks for
      SPLENDOR_GRACE: '2', // seconds until someone counts as away
      SPLENDOR_ABSENCE: '3', // and until the others may decide
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const base = await new Promise((resolve, reject) => {
    const hear = (chunk) => {
      said += chunk
      const address = /https?:\/\/[\d.]+:\d+/.exec(said)
      if (address) resolve(address[0])
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}:\n${said}`)))
    setTimeout(() => reject(new Error(`the server did not start:\n${said}`)), 120_000)
  })
  for (let tries = 0; ; tries++) {
    const well = await fetch(`${base}/healthz`).then((reply) => reply.ok, () => false)
    if (well) break
    if (tries > 600) throw new Error(`the server does not answer:\n${said}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return {
    base,
    stop: async () => {
      child.removeAllListeners('exit')
      const gone = new Promise((resolve) => child.on('exit', resolve))
      child.kill('SIGTERM')
      await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 8000))])
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
