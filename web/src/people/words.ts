/** What profiles and the leaderboard say, in the language of the page. */

import { speaker } from '../i18n/index.svelte'
import { WORDS } from './texts'

export const say = speaker(WORDS)

/** Among people, or against computers. */
export const poolName = (pool: 'people' | 'computers'): string => (pool === 'people' ? say('people') : say('computers'))
