/** What a person has set for this browser. Kept in local storage; nothing of it goes to the server. */

import { type Language, negotiate, setLanguage } from '../i18n/index.svelte'

interface Values {
  language: Language | null // null: as the browser wishes
  theme: 'auto' | 'light' | 'dark'
  contrast: boolean
  motion: 'auto' | 'on' | 'off'
  sound: boolean
  letters: boolean
  shortcuts: boolean
}

const KEY = 'splendor.settings'
const usual: Values = { language: null, theme: 'auto', contrast: false, motion: 'auto', sound: false, letters: false, shortcuts: true }

function read(): Values {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Values>) }
  } catch {
    return { ...usual }
  }
}

export const settings = $state<Values>(read())

const dark = matchMedia('(prefers-color-scheme: dark)')
const contrast = matchMedia('(prefers-contrast: more)')
const still = matchMedia('(prefers-reduced-motion: reduce)')

export const moves = (): boolean => (settings.motion === 'auto' ? !still.matches : settings.motion === 'on')

/** Puts the settings into effect and keeps them. */
export async function apply(): Promise<void> {
  const root = document.documentElement
  root.dataset.theme = settings.theme === 'auto' ? (dark.matches ? 'dark' : 'light') : settings.theme
  root.dataset.contrast = settings.contrast || contrast.matches ? 'more' : 'usual'
  root.dataset.motion = moves() ? 'on' : 'off'
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // a browser that keeps nothing still plays
  }
  await setLanguage(settings.language ?? negotiate(navigator.languages))
}

for (const query of [dark, contrast, still]) query.addEventListener('change', () => void apply())
