import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Point } from '../artwork.ts'
import { blob, ellipse, fill, form, line, polygon, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { HeadFrame } from '../person/head.ts'
import { paintWorn } from '../person/headwear.ts'

export interface WornItem {
  kind: string
  colour: string
}

/** Colours of worn things for which the prompt gives no colour. */
const wornColours: Record<string, string> = {
  crown: '#f2c230',
  tiara: '#f2c230',
  glasses: '#3a3a44',
  sunglasses: '#22222a',
  'witch-hat': '#4b2a6b',
  'wizard-hat': '#33408f',
  'chef-hat': '#fbfaf6',
  'cowboy-hat': '#8a5a32',
  'straw-hat': '#e6c46e',
  'top-hat': '#26232c',
  'bowler-hat': '#2b2830',
  'graduation-cap': '#26232c',
  'pirate-hat': '#26222b',
  'space-helmet': '#f2f5f8',
  'eye-patch': '#1d1a20',
  helmet: '#d8d8de',
  mask: '#f1f4f6',
  headphones: '#33333d',
  hat: '#6b4a32',
  necklace: '#e2b93c',
  collar: '#c8262f',
}

export function wornColour({ kind, colour }: { kind: string; colour?: string }): string {
  return colour ?? wornColours[kind] ?? '#c8313f'
}

export function isNeckwear(kind: string): boolean {
  return /^(scarf|tie|bow-tie|necklace|bandana|collar|cape|backpack|earrings)$/.test(kind)
}

/** Draws headwear on the head of an animal. Hats are drawn higher and smaller than on a person,
 *  because their shapes are made for a head with hair. */
export function paintHeadwear(context: SKRSContext2D, frame: HeadFrame, worn: WornItem): void {
  const isOnTop = /hat|cap|crown|tiara|helmet|beanie|beret|hood|turban|fez|feathers/.test(worn.kind) && worn.kind !== 'space-helmet'
  context.save()
  if (isOnTop) context.translate(0, -frame.h * 0.26)
  paintWorn(context, isOnTop ? { ...frame, w: frame.w * 0.84, h: frame.h * 0.84 } : frame, worn)
  context.restore()
}

/** Draws a scarf, a tie or another thing worn around the neck. `at` is the point below the chin,
 *  with the width of the neck in units. */
export function paintNeckwear(context: SKRSContext2D, at: Point & { width: number }, { kind, colour }: WornItem): void {
  const r = at.width / 2
  const { x, y } = at
  const band = (tone: string, thick: number) =>
    form(
      context,
      blob([
        x - r,
        y - r * 0.16,
        x,
        y + r * 0.18,
        x + r,
        y - r * 0.16,
        x + r * 1.02,
        y + r * (thick - 0.16),
        x,
        y + r * (thick + 0.18),
        x - r * 1.02,
        y + r * (thick - 0.16),
      ]),
      tone,
      { depth: r * 0.08 },
    )
  switch (kind) {
    case 'tie':
      band('#fbfaf6', 0.2)
      form(context, polygon(scaled([-0.16, 0.2, 0.16, 0.2, 0.3, 1.3, 0, 1.6, -0.3, 1.3], [r, r], [x, y])), colour, { depth: r * 0.06 })
      return
    case 'bow-tie':
      for (const side of [-1, 1])
        form(context, blob(scaled([0, 0.16, 0.66, -0.24, 0.74, 0.2, 0.66, 0.6], [side * r, r], [x, y])), colour, { depth: r * 0.06 })
      form(context, ellipse(x, y + r * 0.18, r * 0.17, r * 0.2), shade(colour, -0.2), { depth: r * 0.03 })
      return
    case 'necklace':
      for (let i = -4; i <= 4; i++)
        form(context, ellipse(x + i * r * 0.23, y + r * (0.5 - i * i * 0.035), r * 0.13, r * 0.13), colour, { depth: r * 0.03 })
      return
    case 'scarf':
      band(colour, 0.5)
      form(context, polygon(scaled([0.1, 0.4, 0.52, 0.34, 0.62, 1.5, 0.16, 1.54], [r, r], [x, y])), shade(colour, -0.1), {
        depth: r * 0.06,
      })
      for (const step of [1.1, 1.3])
        line(context, [x + r * 0.2, y + r * step, x + r * 0.54, y + r * (step - 0.03)], { width: r * 0.08, colour: shade(colour, 0.4) })
      return
    case 'bandana':
      band(colour, 0.26)
      form(context, polygon([x - r * 0.8, y + r * 0.1, x + r * 0.8, y + r * 0.1, x + r * 0.05, y + r * 1.1]), colour, { depth: r * 0.08 })
      return
    case 'cape':
      band(colour, 0.34)
      return
    case 'backpack':
      for (const side of [-1, 1]) line(context, [x + side * r * 0.6, y, x + side * r * 0.5, y + r * 1.2], { width: r * 0.2, colour })
      return
    default:
      band(colour, 0.24)
      fill(context, ellipse(x, y + r * 0.44, r * 0.15, r * 0.15), '#e0b340')
  }
}
