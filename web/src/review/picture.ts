/** A review as a picture to share: who played, how it went, how well, and what decided it. Drawn here, sent nowhere. */

import type { Review } from '../api/messages'
import { t } from '../i18n/index.svelte'
import { fine, percent, performanceText, say } from './words'

const [WIDTH, HEIGHT, EDGE] = [1200, 630, 56]
const INK = '#2b2118'
const SOFT = '#6b5d4d'
const SEATS = ['#2f4296', '#96440f', '#2f6a2c', '#7a2054'] // as in the curve of the page
const DASHES = [[], [16, 8], [5, 7], [18, 7, 5, 7]]
const GRADES = ['great', 'best', 'excellent', 'good', 'inaccuracy', 'mistake', 'blunder'] as const

type Pen = CanvasRenderingContext2D

export async function draw(canvas: HTMLCanvasElement, review: Review, names: string[]): Promise<Blob> {
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const pen = canvas.getContext('2d')!
  const style = getComputedStyle(document.documentElement)
  const fonts = { serif: style.getPropertyValue('--serif') || 'serif', sans: style.getPropertyValue('--sans') || 'sans-serif' }
  await document.fonts.ready
  paper(pen)
  const text = (words: string, x: number, y: number, size: number, { bold = false, color = INK, face = fonts.sans, end = false, width = WIDTH - 2 * EDGE } = {}): void => {
    pen.font = `${bold ? 700 : 400} ${size}px ${face}`
    pen.fillStyle = color
    pen.textAlign = end ? 'right' : 'left'
    pen.fillText(words, x, y, width)
  }

  text(`${t('app.name')} · ${say('title')}`, EDGE, 78, 40, { bold: true, face: fonts.serif, width: 620 })
  text(location.host, WIDTH - EDGE, 78, 26, { color: SOFT, end: true, width: 400 })
  if (review.is_over) text(say(`decided.${review.decided_by}`), EDGE, 118, 26, { color: SOFT })
  curve(pen, review, 146, 196)

  const rows = review.summary
  const height = (HEIGHT - 366 - 24) / rows.length
  rows.forEach((row, seat) => {
    const y = 366 + height * seat + Math.min(height, 100) / 2
    const won = review.is_over && row.result > 0
    line(pen, seat, [[EDGE, y - 8], [EDGE + 64, y - 8]])
    text(`${won ? '★ ' : ''}${names[seat] ?? ''}`, EDGE + 84, y, 32, { bold: true, face: fonts.serif, width: 300 })
    text(`${say('accuracy')} ${row.accuracy === null ? '–' : Math.round(row.accuracy)}`, 480, y, 28, { bold: true, width: 230 })
    text(performanceText(row.performance), 730, y, 24, { width: 260 })
    text(review.is_over ? fine(row.result) : percent(row.result), WIDTH - EDGE, y, 28, { bold: true, end: true, width: 140 })
    const counts = GRADES.filter((grade) => row.grades[grade]).map((grade) => `${row.grades[grade]} ${say(`grade.${grade}`)}`)
    if (height > 76) text([...counts, `${say('luck')} ${fine(row.luck)}`].join('  ·  '), EDGE + 84, y + 34, 20, { color: SOFT, width: WIDTH - 2 * EDGE - 84 })
  })
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'))
}

function paper(pen: Pen): void {
  pen.fillStyle = '#f7efe0'
  pen.fillRect(0, 0, WIDTH, HEIGHT)
  pen.strokeStyle = '#b9943f'
  pen.lineWidth = 8
  pen.strokeRect(12, 12, WIDTH - 24, HEIGHT - 24)
}

function curve(pen: Pen, review: Review, top: number, height: number): void {
  const points = [review.start, ...(review.turns ?? []).map((turn) => turn.shares)]
  const width = WIDTH - 2 * EDGE
  pen.fillStyle = '#fffaf0'
  pen.fillRect(EDGE, top, width, height)
  pen.strokeStyle = '#d9c9a8'
  pen.lineWidth = 2
  pen.setLineDash([])
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    pen.beginPath()
    pen.moveTo(EDGE, top + share * height)
    pen.lineTo(EDGE + width, top + share * height)
    pen.stroke()
  }
  review.summary.forEach((_, seat) => {
    line(pen, seat, points.map((shares, n) => [EDGE + (n / Math.max(points.length - 1, 1)) * width, top + (1 - (shares[seat] ?? 0)) * height]))
  })
}

/** A line in the color and the dashes of a seat. */
function line(pen: Pen, seat: number, points: [number, number][]): void {
  pen.strokeStyle = SEATS[seat]!
  pen.setLineDash(DASHES[seat]!)
  pen.lineWidth = 5
  pen.lineJoin = 'round'
  pen.beginPath()
  points.forEach(([x, y], n) => (n ? pen.lineTo(x, y) : pen.moveTo(x, y)))
  pen.stroke()
  pen.setLineDash([])
}
