/** The rules page in four languages, in our own words. */

import type { Language } from './index.svelte'

export interface Chapter {
  title: string
  text: string[]
}

const en: Chapter[] = [
  { title: 'In one paragraph', text: ['Two to four players collect gem tokens and use them to buy development cards. Every bought card gives a bonus that makes later cards cheaper, and some give prestige points. Nobles come to players with the right bonuses. When someone reaches 15 points the round is finished, and the most points win.'] },
  { title: 'Setup', text: ['The cards of each level are shuffled, and four of each level lie face up. There is one noble more than players. With two players there are 4 tokens of each gem color, with three players 5, with four players 7. There are always 5 gold tokens.'] },
  { title: 'Your turn', text: ['On your turn you do exactly one of four things.', 'Take three tokens of different colors. If the bank has fewer than three colors, take one of each that is left.', 'Take two tokens of the same color, if that pile holds at least four.', 'Reserve a card, face up or unseen from the top of a deck, and take a gold token if there is one. You may hold at most three reserved cards; they leave your hand only by being bought.', 'Buy a card from the table or from your reserved cards.', 'Only if none of these is possible do you pass.'] },
  { title: 'Paying', text: ['A card costs what is printed on it, less one token for each of your bonuses of that color. A gold token stands for any color, and you may use it even where you have the color. You pay exactly; spent tokens go back to the bank. A card that left the table is replaced at once from its deck.'] },
  { title: 'Ten tokens', text: ['At the end of your turn you may have ten tokens, gold included. If you have more, you return tokens of your choice until ten are left.'] },
  { title: 'Nobles', text: ['At the end of your turn, a noble whose requirement your bonuses meet comes to you by itself and brings three points. Tokens do not count for it. Only one noble comes per turn; if several would, you choose.'] },
  { title: 'The end', text: ['When a player has 15 points at the end of a turn, the round is played to its end so that all have had equally many turns. The most points win. On a tie the player with fewer bought cards wins; if that is equal too, the victory is shared.', 'If all players have to pass one after the other, the game ends at once and is ranked the same way.'] },
  { title: 'What is hidden', text: ['All tokens, bought cards, nobles and points are open. A card reserved from the table is known to all. A card reserved from a deck is known only to its owner; the others see its level.'] },
]

const de: Chapter[] = [
  { title: 'In einem Absatz', text: ['Zwei bis vier Spieler sammeln Edelstein-Chips und kaufen damit Entwicklungskarten. Jede gekaufte Karte gibt einen Bonus, der spätere Karten billiger macht, und manche geben Prestigepunkte. Adlige besuchen Spieler mit den passenden Boni. Erreicht jemand 15 Punkte, wird die Runde zu Ende gespielt, und die meisten Punkte gewinnen.'] },
  { title: 'Spielvorbereitung', text: ['Die Karten jeder Stufe werden gemischt, und je vier liegen offen aus. Es gibt einen Adligen mehr als Spieler. Zu zweit gibt es 4 Chips jeder Edelsteinfarbe, zu dritt 5, zu viert 7. Gold-Chips sind es immer 5.'] },
  { title: 'Dein Zug', text: ['In deinem Zug machst du genau eine von vier Aktionen.', 'Nimm drei Chips in verschiedenen Farben. Sind weniger als drei Farben im Vorrat, nimmst du von jeder übrigen einen.', 'Nimm zwei Chips derselben Farbe, wenn von ihr mindestens vier da sind.', 'Reserviere eine Karte, offen ausliegend oder verdeckt von einem Stapel, und nimm einen Gold-Chip, wenn es noch einen gibt. Du darfst höchstens drei reservierte Karten haben; sie verlassen die Hand nur durch Kauf.', 'Kaufe eine Karte aus der Tischmitte oder eine deiner reservierten.', 'Nur wenn nichts davon möglich ist, passt du.'] },
  { title: 'Zahlen', text: ['Eine Karte kostet, was auf ihr steht, vermindert um einen Chip für jeden deiner Boni dieser Farbe. Ein Gold-Chip ersetzt jede Farbe, auch wenn du die Farbe hättest. Gezahlt wird genau; die Chips kommen zurück in den Vorrat. Eine Karte, die die Auslage verlässt, wird sofort vom Stapel ersetzt.'] },
  { title: 'Zehn Chips', text: ['Am Ende deines Zuges darfst du zehn Chips haben, Gold eingerechnet. Hast du mehr, gibst du Chips deiner Wahl ab, bis es zehn sind.'] },
  { title: 'Adlige', text: ['Am Ende deines Zuges kommt ein Adliger, dessen Forderung deine Boni erfüllen, von selbst zu dir und bringt drei Punkte. Chips zählen dafür nicht. Pro Zug kommt nur einer; könnten mehrere kommen, wählst du.'] },
  { title: 'Spielende', text: ['Hat ein Spieler am Ende seines Zuges 15 Prestigepunkte, wird die Runde zu Ende gespielt, damit alle gleich viele Züge hatten. Die meisten Punkte gewinnen. Bei Gleichstand gewinnt, wer weniger Karten gekauft hat; ist auch das gleich, teilt man sich den Sieg.', 'Müssen alle Spieler nacheinander passen, endet das Spiel sofort und wird ebenso gewertet.'] },
  { title: 'Was verborgen ist', text: ['Alle Chips, gekauften Karten, Adligen und Punkte sind offen. Eine aus der Auslage reservierte Karte kennen alle. Eine vom Stapel reservierte kennt nur ihr Besitzer; die anderen sehen ihre Stufe.'] },
]

