/** What is said about free chat, in the language of the page. */

import { speaker } from '../i18n/index.svelte'
import { WORDS } from './texts'

export const say = speaker(WORDS)
