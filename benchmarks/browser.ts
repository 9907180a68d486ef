/** The WebAssembly side of `browser.py`: answers each line of input with the seconds that one round took. */

import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { OBSERVATION_SIZE, RECORDS } from '../web/engine/layout.ts'
import { load } from '../web/engine/index.ts'
import { Network } from '../web/engine/network.ts'
import { Rules } from '../web/engine/rules.ts'
import { Desk, Search } from '../web/engine/search.ts'

const [folder] = process.argv.slice(2) as [string]
const read = (name: string) => readFileSync(`${folder}/${name}`)
const instance = async (name: string) => (await WebAssembly.instantiate(read(name))).instance
const rules = new Rules(await instance('rules.wasm'))
const network = new Network(await instance('network.wasm'), read('network.bin'))
const { module } = rules
const splendor = await load({ base: pathToFileURL(`${folder}/`) })
const desk = new Desk(rules)
const seen = module.room(OBSERVATION_SIZE)

const GAMES = 500
const [states, rngs, counts] = [module.room(RECORDS.state.size * GAMES), module.room(8 * GAMES), module.room(4 * GAMES)]
const [shares, places] = [module.room(16 * GAMES), module.room(4 * GAMES)]

function seconds(work: () => void): number {
  const begun = performance.now()
  work()
  return (performance.now() - begun) / 1000
}

const rounds: Record<string, (text: string) => number | Promise<number>> = {
  playouts(players) {
    module.view('u64', rngs, GAMES).set(BigUint64Array.from({ length: GAMES }, (_, n) => BigInt(n)))
    return seconds(() => module.call.play_out_games!(GAMES, states, rngs, Number(players), counts, shares, places))
  },
  search(position) {
    const game = splendor.position(position)
    const search = new Search(rules, desk, game.view(game.seat), { seed: 1 })
    return seconds(() => search.simulate(1000))
  },
  network(position) {
    const game = splendor.position(position)
    const view = game.view(game.seat)
    const row = rules.withState(view.bytes, (at) => rules.observe(at, view.seat, seen).slice())
    return seconds(() => network.rate(row))
  },
  async start() {
    const begun = performance.now()
    new Rules(await instance('rules.wasm'))
    return (performance.now() - begun) / 1000
  },
  memory: () => module.size / 1e6,
}

for await (const line of createInterface(process.stdin)) {
  const [what, ...rest] = line.split(' ')
  console.log(await rounds[what!]!(rest.join(' ')))
}
