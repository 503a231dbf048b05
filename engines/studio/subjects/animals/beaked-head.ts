import type { SKRSContext2D } from '@napi-rs/canvas'
import { blob, ellipse, fill, form, inside, line } from '../brush.ts'
import { shade } from '../colour.ts'
import { longEye } from './long-head.ts'

/** The face of a bird or a platypus. Colours are `#rrggbb`. */
export interface BeakedFace {
  coat: string
  /** Colour of a patch around eyes and beak. */
  face?: string
  beak: string
  kind: 'short' | 'hook' | 'flat' | 'long' | 'bent'
  /** Colour of the top of the head. */
  cap?: string
  crest?: 'comb' | 'tufts' | 'fan' | 'tuft'
  /** Colour of the iris. When it is set, the eyes have large discs around them, as an owl's
   *  have. */
  iris?: string
}

/** Draws a head with a beak that faces the viewer and slightly to the right. In its coordinates,
 *  half the head's width and height are 1. */
export function paintBeakedHead(context: SKRSContext2D, face: BeakedFace, isAsleep: boolean): void {
  const look = 0.14
  crest(context, face)
  const skull = blob([0, -1, 0.68, -0.82, 0.98, -0.1, 0.86, 0.6, 0.4, 0.98, -0.4, 0.98, -0.86, 0.6, -0.98, -0.1, -0.68, -0.82])
  form(context, skull, face.coat, { depth: 0.16, amount: 0.15 })
  inside(context, skull, () => {
    if (face.face) for (const side of [-1, 1]) fill(context, ellipse(look + side * 0.42, 0.2, 0.5, 0.62), face.face)
    if (face.cap) fill(context, ellipse(0, -0.86, 1.1, 0.5), face.cap)
  })
  for (const side of [-1, 1]) {
    const x = look + side * 0.42
    if (face.iris) {
      form(context, ellipse(x, 0, 0.42, 0.42), face.face ?? '#fbf6ea', { depth: 0.05, amount: 0.1 })
      if (!isAsleep) fill(context, ellipse(x, 0, 0.27, 0.27), face.iris)
    }
    longEye(context, x, isAsleep)
  }
  beak(context, face, look * 1.4)
}

function beak(context: SKRSContext2D, { kind, beak: colour }: BeakedFace, x: number): void {
  const dark = shade(colour, -0.25)
  switch (kind) {
    case 'flat':
      form(context, blob([x - 0.3, 0.22, x + 0.3, 0.22, x + 0.56, 0.62, x + 0.3, 0.86, x - 0.3, 0.86, x - 0.56, 0.62]), colour, {
        depth: 0.06,
      })
      line(context, [x - 0.5, 0.64, x, 0.72, x + 0.5, 0.64], { width: 0.05, colour: dark })
      for (const side of [-1, 1]) fill(context, ellipse(x + side * 0.12, 0.38, 0.04, 0.06), dark)
      return
    case 'hook':
      form(context, blob([x - 0.26, 0.1, x + 0.26, 0.1, x + 0.24, 0.46, x + 0.02, 0.86, x - 0.16, 0.5]), colour, { depth: 0.05 })
      line(context, [x - 0.2, 0.42, x, 0.5, x + 0.2, 0.42], { width: 0.04, colour: dark })
      return
    case 'long':
      form(context, blob([x - 0.16, 0.16, x + 0.18, 0.14, x + 0.6, 0.9, x + 0.96, 1.5, x + 0.34, 0.96]), colour, { depth: 0.05 })
      return
    case 'bent':
      form(context, blob([x - 0.2, 0.14, x + 0.26, 0.12, x + 0.66, 0.5, x + 0.66, 1.1, x + 0.44, 0.96, x + 0.3, 0.64]), colour, {
        depth: 0.05,
      })
      fill(context, blob([x + 0.62, 0.66, x + 0.68, 1.1, x + 0.42, 0.96, x + 0.44, 0.76]), '#2a2428')
      return
    default:
      form(context, blob([x - 0.26, 0.24, x, 0.14, x + 0.28, 0.24, x + 0.1, 0.56, x, 0.66, x - 0.1, 0.56]), colour, { depth: 0.05 })
      line(context, [x - 0.2, 0.32, x, 0.38, x + 0.22, 0.32], { width: 0.04, colour: dark })
  }
}

function crest(context: SKRSContext2D, { crest: kind, coat, beak: colour }: BeakedFace): void {
  switch (kind) {
    case 'comb':
      form(context, blob([-0.4, -0.8, -0.44, -1.3, -0.18, -1.1, 0, -1.5, 0.2, -1.12, 0.44, -1.36, 0.4, -0.8]), '#d8342b', { depth: 0.06 })
      return
    case 'tufts':
      for (const side of [-1, 1]) form(context, blob([side * 0.36, -0.86, side * 1.0, -1.4, side * 0.92, -0.5]), coat, { depth: 0.05 })
      return
    case 'tuft':
      for (const x of [-0.24, 0, 0.24]) line(context, [x * 0.4, -0.86, x, -1.2, x * 2, -1.44], { width: 0.14, colour: coat })
      return
    case 'fan':
      for (const x of [-0.4, -0.14, 0.14, 0.4]) {
        line(context, [x * 0.4, -0.9, x, -1.5], { width: 0.05, colour: shade(colour, -0.2) })
        fill(context, ellipse(x, -1.54, 0.11, 0.13), '#2f9fb8')
      }
      return
    default:
  }
}
