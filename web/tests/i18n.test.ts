import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { de } from '../src/i18n/de'
import { en, type Key } from '../src/i18n/en'
import { format, parametersOf } from '../src/i18n/format'
import { nb } from '../src/i18n/nb'
import { nl } from '../src/i18n/nl'
import { RULES } from '../src/i18n/rules'

const languages = { en, de, nl, nb }
const keys = Object.keys(en) as Key[]

function sources(folder: string, ending: string): string {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => (statSync(path).isDirectory() ? sources(path, ending) : path.endsWith(ending) ? readFileSync(path, 'utf8') : ''))
    .join('\n')
}

describe.each(Object.entries(languages))('%s', (code, texts) => {
  test('has every text, and none that is empty', () => {
    expect(Object.keys(texts).sort()).toEqual([...keys].sort())
    expect(keys.filter((key) => !texts[key].trim())).toEqual([])
  })

  test('uses the same parameters as English', () => {
    for (const key of keys) expect([key, parametersOf(texts[key])]).toEqual([key, parametersOf(en[key])])
  })

  test('has its own words', () => {
    if (code === 'en') return
    const same = keys.filter((key) => texts[key] === en[key] && /[a-z]{4}/.test(en[key].replace(/\{[^}]*\}/g, '')))
    expect(same.length).toBeLessThan(25) // names and words that are the same in both
  })

  test('leaves no placeholder when filled', () => {
    for (const key of keys) {
      const filled = format(code, texts[key], Object.fromEntries(parametersOf(en[key]).map((name) => [name, 2])))
      expect(filled).not.toMatch(/[{}|#]/)
    }
  })
})

test.each(['apprentice', 'journeyman', 'artisan', 'master', 'grandmaster'])('the level %s has a name and a line on what to expect', (level) => {
  for (const texts of Object.values(languages)) {
    const all: Record<string, string> = texts
    expect(all[`level.${level}`]).toBeTruthy()
    expect(all[`level.${level}.hint`]).toMatch(/\.$/)
  }
})

describe('plurals', () => {
  test('one, none and many', () => {
    expect(format('en', en['gem.red'], { n: 1 })).toBe('1 ruby')
    expect(format('en', en['gem.red'], { n: 0 })).toBe('0 rubies')
    expect(format('en', en['gem.red'], { n: 3 })).toBe('3 rubies')
    expect(format('de', de['gem.white'], { n: 1 })).toBe('1 Diamant')
    expect(format('de', de['gem.white'], { n: 2 })).toBe('2 Diamanten')
    expect(format('nl', nl['unit.points'], { n: 1 })).toBe('1 prestigepunt')
    expect(format('nl', nl['unit.points'], { n: 15 })).toBe('15 prestigepunten')
    expect(format('nb', nb['gem.blue'], { n: 1 })).toBe('1 safir')
    expect(format('nb', nb['gem.blue'], { n: 10 })).toBe('10 safirer')
  })

  test('a missing parameter stays visible instead of breaking', () => {
    expect(format('en', 'Hello {name}', {})).toBe('Hello {name}')
  })
})

test('every text is used somewhere', () => {
  const code = sources('src', '.svelte') + sources('src/lib', '.ts') + sources('src/learn', '.ts') + sources('src/board', '.ts')
  const prefixes = ['gem.', 'name.', 'color.', 'level.', 'error.', 'illegal.', 'new.clock.']
  const unused = keys.filter((key) => !code.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)))
  expect(unused).toEqual([])
})

test('every refusal of the server has words', () => {
  const server = sources('../src/splendor/server', '.py')
  const technical = new Set(['invalid', 'wrong_host', 'wrong_origin', 'missing_scope', 'wrong_nonce', 'no_nonce_expected', 'already_committed',
    'own_offer', 'not_absent', 'has_played', 'not_registered', 'no_such_seat', 'no_such_level', 'device_needs_you', 'one_seat_is_yours',
    'nobody_plays', 'not_over', 'illegal_move']) // cannot be provoked by this client, or are said through their reason
  const codes = new Set([...server.matchAll(/(?:Refused|BadName)\(\s*"([a-z_]+)"/g)].map((match) => match[1]!))
  expect([...codes].filter((one) => !technical.has(one) && !(`error.${one}` in en))).toEqual([])
})

test('the rules page has the same chapters in every language', () => {
  const shape = RULES.en.map((chapter) => chapter.text.length)
  for (const chapters of Object.values(RULES)) expect(chapters.map((chapter) => chapter.text.length)).toEqual(shape)
})
