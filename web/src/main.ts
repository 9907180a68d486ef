/** The client: shows what the server sends, sends back what people choose. */

import './app.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { apply } from './lib/settings.svelte'

await apply()
mount(App, { target: document.getElementById('app')! })

if ('serviceWorker' in navigator && import.meta.env.PROD && isSecureContext) {
  void navigator.serviceWorker.register('/sw.js').catch(() => null)
}
