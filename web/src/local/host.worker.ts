/**
 * The host of a game in this browser: a worker that owns the whole game, hidden cards included, and tells the page what
 * the people at it may see, in the messages of a server. Every change is kept before long, if the browser keeps anything.
 */

import type { ClientMessage, Problem } from '../api/messages'
import { Refused } from '../api/http'
import { EngineProblem, load, NotationError, type Splendor, Unanswerable } from '../../engine/index.ts'
import { carryOut, consider, forfeit } from './commands'
import { ADVISER } from './levels'
import { type Entry, FORMAT, type Stored } from './log'
import { again, made, started } from './opening'
import { own } from './owning'
import type { FromHost, Open, Remark, ToHost } from './protocol'
import { recordOf } from './record'
import { keep, type KeptLog, keptLog, Moved } from './shelf'
import { LocalTable } from './table'
import { Stopped, Thinker } from './thinker'
import { eventsSince, tableMessage } from './viewers'

const MOST_TURNS = 1000 // of a game; those that people play end before 150
const BEAT = 5000 // milliseconds after which the time that has run is kept again
const RETRY = 3000 // until a computer that failed is asked again

const ELSEWHERE: FromHost = { type: 'failed', problem: { code: 'local_elsewhere', params: {} } }

const say = (message: FromHost): void => postMessage(message)
const now = (): number => Date.now() / 1000
const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))
const remark = (remark: Remark, holds: boolean): void => say({ type: 'remark', remark, holds })

class LocalGame {
  private table!: LocalTable
  private splendor!: Splendor
  private readonly thinker: Thinker
  private told = 0 // the version that the page has
  private kept: number | null = null // the version that is kept; null: nothing can be
  private keeping = Promise.resolve()
  private thought: number | null = null // the version that a computer thinks about
  private flag: ReturnType<typeof setTimeout> | undefined
  private beat: ReturnType<typeof setInterval> | undefined
  private isLost = false
  private readonly done = new Map<string, number>() // by the keys of commands

  constructor(private readonly open: Open) {
    this.thinker = new Thinker(open.engine, ({ milliseconds }) => {
      remark('simpler', milliseconds === null)
      if (milliseconds !== null) say({ type: 'pace', milliseconds })
    })
  }

  // ------------------------------------------------------------------------------------------ begin

  async begin(): Promise<void> {
    try {
      this.splendor = await load({ base: this.open.engine })
      const log = await this.find()
      this.table = new LocalTable(this.open.id, this.splendor)
      if (log) this.goOn(log)
      else this.deal()
      this.tell(true)
      if (this.open.how === 'read') return
      this.schedule()
      if (this.table.made.clock.kind === 'live') this.beat = setInterval(() => this.table.status === 'live' && this.save(), BEAT)
    } catch (error) {
      say({ type: 'failed', problem: problemOf(error) })
    }
  }

  /** The log of the game, if one is kept. */
  private async find(): Promise<KeptLog | null> {
    const log = await keptLog(this.open.id).catch(() => {
      remark('not_kept', true)
      return null
    })
    if (log !== null) this.kept = log?.version ?? 0
    if (!log && !this.open.wish) throw new Refused({ code: 'local_not_found', params: {} })
    if (log && log.format > FORMAT) throw new Refused({ code: 'local_newer', params: {} })
    return log ?? null
  }

  private goOn({ log, used }: KeptLog): void {
    try {
      for (const stored of log) this.table.apply(stored)
    } catch {
      throw new Refused({ code: 'local_damaged', params: {} })
    }
    const isTimed = this.table.status === 'live' && this.table.made.clock.kind !== 'none'
    if (isTimed && this.open.how !== 'read') this.add([{ type: 'clocks_resumed', used }])
  }

  private deal(): void {
    const first = made(this.open.wish!, this.open.me)
    this.add([first, started(this.splendor, first)])
  }

  // ---------------------------------------------------------------------------------------- what happens

  private add(entries: Entry[]): void {
    for (const entry of entries) this.table.apply({ version: this.table.version + 1, at: now(), entry } satisfies Stored)
    this.save()
  }

  /** Something happened: everybody is told, and what follows is seen to. */
  private change(entries: Entry[]): void {
    this.add(entries)
    this.tell()
    this.schedule()
  }

  private tell(resync = false): void {
    const { table } = this
    say({ type: 'update', version: table.version, resync, events: eventsSince(table, resync ? 0 : this.told), table: tableMessage(table, now()) })
    this.told = table.version
  }

  private save(): void {
    if (this.kept === null || this.isLost) return
    const { table } = this
    const used = table.status === 'live' ? now() - table.turnBegan : 0
    const log: KeptLog = { id: table.id, format: FORMAT, version: table.version, used, log: [...table.log] }
    const game = {
      id: table.id,
      updated: table.updated,
      status: table.status === 'dealing' || table.status === 'open' ? 'live' as const : table.status,
      isYourTurn: table.toMove !== null && table.own.includes(table.toMove),
      seats: table.seats.map(({ person, player, label }) => ({ person: player ?? person, label })),
      turns: table.turn,
      result: table.result,
      own: table.ownAtEnd,
    }
    this.keeping = this.keeping.then(async () => {
      if (this.kept === null) return
      try {
        await keep(game, log, this.kept)
        this.kept = log.version
      } catch (error) {
        if (error instanceof Moved) return this.lose()
        this.kept = null // no room, or none any more: the game goes on
        remark('not_kept', true)
      }
    })
  }

