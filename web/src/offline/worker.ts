/** Has the service worker started, and a new one take over when nobody needs the old. */

import { BASE } from '../lib/place'

const QUIET = 2000 // milliseconds in which nothing came

export async function startWorker(): Promise<void> {
  const registration: ServiceWorkerRegistration | undefined = await navigator.serviceWorker.register(`${BASE}sw.js`)
  if (!registration) return // there is none where service workers are blocked
  // which version this page is: a worker of the same one may take over at once if there is no other page
  const script = document.querySelector<HTMLScriptElement>('script[type=module]')!.src
  const tell = (): void => void quiet().then(() => registration.waiting?.postMessage(script))
  tell()
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', tell))
}

/**
 * Waits until everything that this page asked for has come. What is asked for while a worker takes over starts the old
 * one again, which then stays for minutes, or is lost.
 */
async function quiet(): Promise<void> {
  await new Promise<void>((resolve) => {
    let timer = setTimeout(resolve, QUIET)
    const observer = new PerformanceObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        observer.disconnect()
        resolve()
      }, QUIET)
    })
    observer.observe({ type: 'resource' })
  })
  await document.fonts.ready
}
