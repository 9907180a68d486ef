/** The address as the state of the page: real links, back and forward, no library. */

import { isPage, link, pathIn } from './place'

const route = $state({ path: '/', query: '' })

function read(): void {
  const [path = '/', ...query] = pathIn(location).split('?')
  route.path = path
  route.query = query.join('?')
}

read()
addEventListener('popstate', read)

export const path = (): string => route.path
export const query = (): URLSearchParams => new URLSearchParams(route.query)

/** To another page, such as `/learn?step=2`. */
export function go(to: string, replace = false): void {
  if (to === pathIn(location)) return
  note(to, replace)
  read()
  if (!replace) scrollTo(0, 0)
}

/** Writes into the address where on the page one is; the page itself does not change by it. */
export function note(to: string, replace = true): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', link(to))
}

/** Clicks on links of our own change the page without loading it anew. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const clicked = (event.target as Element).closest('a')
  if (!clicked || clicked.target || clicked.hasAttribute('download') || clicked.origin !== location.origin) return
  if (!isPage(clicked) || clicked.hash) return
  event.preventDefault()
  go(pathIn(clicked))
}
