/**
 * What the WebAssembly modules say, as JSON, to be compared with Python: node equality.ts WHAT FOLDER …
 *
 * The games are those of `reference.py`, which does the same.
 */

import { createHash, type Hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ACTION, EDGES_PER_NODE, NETWORK, OBSERVATION_SIZE, RECORDS, SEARCH, TREE_ARRAYS, TURNS } from '../../web/engine/layout.ts'
import { bytesOf, Module } from '../../web/engine/module.ts'
import { ActionValues, Network } from '../../web/engine/network.ts'
import { Rules } from '../../web/engine/rules.ts'

const [what, folder, ...rest] = process.argv.slice(2) as [string, string, ...string[]]

async function load(name: string): Promise<Module<string>> {
  const { instance } = await WebAssembly.instantiate(readFileSync(`${folder}/${name}.wasm`))
  return new Module(instance)
}

const rules = await load('rules')
const { call } = rules
const STATE = RECORDS.state.size
const { seat: SEAT, phase: PHASE } = RECORDS.state.fields
const [state, view, scratch] = [rules.room(STATE), rules.room(STATE), rules.room(STATE)]
const [mask, seen] = [rules.room(ACTION.ACTIONS), rules.room(OBSERVATION_SIZE)]
const [rng, other, shares, places] = [rules.room(8), rules.room(8), rules.room(16), rules.room(4)]
const [payment, turns, desk, counts] = [rules.room(8), rules.room(RECORDS.turn.size * TURNS.most), rules.room(RECORDS.desk.size), rules.room(64)]

const byte = (at: number): number => rules.bytes(at, 1)[0]!
const isOver = (at: number): boolean => byte(at + PHASE.at) > 2
const seed = (at: number, value: number): void => void (rules.view('u64', at, 1)[0] = BigInt(value))
const copy = (from: number, to: number): void => rules.bytes(to, STATE).set(rules.bytes(from, STATE))

/** A position in the middle of a random game, as the seat that decides sees it. */
function position(players: number, number: number, decisions: number): void {
  seed(rng, number)
  call.setup!(state, players, 0, 0, rng)
  for (let n = 0; n < decisions && !isOver(state); n++) call.apply!(state, call.random_action!(state, rng))
  call.hide!(state, byte(state + SEAT.at))
}

/** Everything that the rules and the hidden cards say in a whole random game. */
function game(players: number, number: number): [number, string] {
  seed(rng, number)
  call.setup!(state, players, number % players, 0, rng)
  const digest = createHash('sha256')
  let decisions = 0
  for (;;) {
    call.legal_mask!(state, mask)
    digest.update(rules.bytes(state, STATE)).update(rules.bytes(mask, ACTION.ACTIONS))
    for (let viewer = 0; viewer < players; viewer++) {
      copy(state, view)
      call.hide!(view, viewer)
      call.observe!(state, viewer, seen)
      digest.update(rules.bytes(view, STATE)).update(rules.bytes(seen, OBSERVATION_SIZE))
    }
    seed(other, decisions)
    call.redeal!(view, other)
    digest.update(rules.bytes(view, STATE))
    if (isOver(state)) break
    call.apply!(state, call.random_action!(state, rng))
    decisions++
  }
  call.write_result!(state, shares, places)
  digest.update(rules.bytes(shares, 16)).update(rules.bytes(places, 4)).update(rules.bytes(rng, 8))
  return [decisions, digest.digest('hex')]
}

/** Every question about every decision of a random game, and all whole turns. */
function questions(players: number, number: number): string {
  const digest = createHash('sha256')
  seed(rng, number)
  call.setup!(state, players, 0, 30, rng)
  while (!isOver(state)) {
    const written = call.write_turns!(state, turns, TURNS.most, desk)
    digest.update(rules.bytes(turns, RECORDS.turn.size * written))
    copy(state, scratch)
    call.hide!(scratch, byte(scratch + SEAT.at))
    for (let action = -1; action <= ACTION.ACTIONS; action++) {
      const isLegal = call.is_legal!(state, action)
      digest.update(Uint8Array.of(isLegal))
      if (!isLegal) continue
      copy(scratch, view)
      rules.bytes(shares, 16).fill(0)
      digest.update(Uint8Array.of(call.play_decision!(view, action, seen, shares)))
      digest.update(rules.bytes(view, STATE)).update(rules.bytes(seen, OBSERVATION_SIZE)).update(rules.bytes(shares, 16))
      if (action < ACTION.BUY_MARKET || action >= ACTION.PASS) continue
      const card = call.card_for_sale!(state, action)
      call.least_gold_payment!(state, byte(state + SEAT.at), card, payment)
      digest.update(rules.bytes(payment, 6)).update(Uint8Array.of(call.is_exact_payment!(state, byte(state + SEAT.at), card, payment)))
      copy(state, view)
      call.apply_paying!(view, action, payment)
      digest.update(rules.bytes(view, STATE))
    }
    call.apply!(state, call.random_action!(state, rng))
  }
  return digest.digest('hex')
}

function perft(players: number, number: number, depth: number): number[] {
  const [states, untried] = [rules.room(STATE * (depth + 1)), rules.room(8 * (depth + 1))]
  rules.bytes(counts, 64).fill(0)
  seed(rng, number)
  call.setup!(states, players, 0, 0, rng)
  call.count_sequences!(states, untried, depth, counts)
  return [...rules.view('i64', counts, depth)].map(Number)
}

interface TreeRoom {
  handle: number
  at: Record<string, number>
}

