// A real Chromium for the tests: the one named in CHROMIUM, else one that is installed, else the small one from npm.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
const WHOLE = process.env.CHROMIUM || INSTALLED

/** The small one cannot record what the browser does, which Lighthouse needs for all but accessibility. */
export const isWhole = WHOLE !== undefined

async function options() {
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb']
  if (WHOLE) return { executablePath: WHOLE, args }
  const packed = (await import('@sparticuz/chromium')).default
  return { executablePath: await packed.executablePath(), args: [...args, '--headless=new'] }
}

export const launch = async () => chromium.launch({ ...(await options()), headless: true })

/** A browser that listens on a port, for tools that steer it themselves. */
export async function listen() {
  const folder = mkdtempSync(join(tmpdir(), 'splendor-browser-'))
  const { executablePath, args } = await options()
  const child = spawn(executablePath, [...args, '--headless=new', '--no-first-run', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'], { stdio: 'ignore' })
  const gone = new Promise((resolve) => child.on('exit', resolve))
  const note = join(folder, 'DevToolsActivePort') // written when it listens
  for (let tries = 0; !existsSync(note) || !readFileSync(note, 'utf8').includes('\n'); tries++) {
    if (tries > 600 || child.exitCode !== null) throw new Error('the browser did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    port: Number(readFileSync(note, 'utf8').split('\n')[0]),
    stop: async () => {
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export const SIZES = {
  phone: { width: 360, height: 740 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1280, height: 800 },
}
