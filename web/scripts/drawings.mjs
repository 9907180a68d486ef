// Hands the client's drawings to the server, which makes pictures of positions from them: gems, scenes and nobles as
// SVG, the colors that the style sheets give them, the words of links, and the font as files that a renderer reads.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { fontOf } from './fonts.mjs'

const ROOT = new URL('..', import.meta.url).pathname
const NOBLES = new URL('../../src/splendor/data/nobles.csv', import.meta.url).pathname
const FONTS = ['latin', 'latin-ext', 'cyrillic', 'greek'].map((letters) => `alegreya-sans-${letters}-700-normal`)
const GEMS = ['white', 'blue', 'green', 'red', 'black']
const LANGUAGES = ['en', 'de', 'nl', 'nb']

/** Writes the folder `pictures` into a built client. */
export async function writeDrawings(out) {
  const folder = join(out, 'pictures')
  mkdirSync(folder, { recursive: true })
  const vite = await createServer({ root: ROOT, appType: 'custom', logLevel: 'warn', server: { middlewareMode: true, hmr: false, ws: false }, optimizeDeps: { noDiscovery: true, include: [] } })
  try {
    const { render } = await vite.ssrLoadModule('svelte/server')
    const drawn = async (name, props = {}) => render((await vite.ssrLoadModule(`/src/art/${name}.svelte`)).default, { props }).body.replaceAll(/<!--.*?-->/gs, '')
    const symbols = [...(await drawn('Sprite')).matchAll(/<symbol id="([\w-]+)".*?<\/symbol>/gs)].map(([whole, id]) => [id, whole])
    const nobles = []
    for (const noble of table(NOBLES)) {
      const svg = await drawn('Noble', { id: noble.id, cost: noble })
      nobles.push([noble.id, /<svg[^>]*>(.*)<\/svg>/s.exec(svg)[1]])
    }
    const card = colors('src/board/Card.svelte', [...GEMS, 'level-1', 'level-2', 'level-3'])
    const token = colors('src/art/Token.svelte', [...GEMS, 'gold'])
    const words = {}
    for (const language of LANGUAGES) {
      const all = (await vite.ssrLoadModule(`/src/i18n/${language}.ts`))[language]
      const needed = Object.entries(all).filter(([key]) => /^level\.\w+$|^person\.(guest|seat)$/.test(key))
      words[language] = { ...Object.fromEntries(needed), ...(await vite.ssrLoadModule('/src/i18n/links.ts')).links[language] }
    }
    writeFileSync(join(folder, 'drawings.json'), JSON.stringify({ symbols: Object.fromEntries(symbols), nobles: Object.fromEntries(nobles), card, token, words }))
  } finally {
    await vite.close()
  }
  for (const name of FONTS) writeFileSync(join(folder, `${name}.ttf`), fontOf(readFileSync(join(ROOT, `node_modules/@fontsource/alegreya-sans/files/${name}.woff`))))
}

/** The rows of a table of numbers. */
function table(path) {
  const [head, ...rows] = readFileSync(path, 'utf8').trim().split('\n').map((line) => line.trim().split(','))
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, Number(row[i])])))
}

/** The custom properties that a component's style gives these classes, by class and name. */
function colors(file, classes) {
  const style = readFileSync(join(ROOT, file), 'utf8')
  return Object.fromEntries(
    classes.map((name) => {
      const rule = new RegExp(`^ *\\.${name} \\{((?: --\\w+: [^;]+;)+) \\}$`, 'm').exec(style)
      if (!rule) throw new Error(`${file} has no line with the colors of .${name}`)
      return [name, Object.fromEntries([...rule[1].matchAll(/--(\w+): ([^;]+);/g)].map(([, key, value]) => [key, value]))]
    }),
  )
}
