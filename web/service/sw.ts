/**
 * The service worker: keeps the client at hand, so that it opens without a connection, and the engine once it has been
 * loaded. Nothing of a game is kept here, and what is asked of a server goes to the server.
 *
 * A page of this version finds its files here for as long as it is open, whatever the host has meanwhile: a new version
 * is stored beside it and waits until the last page of the old one is closed. While there is a connection, the page
 * itself always comes from the host, so that whoever loads it anew has the newest.
 */

import { addRoute, cleanupOutdatedCaches, matchPrecache, precache, type PrecacheEntry } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkFirst, NetworkOnly } from 'workbox-strategies'
import { engineCache } from '../src/offline/cache.ts'

importScripts('push.js') // who is told that it is their turn, while no page is open

declare const self: ServiceWorkerGlobalScope
/** The files of the client, and the addresses of the engine's; put in by the build. */
declare const SHELL: PrecacheEntry[]
declare const ENGINE: string[]

const PATIENCE = 4 // seconds: a connection slower than that counts as none
const PAGE = 'index.html'
const base = new URL('.', location.href)
const cacheName = engineCache(base.href)

// The page: from the host, else the one that is kept.
const host = new NetworkOnly({ networkTimeoutSeconds: PATIENCE })
const page = new NavigationRoute(
  async ({ request, event }) => {
    const fresh = await host.handle({ request, event }).catch(() => null)
    return fresh && fresh.status < 500 ? fresh : ((await matchPrecache(PAGE)) ?? fresh ?? Response.error())
  },
  { denylist: [/\/(api|engine|embed)\//] },
)
registerRoute(page)

// Its scripts, styles, fonts and pictures: those of its version.
precache(SHELL)
addRoute({ directoryIndex: '', cleanURLs: false })
cleanupOutdatedCaches()

// The engine: the address of each file changes with its content. What came damaged is fetched past all that is kept.
const kept = new CacheFirst({ cacheName })
const again = new NetworkFirst({ cacheName })
const isEngine = (url: URL): boolean => url.href.startsWith(`${base.href}engine/`) && url.search !== ''
registerRoute(({ url }) => isEngine(url), ({ request, event }) => (request.cache === 'reload' ? again : kept).handle({ request, event }))

async function forgetOldEngines(): Promise<void> {
  const wanted = new Set(ENGINE.map((name) => new URL(`engine/${name}`, base).href))
  const cache = await caches.open(cacheName)
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request)
}

self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), forgetOldEngines()])))

/** A page tells of which version it is. If it is of this one, and the only one, nobody needs the old version. */
self.addEventListener('message', (event) => {
  const isOurs = SHELL.some(({ url }) => new URL(url, base).href === event.data)
  if (isOurs) event.waitUntil(takeOver())
})

async function takeOver(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.filter(({ url }) => url.startsWith(base.href)).length <= 1) await self.skipWaiting()
}
