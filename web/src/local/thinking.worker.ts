/** Where computers think: an engine of its own, so that nothing else waits. It is given views, never hidden cards. */

import { EngineProblem, formatMove, load, type Player, type Splendor } from '../../engine/index.ts'
import { withoutNetwork } from './levels'
import type { FromThinker, ToThinker } from './protocol'

const SAMPLE = 24 // simulations that say how fast this device is

const say = (message: FromThinker): void => postMessage(message)
const reasonOf = (error: unknown): string => (error instanceof EngineProblem ? error.reason : 'failed')
const players = new Map<string, Player>()
let engine: Promise<Splendor> | null = null
let stop = new AbortController()
let last = Promise.resolve() // an engine does one thing at a time

async function begin(folder: string): Promise<Splendor> {
  try {
    const splendor = await load({ base: folder, network: true })
    say({ type: 'ready', milliseconds: await pace(splendor), reason: null })
    return splendor
  } catch (error) {
    const splendor = await load({ base: folder }) // some computers need no network
    say({ type: 'ready', milliseconds: null, reason: reasonOf(error) })
    return splendor
  }
}

/** The milliseconds that a position takes. */
async function pace(splendor: Splendor): Promise<number> {
  const search = splendor.search(splendor.deal({ players: 2, seed: 1 }).view(0), { seed: 1 })
  await search.run({ simulations: 2 }) // the browser compiles what runs for the first time
  const start = performance.now()
  await search.run({ simulations: SAMPLE })
  return (performance.now() - start) / SAMPLE
}

async function think({ number, player: name, seed, position, viewer }: Extract<ToThinker, { type: 'think' }>, { signal }: AbortController): Promise<void> {
  if (signal.aborted) return
  try {
    const splendor = await engine!
    const wanted = splendor.hasNetwork ? name : withoutNetwork(name)
    const key = `${wanted} ${seed}`
    const player = players.get(key) ?? splendor.player(wanted, { seed })
    players.set(key, player)
    const move = await player.choose(splendor.view(position, viewer), { signal })
    if (!signal.aborted) say({ type: 'thought', number, move: formatMove(move) })
  } catch (error) {
    say({ type: 'failed', number, reason: reasonOf(error) })
  }
}

onmessage = ({ data }: MessageEvent<ToThinker>) => {
  if (data.type === 'begin') engine = begin(data.engine)
  else if (data.type === 'ping') say({ type: 'pong' })
  else if (data.type === 'stop') stop.abort()
  else {
    const control = (stop = new AbortController())
    last = last.then(() => think(data, control))
  }
}
