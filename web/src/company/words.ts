/** What is said around a game, in the language of the page. */

import { format, type Params } from '../i18n/format'
import { language } from '../i18n/index.svelte'
import { WORDS, type Word } from './texts'

export const say = (word: Word, params?: Params): string => format(language(), WORDS[language()][word], params)
