/** The frame around a page, which a board puts away because it needs the room. */

export const frame = $state({ hidden: false })
