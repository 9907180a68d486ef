/** Short texts that this browser keeps. What it refuses to keep, or has no room for, is known until the page is closed. */

const unkept = new Map<string, string | null>()

export function recall(key: string): string | null {
  const text = unkept.get(key)
  if (text !== undefined) return text
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text; null: it is forgotten. */
export function keep(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    unkept.delete(key)
  } catch {
    unkept.set(key, text)
  }
}
