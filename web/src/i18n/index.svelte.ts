/** The language of the page: the dictionary in use, and `t` to get a text out of it. */

import type { Dictionary, Key } from './en'
import { format, type Params } from './format'

export type Language = 'en' | 'de' | 'nl' | 'nb'

export const LANGUAGES: Record<Language, string> = { en: 'English', de: 'Deutsch', nl: 'Nederlands', nb: 'Norsk' }

const loaders: Record<Language, () => Promise<Dictionary>> = {
  en: async () => (await import('./en')).en,
  de: async () => (await import('./de')).de,
  nl: async () => (await import('./nl')).nl,
  nb: async () => (await import('./nb')).nb,
}

const current = $state<{ language: Language; texts: Dictionary | null }>({ language: 'en', texts: null })

/** The best of our languages for a list of wishes such as ["nn-NO", "en"]. */
export function negotiate(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const base = wish.toLowerCase().split('-')[0]!
    if (base === 'no' || base === 'nn' || base === 'nb') return 'nb'
    if (base in LANGUAGES) return base as Language
  }
  return 'en'
}

export async function setLanguage(language: Language): Promise<void> {
  const texts = await loaders[language]()
  current.language = language
  current.texts = texts
  document.documentElement.lang = language
}

export const language = (): Language => current.language

export function t(key: Key, params?: Params): string {
  return format(current.language, current.texts?.[key] ?? key, params)
}

/** The same for words that come with the pages that need them. */
export const speaker =
  <Word extends string>(words: Record<Language, Record<Word, string>>) =>
  (word: Word, params?: Params): string =>
    format(current.language, words[current.language][word], params)

/** Is there such a text? For codes that come from the server. */
export const has = (key: string): key is Key => current.texts !== null && key in current.texts

/** "a, b and c" in the language of the page. */
export const list = (items: string[]): string =>
  new Intl.ListFormat(current.language, { type: 'conjunction' }).format(items)

/** A moment, given in seconds, as a date and a time of day. */
export const when = (seconds: number): string =>
  new Intl.DateTimeFormat(current.language, { dateStyle: 'medium', timeStyle: 'short' }).format(seconds * 1000)
