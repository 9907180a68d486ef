/** What one looks for: kept for the tab, so that the waiting room can ask again; and the word that a game begins. */

import type { Seek } from '../api/messages'
import { t } from '../i18n/index.svelte'
import { sound } from '../lib/sound'
import { say } from './words'

const KEY = 'splendor.seek'
export const ASK_AGAIN = 10_000 // milliseconds

/** The last wish of this browser. */
export function lastWish(): Seek {
  const usual: Seek = { speed: 'live', players: 2, fill: 30 }
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Seek>) }
  } catch {
    return usual
  }
}

export function noteWish(wish: Seek): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(wish))
  } catch {
    // then it is asked anew
  }
}

export const canTell = (): boolean => 'Notification' in window && Notification.permission !== 'denied'
export const willTell = (): boolean => 'Notification' in window && Notification.permission === 'granted'

/** For whoever looks at another tab meanwhile. */
export async function tellBegun(): Promise<void> {
  sound('noble')
  if (!document.hidden || !willTell()) return
  try {
    new Notification(t('app.name'), { body: say('begun') })
  } catch {
    // a phone wants it from the service worker
    const worker = await navigator.serviceWorker?.getRegistration()
    await worker?.showNotification(t('app.name'), { body: say('begun') })
  }
}
