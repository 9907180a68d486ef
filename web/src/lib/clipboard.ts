/** Copying text, also where a page may not write to the clipboard by itself. */

import { t } from '../i18n/index.svelte'
import { notify } from './announce.svelte'

/** Copies the text and says whether it could be done. */
export async function copy(text: string): Promise<boolean> {
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false) || copySelected(text)
  notify(t(isCopied ? 'ui.copied' : 'ui.not_copied'))
  return isCopied
}

/** The way of older browsers and of pages without HTTPS; an open dialog keeps the focus, so the field lies inside it. */
function copySelected(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.cssText = 'position: fixed; opacity: 0'
  const focused = document.activeElement
  ;(document.querySelector('dialog[open]') ?? document.body).append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
