/** Has the service worker started, and a new one take over when nobody needs the old. */

import { BASE } from '../lib/place'

export async function startWorker(): Promise<void> {
  const registration = await navigator.serviceWorker.register(`${BASE}sw.js`)
  // which version this page is: a worker of the same one may take over at once if there is no other page
  const script = document.querySelector<HTMLScriptElement>('script[type=module]')!.src
  const tell = (): void => registration.waiting?.postMessage(script)
  tell()
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', tell))
}
