import { createHash, createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { LIMITS } from '../engine/layout'
import { clockText } from '../src/board/seats'
import { agentName } from '../src/lib/agents'
import { count, spread } from '../src/lib/colors'
import { HAND_LIMIT } from '../src/lib/limits'
import { commitTo, newKey, newNonce } from '../src/lib/nonce'
import { hex, hmac, sha256 } from '../src/lib/sha256'

test('the limits that are shown are those of the rules', () => {
  expect(HAND_LIMIT).toBe(LIMITS.HAND_LIMIT)
})

test('our SHA-256 is SHA-256', () => {
  for (const length of [0, 1, 31, 32, 55, 56, 63, 64, 65, 119, 120, 200]) {
    const bytes = randomBytes(length)
    expect(hex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
})

test('our HMAC is HMAC', () => {
  for (const length of [0, 8, 64, 200]) {
    const [key, bytes] = [randomBytes(32), randomBytes(length)]
    expect(hex(hmac(key, bytes))).toBe(createHmac('sha256', key).update(bytes).digest('hex'))
  }
})

test('a commitment is the hash of the bytes that the hexadecimal digits name', () => {
  const nonce = newNonce()
  expect(nonce).toMatch(/^[0-9a-f]{64}$/)
  expect(commitTo(nonce)).toBe(createHash('sha256').update(Buffer.from(nonce, 'hex')).digest('hex'))
})

test('keys fit what the server asks for', () => {
  expect(newKey()).toMatch(/^[A-Za-z0-9_-]{8,64}$/)
  expect(newKey()).not.toBe(newKey())
})

test('clocks', () => {
  expect(clockText(0)).toBe('0:00')
  expect(clockText(-3)).toBe('0:00')
  expect(clockText(64.2)).toBe('1:05')
  expect(clockText(3600)).toBe('1:00:00')
  expect(clockText(3 * 86400 + 7200)).toBe('3 d 2 h')
})

test('tokens are counted and spread in the order of the notation', () => {
  expect(count({ gold: 1, white: 2 })).toBe(3)
  expect(count(null)).toBe(0)
  expect(spread({ gold: 1, white: 2 })).toEqual(['white', 'white', 'gold'])
})

test('a browser is named in two words', () => {
  expect(agentName('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36')).toBe('Chrome, Linux')
  expect(agentName('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1')).toBe('Safari, iOS')
  expect(agentName('Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox, Windows')
  expect(agentName('my own bot')).toBe('my own bot')
})