const nl: Chapter[] = [
  { title: 'In één alinea', text: ['Twee tot vier spelers verzamelen edelsteenfiches en kopen daarmee ontwikkelingskaarten. Elke gekochte kaart geeft een bonus die latere kaarten goedkoper maakt, en sommige geven prestigepunten. Edelen bezoeken spelers met de juiste bonussen. Bereikt iemand 15 punten, dan wordt de ronde uitgespeeld en winnen de meeste punten.'] },
  { title: 'Voorbereiding van het spel', text: ['De kaarten van elk niveau worden geschud en van elk liggen er vier open. Er is één edele meer dan er spelers zijn. Met twee spelers zijn er 4 fiches van elke edelsteenkleur, met drie 5, met vier 7. Er zijn altijd 5 gouden jokers.'] },
  { title: 'Jouw beurt', text: ['In je beurt doe je precies één van vier acties.', 'Neem drie fiches van verschillende kleuren. Heeft de voorraad minder dan drie kleuren, neem dan één van elke kleur die er nog is.', 'Neem twee fiches van dezelfde kleur, als die stapel er minstens vier heeft.', 'Reserveer een kaart, open of ongezien van een stapel, en neem een gouden joker als die er nog is. Je mag hoogstens drie gereserveerde kaarten hebben; je raakt ze alleen kwijt door ze te kopen.', 'Koop een kaart van het midden van de tafel of een van je gereserveerde kaarten.', 'Alleen als dit alles onmogelijk is, pas je.'] },
  { title: 'Betalen', text: ['Een kaart kost wat erop staat, min één fiche voor elke bonus van die kleur die je hebt. Een gouden joker staat voor elke kleur, ook als je die kleur hebt. Je betaalt precies; de fiches gaan terug naar de voorraad. Een kaart die van tafel gaat, wordt meteen vervangen vanaf de stapel.'] },
  { title: 'Tien fiches', text: ['Aan het einde van je beurt mag je tien fiches hebben, goud meegeteld. Heb je er meer, dan leg je fiches naar keuze terug tot er tien over zijn.'] },
  { title: 'Edelen', text: ['Aan het einde van je beurt komt een edele van wie je bonussen de eis vervullen vanzelf naar je toe en brengt drie punten. Fiches tellen daarvoor niet. Per beurt komt er maar één; kunnen er meer komen, dan kies jij.'] },
  { title: 'Einde van het spel', text: ['Heeft een speler aan het einde van een beurt 15 prestigepunten, dan wordt de ronde uitgespeeld zodat iedereen even vaak aan de beurt was. De meeste punten winnen. Bij gelijke stand wint wie minder kaarten kocht; is ook dat gelijk, dan wordt de overwinning gedeeld.', 'Moeten alle spelers na elkaar passen, dan eindigt het spel meteen en wordt het op dezelfde manier gewaardeerd.'] },
  { title: 'Wat verborgen is', text: ['Alle fiches, gekochte kaarten, edelen en punten zijn open. Een van tafel gereserveerde kaart kent iedereen. Een van de stapel gereserveerde kaart kent alleen de eigenaar; de anderen zien het niveau.'] },
]

const nb: Chapter[] = [
  { title: 'I ett avsnitt', text: ['To til fire spillere samler edelstener og kjøper utviklingskort for dem. Hvert kjøpt kort gir en bonus som gjør senere kort billigere, og noen gir prestisjepoeng. Adelige besøker spillere med de rette bonusene. Når noen når 15 poeng, spilles runden ferdig, og flest poeng vinner.'] },
  { title: 'Før dere begynner', text: ['Kortene på hvert nivå stokkes, og fire av hvert ligger åpent. Det er én adelig mer enn det er spillere. Med to spillere er det 4 brikker av hver edelstensfarge, med tre 5, med fire 7. Det er alltid 5 gullbrikker.'] },
  { title: 'Turen din', text: ['I din tur gjør du nøyaktig én av fire handlinger.', 'Ta tre brikker i forskjellige farger. Har banken færre enn tre farger, tar du én av hver som er igjen.', 'Ta to brikker i samme farge, hvis den stabelen har minst fire.', 'Reserver et kort, åpent eller usett fra toppen av en bunke, og ta en gullbrikke hvis det er en igjen. Du kan ha høyst tre reserverte kort; du blir bare kvitt dem ved å kjøpe dem.', 'Kjøp et kort fra bordet eller et av dine reserverte.', 'Bare hvis ingenting av dette er mulig, melder du pass.'] },
  { title: 'Å betale', text: ['Et kort koster det som står på det, minus én brikke for hver bonus du har i den fargen. En gullbrikke gjelder for alle farger, også om du har fargen. Du betaler nøyaktig; brikkene går tilbake til banken. Et kort som forlater bordet, erstattes straks fra bunken.'] },
  { title: 'Ti brikker', text: ['Når turen din er over, kan du ha ti brikker, gull medregnet. Har du flere, legger du tilbake brikker etter eget valg til det er ti igjen.'] },
  { title: 'Adelige', text: ['Når turen din er over, kommer en adelig som bonusene dine oppfyller kravet til, av seg selv til deg og gir tre poeng. Brikker teller ikke. Bare én kommer per tur; kan flere komme, velger du.'] },
  { title: 'Spillets slutt', text: ['Har en spiller 15 prestisjepoeng når turen er over, spilles runden ferdig, slik at alle har hatt like mange turer. Flest poeng vinner. Er det uavgjort, vinner den som har kjøpt færrest kort; er også det likt, deles seieren.', 'Må alle spillerne melde pass etter hverandre, slutter spillet straks og rangeres på samme måte.'] },
  { title: 'Hva som er skjult', text: ['Alle brikker, kjøpte kort, adelige og poeng er åpne. Et kort reservert fra bordet kjenner alle. Et kort reservert fra en bunke kjenner bare eieren; de andre ser nivået.'] },
]

export const RULES: Record<Language, Chapter[]> = { en, de, nl, nb }
