import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { WORDS as ANALYSIS } from '../src/analysis/texts'
import { WORDS as CALENDAR } from '../src/calendar/texts'
import { WORDS as CHAT } from '../src/chat/texts'
import { WORDS as COMPANY } from '../src/company/texts'
import { de } from '../src/i18n/de'
import { en, type Key } from '../src/i18n/en'
import { format, parametersOf } from '../src/i18n/format'
import { links } from '../src/i18n/links'
import { nb } from '../src/i18n/nb'
import { nl } from '../src/i18n/nl'
import { RULES } from '../src/i18n/rules'
import { WORDS as IMPORTS } from '../src/imports/texts'
import { WORDS as PEOPLE } from '../src/people/texts'
import { WORDS as PLAYON } from '../src/playon/texts'
import { WORDS as PUSH } from '../src/push/texts'
import { WORDS as REVIEW } from '../src/review/texts'

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
  const code = sources('src', '.svelte') + sources('src/lib', '.ts') + sources('src/learn', '.ts') + sources('src/board', '.ts') + sources('src/pages', '.ts')
  const prefixes = ['settings.theme.', 'settings.table.', 'settings.back.', 'settings.motion.', 'settings.analyses.', 'settings.computers.', 'remark.', 'hint.', 'gem.', 'name.', 'color.', 'level.', 'error.', 'illegal.', 'new.clock.']
  const unused = keys.filter((key) => !code.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)))
  expect(unused).toEqual([])
})

test('every refusal of the server has words', () => {
  const server = sources('../src/splendor/server', '.py')
  const technical = new Set(['invalid', 'wrong_host', 'wrong_origin', 'missing_scope', 'wrong_nonce', 'no_nonce_expected', 'already_committed',
    'own_offer', 'not_absent', 'has_played', 'not_registered', 'no_such_seat', 'no_such_level', 'device_needs_you', 'one_seat_is_yours',
    'nobody_plays', 'not_over', 'illegal_move', 'other_players', 'unfinished_turn', 'bad_subscription']) // cannot be provoked by this client, or are said through their reason
  const codes = new Set([...server.matchAll(/(?:Refused|BadName)\(\s*"([a-z_]+)"/g)].map((match) => match[1]!))
  expect([...codes].filter((one) => !technical.has(one) && !(`error.${one}` in en))).toEqual([])
})

test('every reason why a position cannot be has words, about the same things', () => {
  const checks = readFileSync('../src/splendor/notation/checks.py', 'utf8')
  const sentences = [...checks.matchAll(/^ {4}"(\w+)": "(.+)",$/gm)]
  expect(sentences.length).toBeGreaterThan(12)
  const english: Record<string, string> = ANALYSIS.en
  for (const [, code, sentence] of sentences) {
    const spoken = parametersOf(sentence!.replace('{seat}', '{name}')).filter((name) => name !== 'players') // the number of tokens says it already
    expect([code, parametersOf(english[`check.${code}`] ?? '')]).toEqual([code, spoken])
  }
})

test('every reason why a game cannot be reviewed, and every note of a review, has words', () => {
  const game = readFileSync('../src/splendor/game/game.py', 'utf8')
  const study = readFileSync('../src/splendor/server/live/study.py', 'utf8')
  const reviewer = readFileSync('../src/splendor/analysis/reviewer.py', 'utf8')
  const codes = [
    ...[...game.matchAll(/IllegalRecord\([^)]*?"(\w+)"[,)]/gs)].map((match) => `why.${match[1]}`),
    ...[...study.matchAll(/why="(\w+)"/g)].map((match) => `why.${match[1]}`),
    ...[...reviewer.matchAll(/NotReviewable\([^)]*?"(\w+)"[,)]/gs)].map((match) => `why.${match[1]}`),
    ...[...reviewer.matchAll(/Note\(code="(\w+)"/g)].map((match) => `note.${match[1]}`),
  ]
  expect(codes.length).toBeGreaterThan(11)
  expect(codes.filter((code) => !(code in REVIEW.en))).toEqual([])
})

test('what links say has the same parameters in every language', () => {
  for (const texts of Object.values(links)) {
    for (const [key, text] of Object.entries(links.en)) expect([key, parametersOf(texts[key as keyof typeof texts])]).toEqual([key, parametersOf(text)])
  }
})

test('the rules page has the same chapters in every language', () => {
  const shape = RULES.en.map((chapter) => chapter.text.length)
  for (const chapters of Object.values(RULES)) expect(chapters.map((chapter) => chapter.text.length)).toEqual(shape)
})

describe.each(Object.entries({ analysis: ANALYSIS, calendar: CALENDAR, chat: CHAT, company: COMPANY, imports: IMPORTS, people: PEOPLE, playon: PLAYON, push: PUSH, review: REVIEW }))('the words of the page %s', (folder, words) => {
  const english: Record<string, string> = words.en

  test.each(Object.entries(words))('%s says everything, with the same parameters', (code, texts: Record<string, string>) => {
    expect(Object.keys(texts)).toEqual(Object.keys(english))
    for (const key of Object.keys(english)) {
      expect([key, parametersOf(texts[key]!)]).toEqual([key, parametersOf(english[key]!)])
      const filled = format(code, texts[key]!, Object.fromEntries(parametersOf(english[key]!).map((name) => [name, 2])))
      expect(filled).toMatch(/\S/)
      expect(filled).not.toMatch(/[{}|#]/)
    }
  })

  test('are all used', () => {
    const code = sources(`src/${folder}`, '.svelte') + sources('src/pages', '.svelte') + sources(`src/${folder}`, 'words.ts') + sources('src/company', 'seeking.ts') + sources('src/lib', 'avatars.ts')
    expect(Object.keys(english).filter((key) => !code.includes(`'${key}'`) && !/^(grade|reason|decided|check|why|note|said|swing)\.|^by_(here|server)$/.test(key))).toEqual([])
  })
})
