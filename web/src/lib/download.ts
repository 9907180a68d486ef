/** Gives a text or a picture to the person as a file. */

export function download(name: string, what: string | Blob): void {
  const type = name.endsWith('.json') ? 'application/json' : 'text/plain'
  const anchor = document.createElement('a')
  anchor.href = URL.createObjectURL(typeof what === 'string' ? new Blob([what], { type }) : what)
  anchor.download = name
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000)
}
