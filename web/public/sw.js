// Keeps the client itself at hand, so that it opens at once and says calmly when the server cannot be reached.
// Nothing of a game is kept: everything under /api goes to the server.
const CACHE = 'splendor-__BUILD__'

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

async function fromCacheFirst(request) {
  const kept = await caches.match(request)
  if (kept) return kept
  const fresh = await fetch(request)
  if (fresh.ok) (await caches.open(CACHE)).put(request, fresh.clone())
  return fresh
}

async function page(request) {
  try {
    const fresh = await fetch(request)
    if (fresh.ok) (await caches.open(CACHE)).put('/', fresh.clone())
    return fresh
  } catch (error) {
    const kept = await caches.match('/')
    if (kept) return kept
    throw error
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api')) return
  if (url.pathname.startsWith('/assets/')) event.respondWith(fromCacheFirst(request))
  else if (request.mode === 'navigate') event.respondWith(page(request))
})