  /** Another tab plays on. */
  private lose(): void {
    this.leave()
    say(ELSEWHERE)
  }

  leave(): void {
    this.isLost = true
    clearTimeout(this.flag)
    clearInterval(this.beat)
    this.thinker.stop()
  }

  /** Keeps what happened last, and ends. */
  async close(): Promise<void> {
    this.leave()
    await this.keeping
    close()
  }

  // ---------------------------------------------------------------------------------- what happens by itself

  private schedule(): void {
    clearTimeout(this.flag)
    const { table } = this
    if (this.isLost) return
    if (this.thought !== null && this.thought !== table.version) {
      this.thought = null
      this.thinker.stop()
    }
    if (table.status === 'live' && table.turn >= MOST_TURNS) return this.change([{ type: 'aborted', seat: null, reason: 'endless' }])
    if (table.flagFalls !== null) this.flag = setTimeout(() => this.fall(), Math.min(Math.max(table.flagFalls - now(), 0) * 1000 + 10, 2 ** 31 - 1))
    if (table.thinking && this.thought === null) void this.think(table.thinking)
  }

  private fall(): void {
    const { table } = this
    if (table.flagFalls !== null && now() >= table.flagFalls) this.change(forfeit(table, table.toMove!, 'time'))
    else this.schedule()
  }

  private async think(player: string): Promise<void> {
    const { table, open } = this
    const [seat, version, began] = [table.toMove!, table.version, performance.now()]
    this.thought = version
    try {
      const move = await this.thinker.ask({ player, seed: table.made.seed + seat, position: table.game.view(seat).position, viewer: seat })
      await sleep(1000 * open.pause - (performance.now() - began))
      if (this.thought !== version) return
      this.thought = null
      table.game.check(move)
      this.change([{ type: 'played', seat, move }])
    } catch (error) {
      if (error instanceof Stopped) return
      await sleep(RETRY)
      if (this.thought !== version) return
      this.thought = null
      this.schedule()
    }
  }

  // ---------------------------------------------------------------------------------------- what people do

  hear(message: Exclude<ToHost, Open>): void {
    if (message.type === 'ping') return say({ type: 'pong' })
    if (message.type === 'close') return void this.close()
    if (this.isLost || !this.table?.version) return
    if (message.type === 'command') this.command(JSON.parse(message.text) as ClientMessage)
    if (message.type === 'hint') void this.advise(message.key)
    if (message.type === 'replay') this.replay(message.key, message.viewer)
  }

  private command(command: ClientMessage): void {
    if (command.type === 'ping') return
    const { key } = command
    const { table, done } = this
    try {
      if (command.type === 'consider') return say({ type: 'continuations', key, moves: consider(table, command.move) })
      if (command.type === 'rematch') return this.rematch(key, command.commit ?? null)
      if (!done.has(key)) {
        this.change(carryOut(table, command, now()))
        done.set(key, table.version)
      }
      say({ type: 'done', key, version: done.get(key)! })
    } catch (error) {
      say({ type: 'refused', key, error: problemOf(error) })
    }
  }

  /** The page makes the next game, under an id that it proposes here; once there is one, it is this. */
  private rematch(key: string, proposed: string | null): void {
    const { table } = this
    if (!table.isFinished) throw new Refused({ code: 'not_over', params: {} })
    if (!table.rematch) this.change([{ type: 'rematched', seat: table.own[0] ?? 0, table: proposed! }])
    say({ type: 'next', id: table.rematch!, wish: again(table) })
    say({ type: 'rematch_ready', key, table: table.rematch! })
  }

  private async advise(key: string): Promise<void> {
    const { table } = this
    const [seat, version] = [table.toMove, table.version]
    if (seat === null || !table.own.includes(seat)) return say({ type: 'refused', key, error: { code: 'not_your_turn', params: {} } })
    try {
      const move = await this.thinker.ask({ player: ADVISER, seed: 0, position: table.game.view(seat).position, viewer: seat })
      if (table.version !== version) throw new Stopped()
      say({ type: 'hinted', key, hint: { level: ADVISER, move: table.game.form(move) } })
    } catch (error) {
      say({ type: 'refused', key, error: { code: error instanceof Stopped ? 'stale' : 'busy', params: {} } })
    }
  }

  private replay(key: string, viewer: number | null): void {
    const { table, splendor } = this
    if (!table.isFinished) return say({ type: 'refused', key, error: { code: 'not_over', params: {} } })
    const record = recordOf(table)
    const replay = splendor.replay(splendor.record(record), viewer ?? 'all')
    say({ type: 'replayed', key, replay: { ...replay, result: table.result ?? replay.result, record } })
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof Refused) return error.problem
  if (error instanceof Unanswerable) return { code: error.code, params: error.params }
  if (error instanceof NotationError) return { code: 'bad_position', params: {} }
  if (error instanceof EngineProblem) return { code: `engine_${error.reason}`, params: {} }
  return { code: 'local_failed', params: { sentence: String(error) } }
}

let game: LocalGame | null = null

function begin(open: Open): void {
  game = new LocalGame(open)
  void game.begin()
}

onmessage = ({ data }: MessageEvent<ToHost>) => {
  if (data.type === 'close' && !game) return close() // the page has gone on before the game was there
  if (data.type !== 'open') return game?.hear(data)
  if (data.how === 'read') return begin(data)
  own(data.id, data.how === 'force', {
    got: () => begin(data),
    lost: () => {
      game?.leave()
      say(ELSEWHERE)
    },
  })
}
