/** What is said about messages to a closed browser, in the language of the page. */

import { speaker } from '../i18n/index.svelte'
import { WORDS } from './texts'

export const say = speaker(WORDS)
