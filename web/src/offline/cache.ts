/** Where the engine's files are kept: by the service worker at first use, by the page when somebody asks for it. */

/** The name of the cache, for the client that lies at an address: there may be others on the same host. */
export const engineCache = (base: string): string => `splendor-engine ${base}`
