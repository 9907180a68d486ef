// A part of the service worker: tells whoever has no page open that it is their turn at a game by days.
const TURN = {
  en: { title: 'Your turn', with: 'Against' },
  de: { title: 'Du bist am Zug', with: 'Gegen' },
  nl: { title: 'Jij bent aan de beurt', with: 'Tegen' },
  nb: { title: 'Din tur', with: 'Mot' },
}
const BASE = new URL('.', location.href).pathname

const windows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true })

/** How many tables wait for a move: on the sign of the app, and in the pages that are open. */
async function countTurns() {
  const reply = await fetch(`${BASE}api/tables/mine`).catch(() => null)
  if (!reply?.ok) return
  const waiting = (await reply.json()).filter((table) => table.your_turn).length
  for (const page of await windows()) page.postMessage({ waiting })
  await navigator.setAppBadge?.(waiting).catch(() => null)
}

async function tell({ table, others, language }) {
  const words = TURN[language] ?? TURN.en
  const isSeen = (await windows()).some((page) => page.visibilityState === 'visible' && new URL(page.url).pathname === `${BASE}t/${table}`)
  if (!isSeen) {
    await self.registration.showNotification(words.title, {
      body: others.length ? `${words.with} ${others.join(', ')}` : '',
      lang: language,
      icon: `${BASE}icon-192.png`,
      tag: table,
      data: { table },
    })
  }
  await countTurns()
}

self.addEventListener('push', (event) => {
  const told = event.data?.json()
  if (told?.kind === 'turn') event.waitUntil(tell(told))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const address = new URL(`${BASE}t/${event.notification.data.table}`, location.href).href
  event.waitUntil(
    windows().then((pages) => {
      const open = pages.find((page) => page.url === address)
      return open ? open.focus() : self.clients.openWindow(address)
    }),
  )
})
