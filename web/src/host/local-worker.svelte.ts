/** Hires a worker of this browser as the host of a game. */

import type { Person } from '../api/messages'
import { HERE } from '../local/log'
import type { Open, ToHost } from '../local/protocol'
import { engineFolder } from '../lib/place'
import { session } from '../lib/session.svelte'
import { pace } from '../lib/settings.svelte'
import { wishes } from './local-id'

const PAUSE = 0.6 // seconds that a computer's move takes at least, so that one can follow

const nobody: Person = { id: HERE, name: null, guest: null, is_computer: false, level: null, avatar: null }

/** `how`: to play; by force, also if another tab has the game; or only to read it. */
export function hire(id: string, how: Open['how']): Worker {
  const worker = new Worker(new URL('../local/host.worker.ts', import.meta.url), { type: 'module' })
  const open: Open = {
    type: 'open',
    id,
    engine: engineFolder(),
    me: session.me ? ($state.snapshot(session.me.person) as Person) : nobody,
    pause: PAUSE * pace(),
    wish: wishes.get(id) ?? null,
    how,
  }
  worker.postMessage(open satisfies ToHost)
  return worker
}
