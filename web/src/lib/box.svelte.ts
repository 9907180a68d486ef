/** What is in the box: all cards and nobles, asked from the server once. */

import type { CardFace, Catalogue, NobleTile } from '../api/messages'
import { get } from '../api/http'

class Box {
  cards = $state<Map<number, CardFace>>(new Map())
  nobles = $state<Map<number, NobleTile>>(new Map())
  private asked: Promise<void> | null = null

  load(): Promise<void> {
    this.asked ??= get<Catalogue>('/catalogue').then((all) => {
      this.cards = new Map(all.cards.map((card) => [card.id, card]))
      this.nobles = new Map(all.nobles.map((noble) => [noble.id, noble]))
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
