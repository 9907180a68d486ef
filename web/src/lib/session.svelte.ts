/** Who we are, and making tables: a guest needs nothing but the first click. */

import { get, post, Refused } from '../api/http'
import type { Introduction, Join, LevelInfo, Me, NewTable, SeatWish, Seek, Table } from '../api/messages'
import { playHere } from '../host/local-id'
import { commitTo, keep, newNonce } from './nonce'
import { hasServer } from './place'
import { go } from './router.svelte'
import { keep as keepText, recall } from './storage'

const KNOWN = 'splendor.known' // this browser has been here before, and may have a cookie

class Session {
  me = $state<Me | null>(null)
  levels = $state<string[]>([])
  private strengths = $state.raw(new Map<string, number>())
  private asked: Promise<Me> | null = null

  /** Has this browser been somebody before? */
  get isKnown(): boolean {
    return recall(KNOWN) !== null
  }

  /** Who we are if the server knows us; nobody is made for just looking. */
  async recall(): Promise<Me | null> {
    if (this.me || !this.isKnown) return this.me
    try {
      this.me = await get<Me>('/me')
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
    return this.me
  }

  /** Who we are; a guest if nobody yet. */
  begin(): Promise<Me> {
    if (this.me) return Promise.resolve(this.me)
    this.asked ??= post<Me>('/session').then((me) => {
      keepText(KNOWN, '1')
      return (this.me = me)
    })
    this.asked.catch(() => (this.asked = null))
    return this.asked
  }

  set(me: Me | null): void {
    keepText(KNOWN, me ? '1' : null)
    this.me = me
    this.asked = null
  }

  /** What we are called and look like. */
  async introduce(wish: Introduction): Promise<void> {
    await this.begin()
    this.me = await post<Me>('/me', wish)
  }

  async loadLevels(): Promise<string[]> {
    if (!this.levels.length) {
      const infos = hasServer ? await get<LevelInfo[]>('/levels').catch(() => null) : null
      if (infos) this.strengths = new Map(infos.flatMap(({ level, strength }) => strength.map((one) => [`${level} ${one.players}`, one.rating])))
      this.levels = infos ? infos.map((info) => info.level) : (await import('../local/levels')).levels
    }
    return this.levels
  }

  /** What was measured of a level at tables of one size; nothing of those that only this server knows. */
  strength(level: string, players = 2): number | null {
    return this.strengths.get(`${level} ${players}`) ?? null
  }

  async open(wish: NewTable): Promise<Table> {
    await this.begin()
    return post<Table>('/tables', { ...wish, commit: keep(newNonce()) })
  }

  async join(table: string): Promise<Table> {
    await this.begin()
    const wish: Join = { commit: keep(newNonce()) }
    return post<Table>(`/tables/${table}/join`, wish)
  }

  /** A table with whoever else looks for such a game; who waits already says where. */
  async seek(wish: Seek, waiting: string | null = null): Promise<Table> {
    await this.begin()
    const nonce = newNonce()
    const table = await post<Table>('/pairings', { ...wish, waiting, commit: commitTo(nonce) })
    if (table.id !== waiting) keep(nonce) // only for a seat that is new
    return table
  }

  async play(seats: SeatWish[], more: Partial<NewTable> = {}, query = ''): Promise<void> {
    const wish = { seats, ...more }
    const { isHostedHere } = await import('../host/where')
    if (isHostedHere(wish)) {
      const problem = wish.position ? await (await import('../analysis/permission')).objection(wish.position) : null
      if (problem) throw new Refused(problem)
      return playHere(wish, query)
    }
    const table = await this.open(wish)
    go(`/t/${table.id}${query}`)
  }
}

export const session = new Session()
