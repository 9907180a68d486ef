/** What every host is told of its table, and shows: updates come in order, and what is fresh in them is told once. */

import type { AnyEvent, Chat, Table, Update as UpdateMessage } from '../api/messages'
import type { Heard, HostState, Watch } from './host'

export abstract class Told {
  table = $state.raw<Table | null>(null)
  events = $state.raw<AnyEvent[]>([])
  online = $state.raw<number[]>([])
  spectators = $state(0)
  heard = $state.raw<Heard | null>(null)
  chat = $state.raw<Chat | null>(null)
  state = $state<HostState>('connecting')
  problem = $state<string | null>(null)
  isOutdated = $state(false)
  skew = $state(0)
  remarks = $state.raw<string[]>([])
  private readonly read = new Set<string>()

  constructor(private readonly watch: Watch) {}

  dismiss(remark: string): void {
    this.read.add(remark)
    this.remark(remark, false)
  }

  protected remark(remark: string, holds: boolean): void {
    const others = this.remarks.filter((one) => one !== remark)
    this.remarks = holds && !this.read.has(remark) ? [...others, remark] : others
  }

  /** False if the page knows a later one. */
  protected update({ table, version, resync, events }: UpdateMessage): boolean {
    const before = this.table
    const isFirst = before === null || resync
    if (before && version < before.version) return false
    const fresh = events.filter((event) => isFirst || event.version > before.version)
    this.skew = table.now - Date.now() / 1000
    this.problem = null
    const show = (): void => {
      this.events = resync ? fresh : [...this.events, ...fresh]
      this.table = table
    }
    this.watch({ fresh, before, table, isFirst, show })
    return true
  }
}
