/** What is in the box: all cards and nobles, which come as a file of their own. */

import type { CardFace, NobleTile } from '../api/messages'

class Box {
  cards = $state<Map<number, CardFace>>(new Map())
  nobles = $state<Map<number, NobleTile>>(new Map())
  private asked: Promise<void> | null = null

  load(): Promise<void> {
    this.asked ??= import('../../engine/box').then(({ CARD_FACES, NOBLE_TILES }) => {
      this.cards = new Map(CARD_FACES.map((card) => [card.id, card]))
      this.nobles = new Map(NOBLE_TILES.map((noble) => [noble.id, noble]))
    })
    this.asked.catch(() => (this.asked = null))
    return this.asked
  }

  card(id: number): CardFace | null {
    return this.cards.get(id) ?? null
  }

  get noblePoints(): number {
    return this.nobles.values().next().value?.points ?? 0
  }
}

export const box = new Box()
