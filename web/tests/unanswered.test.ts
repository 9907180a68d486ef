import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Refused } from '../src/api/http'
import { Unanswered } from '../src/host/unanswered'

const BUSY = { code: 'busy', params: {} }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function desk() {
  const sent: string[] = []
  return { sent, unanswered: new Unanswered((text) => sent.push(text)) }
}

test('a move refused as busy is sent again with the same key until it is done', async () => {
  const { sent, unanswered } = desk()
  const move = unanswered.ask('key 1', 'play, key 1')
  for (let times = 1; times <= 3; times++) {
    unanswered.refuse('key 1', BUSY)
    expect(sent.length).toBe(times)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sent.length).toBe(times + 1)
  }
  unanswered.answer('key 1', 'done')
  expect(await move).toBe('done')
  expect(new Set(sent)).toEqual(new Set(['play, key 1']))
})

test('a host that stays busy is given up, and the player is told', async () => {
  const { sent, unanswered } = desk()
  const problem = unanswered.ask('key 1', 'play').catch((error: Refused) => error.problem)
  let told = false
  void problem.then(() => (told = true))
  while (!told) {
    unanswered.refuse('key 1', BUSY)
    await vi.advanceTimersByTimeAsync(10_000)
  }
  expect(await problem).toEqual(BUSY)
  expect(sent.length).toBe(6)
})

test('any other refusal is final', async () => {
  const { sent, unanswered } = desk()
  const problem = unanswered.ask('key 1', 'play').catch((error: Refused) => error.problem.code)
  unanswered.refuse('key 1', { code: 'not_your_turn', params: {} })
  await vi.advanceTimersByTimeAsync(10_000)
  expect([await problem, sent.length]).toEqual(['not_your_turn', 1])
})

test('what was answered while the pause went on is not sent again', async () => {
  const { sent, unanswered } = desk()
  const move = unanswered.ask('key 1', 'play')
  unanswered.refuse('key 1', BUSY)
  unanswered.sendAll() // the line was cut, and is open again
  unanswered.answer('key 1', 'done')
  await vi.advanceTimersByTimeAsync(10_000)
  expect([await move, sent.length]).toEqual(['done', 2])
})
