/** The client: shows what the server sends, sends back what people choose. */

import './app.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { apply } from './lib/settings.svelte'

if (location.pathname.startsWith('/t/')) void import('./pages/Table.svelte') // while the language is on its way
await apply()
mount(App, { target: document.getElementById('app')! })

if ('serviceWorker' in navigator && import.meta.env.PROD && isSecureContext) {
  void navigator.serviceWorker.register('/sw.js').catch(() => null)
}
