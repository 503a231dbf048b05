import type { SKRSContext2D } from '@napi-rs/canvas'
import { parseHex } from '../../colour.ts'
import type { ClothPattern } from '../../scene.ts'
import { ellipse, fill, form, inside, rectangle } from '../brush.ts'
import { luma, shade } from '../colour.ts'
import { tops } from './tops.ts'
import type { TorsoFrame } from './torso-frame.ts'
import { trims } from './trims.ts'

/** Draws the upper garment with its details; the origin is at the hips, negative y is up. */
export function paintTorso(context: SKRSContext2D, frame: TorsoFrame): void {
  const { outfit, shape, build, stance } = frame
  const colour = outfit.top === 'bare' ? outfit.skin : outfit.top === 'overall' ? outfit.shirtColour : outfit.topColour
  form(context, shape, colour, { depth: build.hip * 0.42 })
  const middle = stance.turn * build.hip * 0.4
  inside(context, shape, () => {
    if (outfit.topPattern) {
      const area = { left: -build.torso, top: -build.torso * 1.1, right: build.torso, bottom: build.torso * 0.3 }
      printCloth(context, area, { pattern: outfit.topPattern, colour, size: build.arm })
    }
    tops[outfit.top]?.(context, frame, middle)
    for (const trim of outfit.trims) trims[trim.kind]?.(context, frame, { middle, colour: trim.colour })
  })
}

interface Print {
  pattern: ClothPattern
  /** Colour of the cloth, `#rrggbb`. */
  colour: string
  /** Length on which the size of the pattern depends: about the thickness of an arm. */
  size: number
}

/** Prints a pattern on a rectangle; the caller clips it to the cloth. The pattern is white on dark
 *  cloth and dark on light cloth. */
export function printCloth(
  context: SKRSContext2D,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
  { pattern, colour, size }: Print,
): void {
  const ink = luma(parseHex(colour)) > 0.72 ? shade(colour, -0.4) : '#ffffffd0'
  if (pattern === 'striped' || pattern === 'checkered') {
    const band = pattern === 'striped' ? ink : `${ink.slice(0, 7)}70`
    for (let y = top; y < bottom; y += size * 0.9) fill(context, rectangle(left, y, right - left, size * 0.36), band)
    if (pattern === 'striped') return
    for (let x = left; x < right; x += size * 0.9) fill(context, rectangle(x, top, size * 0.36, bottom - top), band)
    return
  }
  const step = size * (pattern === 'flowery' ? 1.05 : 0.85)
  for (let row = 0; top + row * step < bottom; row++)
    for (let x = left + (row % 2) * step * 0.5; x < right; x += step) {
      const y = top + row * step
      if (pattern === 'flowery') blossom(context, { x, y }, size * 0.15)
      else fill(context, ellipse(x, y, size * 0.2, size * 0.2), ink)
    }
}

function blossom(context: SKRSContext2D, { x, y }: { x: number; y: number }, radius: number): void {
  for (let i = 0; i < 5; i++) {
    const turn = (i / 5) * Math.PI * 2
    fill(context, ellipse(x + Math.cos(turn) * radius, y + Math.sin(turn) * radius, radius * 0.8, radius * 0.8), '#fff3f6')
  }
  fill(context, ellipse(x, y, radius * 0.7, radius * 0.7), '#f2b632')
}
