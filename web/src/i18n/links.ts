/** What a link to a table or a game says of itself where it is pasted. The build hands it to the server; no page loads it. */

const en = {
  'link.join': 'Take a seat: a game of Splendor',
  'link.join_text': 'A seat is free for you. Open the link to play in the browser, without an account.',
  'link.watch': 'Splendor: {names}',
  'link.watch_text': 'The game is running: round {n}. Open the link to watch.',
  'link.private': 'A private table of Splendor',
  'link.private_text': 'Open the link to play in the browser.',
  'link.over': 'Splendor: {scores}',
  'link.over_text': 'A finished game of {n} turns, step by step.',
  'link.due_you': 'Splendor: your move against {names}',
  'link.due_other': 'Splendor: {name} is to move',
}

export const links: Record<'en' | 'de' | 'nl' | 'nb', typeof en> = {
  en,
  de: {
    'link.join': 'Setz dich dazu: eine Partie Splendor',
    'link.join_text': 'Ein Platz ist frei für dich. Öffne den Link und spiel im Browser, ohne Konto.',
    'link.watch': 'Splendor: {names}',
    'link.watch_text': 'Die Partie läuft: Runde {n}. Öffne den Link und schau zu.',
    'link.private': 'Ein privater Tisch für Splendor',
    'link.private_text': 'Öffne den Link und spiel im Browser.',
    'link.over': 'Splendor: {scores}',
    'link.over_text': 'Eine beendete Partie mit {n} Zügen, Schritt für Schritt.',
    'link.due_you': 'Splendor: dein Zug gegen {names}',
    'link.due_other': 'Splendor: {name} ist am Zug',
  },
  nl: {
    'link.join': 'Schuif aan: een potje Splendor',
    'link.join_text': 'Er is een plaats voor je vrij. Open de link en speel in de browser, zonder account.',
    'link.watch': 'Splendor: {names}',
    'link.watch_text': 'De partij is bezig: ronde {n}. Open de link om mee te kijken.',
    'link.private': 'Een privétafel voor Splendor',
    'link.private_text': 'Open de link en speel in de browser.',
    'link.over': 'Splendor: {scores}',
    'link.over_text': 'Een afgelopen partij van {n} beurten, stap voor stap.',
    'link.due_you': 'Splendor: jouw beurt tegen {names}',
    'link.due_other': 'Splendor: {name} is aan de beurt',
  },
  nb: {
    'link.join': 'Sett deg ned: et parti Splendor',
    'link.join_text': 'En plass er ledig til deg. Åpne lenken og spill i nettleseren, uten konto.',
    'link.watch': 'Splendor: {names}',
    'link.watch_text': 'Partiet er i gang: runde {n}. Åpne lenken og se på.',
    'link.private': 'Et privat bord for Splendor',
    'link.private_text': 'Åpne lenken og spill i nettleseren.',
    'link.over': 'Splendor: {scores}',
    'link.over_text': 'Et ferdig parti på {n} trekk, steg for steg.',
    'link.due_you': 'Splendor: din tur mot {names}',
    'link.due_other': 'Splendor: {name} er i trekket',
  },
}
