/** The words about games from elsewhere that an account keeps, in four languages; they come with the pages that list games. */

import type { Language } from '../i18n/index.svelte'

export const en = {
  tab: 'Played elsewhere',
  keep: 'Keep in my account',
  keep_one: 'Keep the game {names} in my account',
  keep_all: 'Keep all {n} in my account',
  kept: 'Kept in your account',
  progress: '{done} of {total} are in your account now.',
  invite: 'With an account you can keep these games there as well.',
  account: 'To my account',
  lead: 'These games were not played on this server. They are unrated, and nobody but you sees them.',
  none: 'You keep no games from elsewhere yet.',
  played: 'not played here, unrated',
}

export type Word = keyof typeof en
export type Words = Record<Word, string>

export const de: Words = {
  tab: 'Anderswo gespielt',
  keep: 'In meinem Konto behalten',
  keep_one: 'Die Partie {names} in meinem Konto behalten',
  keep_all: 'Alle {n} in meinem Konto behalten',
  kept: 'In deinem Konto',
  progress: '{done} von {total} sind jetzt in deinem Konto.',
  invite: 'Mit einem Konto kannst du diese Partien auch dort behalten.',
  account: 'Zu meinem Konto',
  lead: 'Diese Partien wurden nicht auf diesem Server gespielt. Sie sind nicht gewertet, und nur du siehst sie.',
  none: 'Du hast noch keine Partien von anderswo behalten.',
  played: 'nicht hier gespielt, nicht gewertet',
}

export const nl: Words = {
  tab: 'Elders gespeeld',
  keep: 'In mijn account bewaren',
  keep_one: 'De partij {names} in mijn account bewaren',
  keep_all: 'Alle {n} in mijn account bewaren',
  kept: 'Bewaard in je account',
  progress: '{done} van de {total} staan nu in je account.',
  invite: 'Met een account kun je deze partijen ook daar bewaren.',
  account: 'Naar mijn account',
  lead: 'Deze partijen zijn niet op deze server gespeeld. Ze tellen niet mee voor de rating, en alleen jij ziet ze.',
  none: 'Je bewaart nog geen partijen van elders.',
  played: 'niet hier gespeeld, telt niet mee',
}

export const nb: Words = {
  tab: 'Spilt andre steder',
  keep: 'Behold i kontoen min',
  keep_one: 'Behold partiet {names} i kontoen min',
  keep_all: 'Behold alle {n} i kontoen min',
  kept: 'Ligger i kontoen din',
  progress: '{done} av {total} ligger nå i kontoen din.',
  invite: 'Med en konto kan du beholde disse partiene der også.',
  account: 'Til kontoen min',
  lead: 'Disse partiene ble ikke spilt på denne tjeneren. De teller ikke i ratingen, og bare du ser dem.',
  none: 'Du har ingen partier fra andre steder ennå.',
  played: 'ikke spilt her, teller ikke',
}

export const WORDS: Record<Language, Words> = { en, de, nl, nb }
