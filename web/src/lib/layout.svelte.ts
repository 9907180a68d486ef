/**
 * How a board lies on this screen. Style sheets read it as `[data-shape]` at the root, so the breakpoints stand here only.
 *
 *   phone      upright and narrow: everything in one column
 *   tablet     upright and wide: the same column, larger
 *   landscape  low or of middle width: players left, cards in the middle, bank, hand and bar right
 *   desktop    wide and high enough for a log beside the board
 */

export type Shape = 'phone' | 'tablet' | 'landscape' | 'desktop'

const DESKTOP = matchMedia('(min-width: 1100px) and (min-height: 560px)')
const LANDSCAPE = matchMedia('(min-width: 560px) and (orientation: landscape)')
const TABLET = matchMedia('(min-width: 600px)')

const read = (): Shape => (DESKTOP.matches ? 'desktop' : LANDSCAPE.matches ? 'landscape' : TABLET.matches ? 'tablet' : 'phone')

export const layout = $state<{ shape: Shape }>({ shape: read() })

function put(): void {
  layout.shape = read()
  document.documentElement.dataset.shape = layout.shape
}

put()
for (const query of [DESKTOP, LANDSCAPE, TABLET]) query.addEventListener('change', put)
