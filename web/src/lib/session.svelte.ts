/** Who we are, and making tables: a guest needs nothing but the first click. */

import { get, post, Refused } from '../api/http'
import type { Join, LevelInfo, Me, NewTable, SeatWish, Table } from '../api/messages'
import { keep, newNonce } from './nonce'
import { go } from './router.svelte'

const KNOWN = 'splendor.known' // this browser has been here before, and may have a cookie

class Session {
  me = $state<Me | null>(null)
  levels = $state<string[]>([])
  private asked: Promise<Me> | null = null

  /** Has this browser been somebody before? */
  get isKnown(): boolean {
    return localStorage.getItem(KNOWN) !== null
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
      localStorage.setItem(KNOWN, '1')
      return (this.me = me)
    })
    this.asked.catch(() => (this.asked = null))
    return this.asked
  }

  set(me: Me | null): void {
    if (me) localStorage.setItem(KNOWN, '1')
    else localStorage.removeItem(KNOWN)
    this.me = me
    this.asked = null
  }

  async loadLevels(): Promise<string[]> {
    if (!this.levels.length) this.levels = (await get<LevelInfo[]>('/levels')).map((info) => info.level)
    return this.levels
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

  async play(seats: SeatWish[], more: Partial<NewTable> = {}, query = ''): Promise<void> {
    const table = await this.open({ seats, ...more })
    go(`/t/${table.id}${query}`)
  }
}

export const session = new Session()
