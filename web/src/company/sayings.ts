/** What can be said at a table: faces and phrases. */

import type { Said } from '../api/messages'

export type Saying = Said['what']

export const FACES: readonly Saying[] = ['smile', 'laugh', 'wow', 'think', 'sad', 'cheer']
export const PHRASES: readonly Saying[] = ['hello', 'good_luck', 'good_move', 'well_played', 'thanks', 'oops', 'one_moment', 'good_game']
