/** Positions that follow from one another, as a tree: the line that was played first, and what else was tried. */

import type { Frame, MoveForm } from '../api/messages'

export interface Node {
  position: string
  seat: number | null // who played; null: where the study begins
  move: MoveForm | null // the whole turn
  card: number | null // that came from a deck
  comment: string
  shares: number[] | null // what was found for this position
  children: Node[] // the first one goes on with its line
}

/** A study as it is kept. */
export interface Kept {
  id: string
  changed: number // milliseconds since 1970
  names: (string | null)[]
  root: Node
  path: number[]
}

export const node = (position: string, more: Partial<Node> = {}): Node => ({
  position, seat: null, move: null, card: null, comment: '', shares: null, children: [], ...more,
})

/** The card that came from a deck in a turn. */
export const cardOf = (frame: Frame): number | null =>
  frame.movements.flatMap((moved) => (moved.what === 'card' && moved.origin.area === 'deck' ? [moved.card] : []))[0] ?? null

/** What a frame of the server says happened, as a node. */
export const nodeOf = (frame: Frame): Node =>
  node(frame.board.position, { seat: frame.seat, move: frame.move, card: cardOf(frame), comment: frame.comment, shares: frame.evaluation })

/** A whole game as one line. */
export function lineOf(frames: Frame[]): Node {
  const nodes = frames.map(nodeOf)
  nodes.slice(0, -1).forEach((one, n) => one.children.push(nodes[n + 1]!))
  return nodes[0]!
}

export class Study {
  readonly id: string
  readonly names: (string | null)[]
  root = $state<Node>(node(''))
  path = $state<number[]>([])
  readonly node = $derived(this.at(this.path))

  constructor(kept: Kept) {
    this.id = kept.id
    this.names = kept.names
    this.root = kept.root
    this.to(kept.path)
  }

  at(path: number[]): Node {
    return path.reduce((one, n) => one.children[n] ?? one, this.root)
  }

  to(path: number[]): void {
    const exists: number[] = []
    for (const n of path) {
      if (!this.at(exists).children[n]) break
      exists.push(n)
    }
    this.path = exists
  }

  get parent(): Node | null {
    return this.path.length ? this.at(this.path.slice(0, -1)) : null
  }

  /** Go to what follows from a position; it is added unless it is there already. */
  add(from: number[], next: Node): void {
    const children = this.at(from).children
    let index = children.findIndex((one) => one.move?.text === next.move?.text && one.card === next.card)
    if (index < 0) index = children.push(next) - 1
    this.path = [...from, index]
  }

  back = (): void => this.to(this.path.slice(0, -1))
  on = (): void => this.to([...this.path, 0])
  start = (): void => this.to([])
  end = (): void => {
    while (this.node.children.length) this.on()
  }

  /** The next or the last of several turns in the same position. */
  beside(step: number): void {
    const parent = this.parent
    if (!parent) return
    const count = parent.children.length
    this.path = [...this.path.slice(0, -1), (this.path.at(-1)! + step + count) % count]
  }

  /** The turn one looks at becomes the one that its line goes on with. */
  promote(): void {
    const parent = this.parent
    const [promoted] = parent?.children.splice(this.path.at(-1)!, 1) ?? []
    if (!parent || !promoted) return
    parent.children.unshift(promoted)
    this.path = [...this.path.slice(0, -1), 0]
  }

  /** The turn one looks at and all that follows is forgotten. */
  remove(): void {
    const parent = this.parent
    if (!parent) return
    const index = this.path.at(-1)!
    this.back()
    parent.children.splice(index, 1)
  }

  kept(): Kept {
    return $state.snapshot({ id: this.id, changed: Date.now(), names: this.names, root: this.root, path: this.path })
  }
}
