/** Being told when it is one's turn while no page is open: the browser's subscription, and the server's knowledge of it. */

import { get, post, remove } from '../api/http'
import type { PushKey, PushSubscription as Wish } from '../api/messages'
import { language } from '../i18n/index.svelte'

/** `never`: neither this browser nor this server can; `denied`: the browser was told not to. */
export type Standing = 'on' | 'off' | 'denied' | 'never'

const isPossible = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

async function present(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

export async function standing(): Promise<Standing> {
  if (!isPossible || !(await navigator.serviceWorker.getRegistration())) return 'never'
  if (Notification.permission === 'denied') return 'denied'
  return (await present()) ? 'on' : 'off'
}

const part = (subscription: PushSubscription, name: PushEncryptionKeyName): string =>
  btoa(String.fromCharCode(...new Uint8Array(subscription.getKey(name)!))).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

export async function subscribe(): Promise<Standing> {
  const { key } = await get<PushKey>('/push')
  if (!key) return 'never'
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  const registration = await navigator.serviceWorker.ready
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  try {
    await post('/push', { endpoint: made.endpoint, p256dh: part(made, 'p256dh'), auth: part(made, 'auth'), language: language() } satisfies Wish)
  } catch (error) {
    await made.unsubscribe()
    throw error
  }
  return 'on'
}

export async function unsubscribe(): Promise<Standing> {
  await (await present())?.unsubscribe()
  await remove('/push')
  return 'off'
}
