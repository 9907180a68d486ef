/** The words of "play on from here" in four languages; they come with the pages that offer it. */

import type { Language } from '../i18n/index.svelte'

export const en = {
  title: 'Play on from here',
  seat: 'Whose place do you take?',
  turn: 'to move',
  level: 'Against',
  play: 'Play',
  note: 'The others are computers. The decks, and whatever cannot be seen here, are shuffled anew, so nobody can check this deal, and the game is not rated.',
}

export type Word = keyof typeof en
export type Words = Record<Word, string>

export const de: Words = {
  title: 'Von hier weiterspielen',
  seat: 'Wessen Platz nimmst du ein?',
  turn: 'am Zug',
  level: 'Gegen',
  play: 'Spielen',
  note: 'Die anderen sind Computer. Die Stapel, und was hier nicht zu sehen ist, werden neu gemischt. Deshalb lässt sich dieses Austeilen nicht prüfen, und das Spiel wird nicht gewertet.',
}

export const nl: Words = {
  title: 'Vanaf hier verder spelen',
  seat: 'Wiens plaats neem je in?',
  turn: 'aan de beurt',
  level: 'Tegen',
  play: 'Spelen',
  note: 'De anderen zijn computers. De stapels, en alles wat hier niet te zien is, worden opnieuw geschud. Daarom is deze deling niet te controleren, en telt het spel niet mee.',
}

export const nb: Words = {
  title: 'Spill videre herfra',
  seat: 'Hvem sin plass tar du?',
  turn: 'har trekket',
  level: 'Mot',
  play: 'Spill',
  note: 'De andre er datamaskiner. Bunkene, og alt som ikke kan ses her, stokkes på nytt. Derfor kan ikke denne utdelingen kontrolleres, og spillet teller ikke på ranglisten.',
}

export const WORDS: Record<Language, Words> = { en, de, nl, nb }
