/** A finished game inside of another page: it is shown and nothing else, so that this page has no account and no links of its own. */

import './app.css'
import { mount } from 'svelte'
import { apply } from './lib/settings.svelte'
import Embed from './pages/Embed.svelte'

await apply()
mount(Embed, { target: document.getElementById('app')!, props: { id: location.pathname.split('/')[2] ?? '' } })
