/** How each of the ten nobles looks: heads of our own invention, drawn from a few parts by Noble.svelte. */

export interface Look {
  skin: string
  hair: string
  garb: string
  trim: string
  hat: 'crown' | 'hood' | 'beret' | 'coif' | 'doge' | 'laurel' | 'veil' | 'turban' | 'flat' | 'tiara'
  collar: 'ruff' | 'fur' | 'square' | 'high'
  beard: boolean
}

const looks: Look[] = [
  { skin: '#e8bf98', hair: '#5a2f1a', garb: '#8c1d2a', trim: '#d9b25f', hat: 'crown', collar: 'fur', beard: true },
  { skin: '#f0cdaa', hair: '#b5652a', garb: '#1d5b41', trim: '#d9b25f', hat: 'hood', collar: 'square', beard: false },
  { skin: '#c98f63', hair: '#231813', garb: '#2a6a4c', trim: '#c8323a', hat: 'turban', collar: 'high', beard: true },
  { skin: '#f2d3b3', hair: '#8a5a2b', garb: '#23508f', trim: '#e9dcc0', hat: 'beret', collar: 'ruff', beard: false },
  { skin: '#e6bd97', hair: '#d9c08a', garb: '#1f5f86', trim: '#d9b25f', hat: 'laurel', collar: 'square', beard: false },
  { skin: '#efcbaa', hair: '#3a2318', garb: '#2f2936', trim: '#c8323a', hat: 'flat', collar: 'fur', beard: true },
  { skin: '#8f5d3c', hair: '#17110d', garb: '#3a3540', trim: '#8fbcf0', hat: 'tiara', collar: 'square', beard: false },
  { skin: '#e9c3a0', hair: '#dedad2', garb: '#b98b2e', trim: '#f4f1ea', hat: 'doge', collar: 'high', beard: true },
  { skin: '#f1d2b4', hair: '#4a3020', garb: '#26222c', trim: '#f4f1ea', hat: 'veil', collar: 'high', beard: false },
  { skin: '#e4b78d', hair: '#6b3d1f', garb: '#2b5da3', trim: '#f4f1ea', hat: 'coif', collar: 'ruff', beard: false },
]

export const lookOf = (noble: number): Look => looks[(noble - 1) % looks.length]!
