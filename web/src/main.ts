/** The client: shows what the server sends, sends back what people choose. */

import './app.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { pathIn } from './lib/place'
import { apply } from './lib/settings.svelte'

if (pathIn(location).startsWith('/t/')) void import('./pages/Table.svelte') // while the language is on its way
await apply()
mount(App, { target: document.getElementById('app')! })

if ('serviceWorker' in navigator && import.meta.env.PROD && isSecureContext) {
  const start = (): void => void import('./offline/worker').then(({ startWorker }) => startWorker()).catch(() => null)
  if (document.readyState === 'complete') start()
  else addEventListener('load', start) // what this page needs comes first
}
