// A real Chromium for the tests: the one from npm, or another one named in CHROMIUM.
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

async function options(more = []) {
  let path = process.env.CHROMIUM
  let args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb', ...more]
  if (!path || !existsSync(path)) {
    const packed = (await import('@sparticuz/chromium')).default
    path = await packed.executablePath()
    args = [...args, '--headless=new']
  }
  return { executablePath: path, args, headless: true }
}

export const launch = async () => chromium.launch(await options())

/** A browser with one profile, kept in a folder. */
export const launchOwn = async (folder, more) => chromium.launchPersistentContext(folder, await options(more))

export const SIZES = {
  phone: { width: 360, height: 740 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1280, height: 800 },
}
