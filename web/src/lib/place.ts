/**
 * Where these pages live: at the root of a server, or as files in a folder of any web host (`splendor site`). In a
 * folder, what the host has a file for is all it answers, so a page's address stands behind a question mark.
 */

// without a document, in a worker, nobody asks
export const hasServer = globalThis.document?.documentElement.dataset.site === undefined

/** The folder of the client, in which `engine/` lies. */
export const BASE = hasServer ? '/' : new URL('.', location.href).pathname

/** The folder of the engine, as an address. */
export const engineFolder = (): string => new URL(`${BASE}engine/`, location.href).href

/** The address of a page that is called by its path, such as `/learn?step=2`. */
export const link = (path: string): string => (hasServer ? path : `${BASE}?${path}`)

/** The path of the page that an address shows; the opposite of `link`. */
export function pathIn(address: { pathname: string; search: string }): string {
  return hasServer ? address.pathname + address.search : address.search.slice(1) || '/'
}

/** Is this the address of one of our pages, and of nothing else? */
export const isPage = ({ pathname }: { pathname: string }): boolean => (hasServer ? !/^\/(api|engine|embed)\b/.test(pathname) : pathname === BASE)