function newTree(nodes: number): TreeRoom {
  const handle = rules.room(RECORDS.tree.size)
  const at: Record<string, number> = {}
  for (const [name, { of, kind, each }] of Object.entries(TREE_ARRAYS)) {
    const count = { tree: 1, node: nodes, edge: nodes * EDGES_PER_NODE }[of] * each
    at[name] = rules.room(count * bytesOf(kind))
  }
  const fields: Record<string, { at: number }> = RECORDS.tree.fields
  rules.view('i32', handle + fields.nodes!.at, 1)[0] = nodes
  for (const [name, place] of Object.entries(at)) rules.view('i32', handle + fields[name]!.at, 1)[0] = place
  return { handle, at }
}

const NODES = 4096
let [tree, fresh, leaves, settings, paper]: [TreeRoom, TreeRoom, number, number, number] = [null!, null!, 0, 0, 0]

function prepareSearch(): void {
  if (leaves) return
  tree = newTree(NODES)
  fresh = newTree(NODES)
  leaves = rules.room(RECORDS.leaves.size)
  settings = rules.room(RECORDS.settings.size)
  paper = rules.room(RECORDS.paper.size)
  for (const [name, { at, kind }] of Object.entries(RECORDS.settings.fields)) {
    const value = SEARCH.settings[name as keyof typeof SEARCH.settings]
    if (kind === 'i64') rules.view(kind, settings + at, 1)[0] = BigInt(value)
    else rules.view(kind, settings + at, 1)[0] = value
  }
}

/** Every array of a tree as far as it is filled. */
function addTree(digest: Hash, { at }: TreeRoom): void {
  const [nodes, edges] = rules.view('i32', at.used!, 2) as unknown as [number, number]
  for (const [name, { of, kind, each }] of Object.entries(TREE_ARRAYS)) {
    const count = { tree: 1, node: nodes, edge: edges }[of] * each
    digest.update(rules.bytes(at[name]!, count * bytesOf(kind)))
  }
}

function search(players: number, number: number, simulations: number): string {
  prepareSearch()
  position(players, number, 3 * number)
  seed(rng, number)
  seed(other, number)
  call.clear_tree!(tree.handle)
  const digest = createHash('sha256')
  if (isOver(state)) return digest.digest('hex')
  call.simulate!(tree.handle, state, simulations, settings, leaves, paper, other, rng)
  addTree(digest, tree)
  digest.update(rules.bytes(rng, 8))
  // leaves judged from outside, and what is kept of a tree
  call.clear_tree!(fresh.handle)
  call.copy_subtree!(tree.handle, 1, fresh.handle)
  addTree(digest, fresh)
  call.clear_tree!(tree.handle)
  const { priors, shares: won } = RECORDS.leaves.fields
  for (let n = 0; n < 60; n++) {
    call.gather!(tree.handle, state, settings, leaves, other, rng)
    rules.view('f32', leaves + priors.at, priors.count).fill(1 / 72)
    rules.view('f32', leaves + won.at, won.count).fill(1 / players)
    call.back_up!(tree.handle, byte(state + SEAT.at), leaves)
  }
  addTree(digest, tree)
  const found = call.find_position!(tree.handle, state)
  const decisions = [call.likely_decision!(state, paper, rng), call.greedy_decision!(state, 0.5, paper, rng)]
  digest.update(Int32Array.of(found, ...decisions)).update(rules.bytes(rng, 8))
  return digest.digest('hex')
}

/** Of each view in a file: shares and ratings in one of the rotations, and what each decision is worth. */
async function network(views: string): Promise<void> {
  const { instance } = await WebAssembly.instantiate(readFileSync(`${folder}/rules.wasm`))
  const { instance: other } = await WebAssembly.instantiate(readFileSync(`${folder}/network.wasm`))
  const [at, net] = [new Rules(instance), new Network(other, readFileSync(`${folder}/network.bin`))]
  const values = new ActionValues(at, net)
  const [position, row] = [at.newState(), at.module.room(OBSERVATION_SIZE)]
  const all = readFileSync(views)
  const out: Uint8Array[] = []
  for (let n = 0; n * STATE < all.length; n++) {
    at.write(position, all.subarray(n * STATE, (n + 1) * STATE))
    const rated = net.rate(at.observe(position, at.get(position, 'seat'), row), n % NETWORK.rotations)
    out.push(new Uint8Array(rated.buffer), new Uint8Array(values.of(position).buffer))
  }
  process.stdout.write(Buffer.concat(out))
}

const numbers = rest.map(Number)
if (what === 'games') {
  const [players, count] = numbers as [number, number]
  console.log(JSON.stringify(Array.from({ length: count }, (_, n) => game(players, n + 1))))
} else if (what === 'questions') {
  const [players, count] = numbers as [number, number]
  console.log(JSON.stringify(Array.from({ length: count }, (_, n) => questions(players, n + 1))))
} else if (what === 'perft') {
  const [players, number, depth] = numbers as [number, number, number]
  console.log(JSON.stringify(perft(players, number, depth)))
} else if (what === 'search') {
  const [players, count, simulations] = numbers as [number, number, number]
  console.log(JSON.stringify(Array.from({ length: count }, (_, n) => search(players, n + 1, simulations))))
} else if (what === 'network') {
  await network(rest[0]!)
} else if (what === 'beyond') {
  // a seat that does not exist, whose tokens lie far outside of the state
  console.log(call.is_exact_payment!(state, 100_000, 0, payment))
}
