/** What a screen reader says by itself, and the short notices that everybody sees. */

interface Notice {
  id: number
  text: string
  tone: 'info' | 'problem'
}

export const spoken = $state({ text: '' })
export const notices = $state<Notice[]>([])

let next = 1
let flip = false

export function announce(text: string): void {
  flip = !flip
  spoken.text = text + (flip ? '\u00a0' : '') // the same sentence twice is said twice
}

/** Takes back what was said in this tone: it is mended. */
export function forget(tone: Notice['tone']): void {
  for (let at = notices.length - 1; at >= 0; at--) if (notices[at]!.tone === tone) notices.splice(at, 1)
}

export function notify(text: string, tone: Notice['tone'] = 'info'): void {
  const id = next++
  notices.push({ id, text, tone })
  setTimeout(() => {
    const at = notices.findIndex((notice) => notice.id === id)
    if (at >= 0) notices.splice(at, 1)
  }, tone === 'problem' ? 7000 : 3500)
}
