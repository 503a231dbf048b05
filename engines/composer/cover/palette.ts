/** Chooses the colours of a cover by the style and mood of the piece and the seed. */
import type { Random } from '../random.ts'

export interface Palette {
  /** The colours of the background at the top and at the bottom, as CSS colours. */
  ground: readonly [string, string]
  shapes: readonly string[]
  letters: string
}

/** A colour: hue in degrees, saturation and lightness from 0 to 1. */
interface Tone {
  hue: number
  saturation: number
  lightness: number
}

const hues: Readonly<Record<string, readonly number[]>> = {
  pop: [330, 205, 45],
  rock: [8, 28],
  metal: [0, 350],
  country: [30, 42],
  folk: [95, 70, 28],
  jazz: [215, 262, 20],
  blues: [215, 228],
  soul: [18, 300],
  funk: [38, 320, 170],
  reggae: [130, 48],
  bossa: [165, 45],
  latin: [12, 350],
  house: [285, 190],
  techno: [180, 95, 340],
  'hip-hop': [45, 265],
  'lo-fi': [275, 30],
  ambient: [195, 170, 250],
  synthwave: [310, 265],
  'drum and bass': [75, 195],
  chiptune: [120, 250, 330],
  classical: [35, 220],
  cinematic: [200, 25],
  waltz: [345, 40],
  chinese: [2, 160],
}
const muted = new Set(['folk', 'lo-fi', 'ambient', 'classical', 'waltz', 'blues', 'chinese', 'jazz'])

export function paletteOf({ style, isMinor, random }: { style: string; isMinor: boolean; random: Random }): Palette {
  const hue = random.pick(hues[style] ?? [random.index(360)]) + random.between(-14, 14)
  const strength = muted.has(style) ? 0.42 : 0.72
  const isDark = isMinor || random.chance(0.25)
  const turn = random.pick([150, 180, 32, -40])
  const ground: readonly [string, string] = isDark
    ? [css({ hue, saturation: strength * 0.7, lightness: 0.1 }), css({ hue: hue + 25, saturation: strength * 0.8, lightness: 0.27 })]
    : [css({ hue, saturation: strength * 0.7, lightness: 0.9 }), css({ hue: hue + 30, saturation: strength, lightness: 0.74 })]
  const tones: readonly Tone[] = isDark
    ? [
        { hue, saturation: strength, lightness: 0.6 },
        { hue: hue + turn, saturation: strength, lightness: 0.64 },
        { hue: hue + 20, saturation: strength * 0.6, lightness: 0.42 },
        { hue: hue + turn + 20, saturation: strength * 0.5, lightness: 0.82 },
      ]
    : [
        { hue, saturation: strength, lightness: 0.45 },
        { hue: hue + turn, saturation: strength, lightness: 0.52 },
        { hue: hue + 20, saturation: strength * 0.7, lightness: 0.3 },
        { hue: hue + turn + 15, saturation: strength, lightness: 0.68 },
      ]
  return {
    ground,
    shapes: tones.map(css),
    letters: isDark ? css({ hue, saturation: 0.2, lightness: 0.95 }) : css({ hue, saturation: 0.5, lightness: 0.13 }),
  }
}

function css({ hue, saturation, lightness }: Tone): string {
  return `hsl(${((hue % 360) + 360) % 360} ${Math.round(saturation * 100)}% ${Math.round(lightness * 100)}%)`
}
