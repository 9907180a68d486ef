/** The computers that can play in the page. */

import { LEVELS } from '../../engine/levels.ts'

/** The names of the levels, the weakest first. */
export const levels = Object.keys(LEVELS)

/** Who gives hints. */
export const ADVISER = 'master'

/** Who plays in the place of a level where the network cannot run. */
export const withoutNetwork = (level: string): string => (level === 'apprentice' || level === 'journeyman' ? 'greedy' : 'search:time=1')
