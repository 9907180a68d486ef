/** What a board shows about the player in a seat, beside the hand. */

export interface SeatInfo {
  name: string
  avatar?: string // the picture that stands for the player
  online: boolean | null // null: nothing to say
  clock: string | null
  low: boolean
}

/** "4:05", or days and hours. */
export function clockText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds))
  if (left >= 86400) return `${Math.floor(left / 86400)} d ${Math.floor((left % 86400) / 3600)} h`
  const [h, m, s] = [Math.floor(left / 3600), Math.floor((left % 3600) / 60), left % 60]
  const two = (n: number): string => String(n).padStart(2, '0')
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
