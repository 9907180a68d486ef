/** A browser in two words, from the long line by which it names itself. */

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const first = (agent: string, names: [RegExp, string][]): string | undefined => names.find(([sign]) => sign.test(agent))?.[1]

export function agentName(agent: string): string {
  const known = [first(agent, BROWSERS), first(agent, SYSTEMS)].filter(Boolean)
  return known.length ? known.join(', ') : agent.slice(0, 40)
}
