/** The address as the state of the page: real links, back and forward, no library. */

const route = $state({ path: location.pathname, query: location.search })

const read = (): void => {
  route.path = location.pathname
  route.query = location.search
}

addEventListener('popstate', read)

export const path = (): string => route.path
export const query = (): URLSearchParams => new URLSearchParams(route.query)

export function go(to: string, replace = false): void {
  if (to === location.pathname + location.search) return
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  read()
  if (!replace) scrollTo(0, 0)
}

/** Clicks on links of our own change the page without loading it anew. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = (event.target as Element).closest('a')
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
  if (link.pathname.startsWith('/api') || link.hash) return
  event.preventDefault()
  go(link.pathname + link.search)
}
