/** What a person has set for this browser. Kept in local storage; nothing of it goes to the server. */

import { type Language, negotiate, setLanguage } from '../i18n/index.svelte'

export const THEMES = ['auto', 'light', 'dark'] as const
export const TABLES = ['linen', 'felt', 'walnut'] as const
export const BACKS = ['lattice', 'rays', 'waves'] as const
export const MOTIONS = ['auto', 'off', 'fast', 'normal', 'slow'] as const
export const ANALYSES = ['auto', 'here', 'server'] as const
export const COMPUTERS = ['auto', 'here', 'server'] as const

interface Values {
  language: Language | null // null: as the browser wishes
  theme: (typeof THEMES)[number]
  table: (typeof TABLES)[number]
  back: (typeof BACKS)[number]
  contrast: boolean
  motion: (typeof MOTIONS)[number]
  sound: boolean
  volume: number // between 0 and 1
  haptics: boolean
  confirm: boolean // a move is played when it has been confirmed
  leftHanded: boolean
  letters: boolean
  shortcuts: boolean
  analyses: (typeof ANALYSES)[number] // where positions are evaluated
  talk: boolean // what other players say is shown
  computers: (typeof COMPUTERS)[number] // where they play
}

const KEY = 'splendor.settings'
const usual: Values = {
  language: null, theme: 'auto', table: 'linen', back: 'lattice', contrast: false, motion: 'auto', sound: true, volume: 0.7, haptics: true,
  confirm: true, leftHanded: false, letters: false, shortcuts: true, analyses: 'auto', computers: 'auto', talk: true,
}

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

const PACE = { off: 0, fast: 0.5, normal: 1, slow: 1.8 }

/** How long motion takes, as a multiple of the usual; 0: there is none. */
export const pace = (): number => (settings.motion === 'auto' ? (still.matches ? 0 : 1) : (PACE[settings.motion] ?? 1))

/** Puts the settings into effect and keeps them. */
export async function apply(): Promise<void> {
  const root = document.documentElement
  root.dataset.theme = settings.theme === 'auto' ? (dark.matches ? 'dark' : 'light') : settings.theme
  root.dataset.contrast = settings.contrast || contrast.matches ? 'more' : 'usual'
  root.dataset.table = settings.table
  root.dataset.back = settings.back
  root.dataset.hand = settings.leftHanded ? 'left' : 'right'
  root.dataset.motion = pace() ? 'on' : 'off'
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // a browser that keeps nothing still plays
  }
  await setLanguage(settings.language ?? negotiate(navigator.languages))
}

for (const query of [dark, contrast, still]) query.addEventListener('change', () => void apply())
