/** The words about messages to a closed browser, in four languages; they come with the settings. */

import type { Language } from '../i18n/index.svelte'

export const en = {
  title: 'When it is your turn',
  what: 'Games by days: this browser can tell you when it is your turn, also while no page is open.',
  on: 'Tell me',
  off: 'Do not tell me any more',
  is_on: 'This browser tells you.',
  denied: 'This browser was told not to show notifications; its settings for this page can change that.',
  never: 'This browser cannot do that here. On an iPhone or iPad, add the page to the home screen first.',
  failed: 'The push service of this browser cannot be reached.',
}

export type Word = keyof typeof en
export type Words = Record<Word, string>

export const de: Words = {
  title: 'Wenn du am Zug bist',
  what: 'Partien nach Tagen: Dieser Browser kann dir sagen, wenn du am Zug bist, auch wenn keine Seite offen ist.',
  on: 'Sag mir Bescheid',
  off: 'Nicht mehr Bescheid sagen',
  is_on: 'Dieser Browser sagt dir Bescheid.',
  denied: 'Dieser Browser darf keine Mitteilungen zeigen; in seinen Einstellungen für diese Seite lässt sich das ändern.',
  never: 'Dieser Browser kann das hier nicht. Auf iPhone und iPad: zuerst die Seite zum Home-Bildschirm hinzufügen.',
  failed: 'Der Push-Dienst dieses Browsers ist nicht zu erreichen.',
}

export const nl: Words = {
  title: 'Als je aan de beurt bent',
  what: 'Partijen per dag: deze browser kan je laten weten dat je aan de beurt bent, ook als er geen pagina open is.',
  on: 'Laat het me weten',
  off: 'Niet meer laten weten',
  is_on: 'Deze browser laat het je weten.',
  denied: 'Deze browser mag geen meldingen tonen; in de instellingen voor deze pagina kun je dat wijzigen.',
  never: 'Deze browser kan dat hier niet. Zet de pagina op een iPhone of iPad eerst op het beginscherm.',
  failed: 'De pushdienst van deze browser is niet bereikbaar.',
}

export const nb: Words = {
  title: 'Når det er din tur',
  what: 'Partier over dager: denne nettleseren kan si fra når det er din tur, også når ingen side er åpen.',
  on: 'Si fra til meg',
  off: 'Ikke si fra mer',
  is_on: 'Denne nettleseren sier fra til deg.',
  denied: 'Denne nettleseren får ikke vise varsler; det kan endres i innstillingene for siden.',
  never: 'Denne nettleseren kan ikke det her. På iPhone og iPad: legg siden på hjemskjermen først.',
  failed: 'Nettleserens push-tjeneste kan ikke nås.',
}

export const WORDS: Record<Language, Words> = { en, de, nl, nb }
