// A web font as a font file for renderers that read no other, and with lining figures in the place of the old-style
// ones, where it has them: style sheets ask for these with `lining-nums`, which such a renderer does not know.
import { inflateSync } from 'node:zlib'

const FIGURES = [...'0123456789'].map((figure) => figure.charCodeAt(0))

/** The font in a WOFF file. */
export function fontOf(woff) {
  const tables = unpacked(woff)
  const glyphs = charactersOf(tables.get('cmap'))
  const lining = tables.has('GSUB') ? liningOf(tables.get('GSUB')) : new Map()
  for (const figure of FIGURES) if (glyphs.has(figure)) glyphs.set(figure, lining.get(glyphs.get(figure)) ?? glyphs.get(figure))
  tables.set('cmap', cmapOf(glyphs))
  tables.delete('GSUB')
  return packed(woff.readUInt32BE(4), tables)
}

/** The tables of a WOFF file by name; each may be deflated. */
function unpacked(woff) {
  const tables = new Map()
  for (let n = 0; n < woff.readUInt16BE(12); n++) {
    const entry = 44 + 20 * n
    const [offset, length, size] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field))
    const data = woff.subarray(offset, offset + length)
    tables.set(woff.toString('latin1', entry, entry + 4), length < size ? inflateSync(data) : data)
  }
  return tables
}

/** Tables as a font file. Nobody who reads these checks the sums. */
function packed(flavor, tables) {
  const power = 2 ** Math.floor(Math.log2(tables.size))
  const head = Buffer.alloc(12 + 16 * tables.size)
  head.writeUInt32BE(flavor, 0)
  for (const [n, value] of [tables.size, power * 16, Math.log2(power), (tables.size - power) * 16].entries()) head.writeUInt16BE(value, 4 + 2 * n)
  const parts = [head]
  let at = head.length
  for (const [n, name] of [...tables.keys()].sort().entries()) {
    const table = tables.get(name)
    head.write(name, 12 + 16 * n, 'latin1')
    head.writeUInt32BE(at, 20 + 16 * n)
    head.writeUInt32BE(table.length, 24 + 16 * n)
    parts.push(table, Buffer.alloc((4 - (table.length % 4)) % 4))
    at += table.length + parts.at(-1).length
  }
  return Buffer.concat(parts)
}

/** The glyph of each character, by the first subtable of format 4. */
function charactersOf(cmap) {
  const glyphs = new Map()
  const starts = Array.from({ length: cmap.readUInt16BE(2) }, (_, n) => cmap.readUInt32BE(8 + 8 * n))
  const at = starts.find((start) => cmap.readUInt16BE(start) === 4)
  const double = cmap.readUInt16BE(at + 6) // twice the number of segments
  for (let n = 0; n < double; n += 2) {
    const [last, first, delta, range] = [14, 16 + double, 16 + 2 * double, 16 + 3 * double].map((field) => cmap.readUInt16BE(at + field + n))
    for (let character = first; character <= last && character < 0xffff; character++) {
      const glyph = range ? cmap.readUInt16BE(at + 16 + 3 * double + n + range + 2 * (character - first)) : character
      if (glyph || !range) glyphs.set(character, (glyph + delta) & 0xffff)
    }
  }
  return glyphs
}

/** A table that says the same, in format 12. */
function cmapOf(glyphs) {
  const table = Buffer.alloc(28 + 12 * glyphs.size)
  for (const [at, value] of [[2, 1], [4, 3], [6, 10], [12, 12]]) table.writeUInt16BE(value, at)
  for (const [at, value] of [[8, 12], [16, table.length - 12], [24, glyphs.size]]) table.writeUInt32BE(value, at)
  for (const [n, [character, glyph]] of [...glyphs].sort(([a], [b]) => a - b).entries()) {
    for (const [i, value] of [character, character, glyph].entries()) table.writeUInt32BE(value, 28 + 12 * n + 4 * i)
  }
  return table
}

/** The lining figure for each glyph that has one: the single substitutions of the feature `lnum`. */
function liningOf(gsub) {
  const [, , , features, lookups] = [0, 2, 4, 6, 8].map((field) => gsub.readUInt16BE(field))
  const found = new Map()
  for (let n = 0; n < gsub.readUInt16BE(features); n++) {
    const record = features + 2 + 6 * n
    if (gsub.toString('latin1', record, record + 4) !== 'lnum') continue
    const feature = features + gsub.readUInt16BE(record + 4)
    for (let i = 0; i < gsub.readUInt16BE(feature + 2); i++) {
      const lookup = lookups + gsub.readUInt16BE(lookups + 2 + 2 * gsub.readUInt16BE(feature + 4 + 2 * i))
      for (let k = 0; k < gsub.readUInt16BE(lookup + 4); k++) substitutions(gsub, lookup + gsub.readUInt16BE(lookup + 6 + 2 * k), found)
    }
  }
  return found
}

/** One subtable of single substitutions, in either of its formats. */
function substitutions(gsub, at, found) {
  for (const [n, glyph] of covered(gsub, at + gsub.readUInt16BE(at + 2)).entries()) {
    const isList = gsub.readUInt16BE(at) === 2
    found.set(glyph, isList ? gsub.readUInt16BE(at + 6 + 2 * n) : (glyph + gsub.readUInt16BE(at + 4)) & 0xffff)
  }
}

function covered(gsub, at) {
  const count = gsub.readUInt16BE(at + 2)
  if (gsub.readUInt16BE(at) === 1) return Array.from({ length: count }, (_, n) => gsub.readUInt16BE(at + 4 + 2 * n))
  return Array.from({ length: count }, (_, n) => [gsub.readUInt16BE(at + 4 + 6 * n), gsub.readUInt16BE(at + 6 + 6 * n)]).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i),
  )
}
