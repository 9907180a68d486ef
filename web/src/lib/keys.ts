/** Which presses of a key are meant for a board, and not for what has the focus. */

const isTyping = (target: HTMLElement): boolean => target.closest('dialog, input, textarea, select') !== null

export function isForBoard(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  const target = event.target as HTMLElement
  return !isTyping(target) && !(event.key === 'Enter' && target.closest('button, a'))
}
