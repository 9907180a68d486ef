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

export function notify(text: string, tone: Notice['tone'] = 'info'): void {
  const id = next++
  notices.push({ id, text, tone })
  setTimeout(() => {
    const at = notices.findIndex((notice) => notice.id === id)
    if (at >= 0) notices.splice(at, 1)
  }, tone === 'problem' ? 7000 : 3500)
}
