/** Fills the texts: `{name}` is a parameter, `{n|token|tokens}` a word that follows a number, `#` in it the number. */

export type Params = Record<string, string | number>

const PART = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g

const rules = new Map<string, Intl.PluralRules>()

function isOne(language: string, n: number): boolean {
  let rule = rules.get(language)
  if (!rule) rules.set(language, (rule = new Intl.PluralRules(language)))
  return rule.select(n) === 'one'
}

export function format(language: string, text: string, params: Params = {}): string {
  return text.replace(PART, (whole, name: string, one?: string, other?: string) => {
    const value = params[name]
    if (value === undefined) return whole
    if (one === undefined || other === undefined) return String(value)
    return (isOne(language, Number(value)) ? one : other).replace('#', String(value))
  })
}

/** The names of the parameters of a text, for the test that all languages have the same. */
export const parametersOf = (text: string): string[] => [...new Set([...text.matchAll(PART)].map((m) => m[1]!))].sort()
