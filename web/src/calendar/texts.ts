/** The words of the calendar in four languages; they come with its page. */

import type { Language } from '../i18n/index.svelte'

export const en = {
  title: 'What is due',
  none: 'No game by days is running.',
  yours: 'Your turn',
  theirs: '{name} is to move',
  until: 'until {when}',
  feed: 'In your calendar',
  feed_what: 'A secret address, which calendars subscribe to. Whoever knows it sees when your games are due, and who plays.',
  make: 'Make an address',
  anew: 'A new address in its place',
  revoke: 'Revoke the address',
  made: 'This is shown once:',
  copy: 'Copy',
  there: 'There is an address.',
}

export type Word = keyof typeof en
export type Words = Record<Word, string>

export const de: Words = {
  title: 'Was ansteht',
  none: 'Es läuft keine Partie nach Tagen.',
  yours: 'Du bist am Zug',
  theirs: '{name} ist am Zug',
  until: 'bis {when}',
  feed: 'In deinem Kalender',
  feed_what: 'Eine geheime Adresse, die Kalender abonnieren. Wer sie kennt, sieht, wann deine Züge fällig sind und wer spielt.',
  make: 'Adresse anlegen',
  anew: 'Neue Adresse stattdessen',
  revoke: 'Adresse widerrufen',
  made: 'Dies wird nur einmal gezeigt:',
  copy: 'Kopieren',
  there: 'Es gibt eine Adresse.',
}

export const nl: Words = {
  title: 'Wat er te doen is',
  none: 'Er loopt geen partij per dag.',
  yours: 'Jij bent aan de beurt',
  theirs: '{name} is aan de beurt',
  until: 'tot {when}',
  feed: 'In je agenda',
  feed_what: 'Een geheim adres waarop agenda’s zich abonneren. Wie het kent, ziet wanneer je zetten verlopen en wie er speelt.',
  make: 'Adres maken',
  anew: 'Nieuw adres in plaats daarvan',
  revoke: 'Adres intrekken',
  made: 'Dit wordt één keer getoond:',
  copy: 'Kopiëren',
  there: 'Er is een adres.',
}

export const nb: Words = {
  title: 'Hva som venter',
  none: 'Ingen partier over dager er i gang.',
  yours: 'Din tur',
  theirs: '{name} er i trekket',
  until: 'til {when}',
  feed: 'I kalenderen din',
  feed_what: 'En hemmelig adresse som kalendere abonnerer på. Den som kjenner den, ser når trekkene dine må være gjort, og hvem som spiller.',
  make: 'Lag en adresse',
  anew: 'Ny adresse i stedet',
  revoke: 'Trekk tilbake adressen',
  made: 'Dette vises bare én gang:',
  copy: 'Kopier',
  there: 'Det finnes en adresse.',
}

export const WORDS: Record<Language, Words> = { en, de, nl, nb }
