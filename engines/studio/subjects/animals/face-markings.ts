import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { blob, ellipse, fill, line, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Species } from './anatomy.ts'

/** How far the face is shifted to the right, as a share of half the head's width. */
export const look = 0.16

/** Draws masks, stripes and patches on a face; the caller has clipped the context to the head. In
 *  the coordinates used here, half the head's width and height are 1. */
export function faceMarkings(context: SKRSContext2D, species: Species): void {
  const l = look
  for (const marking of species.markings) faces[marking]?.(context, species, marking)
  if (species.head === 'koala') for (const side of [-1, 1]) fill(context, ellipse(side * 0.8, 0.6, 0.3, 0.26), shade(species.coat, 0.24))
  if (species.head === 'monkey') {
    fill(
      context,
      blob([
        l,
        -0.3,
        l + 0.44,
        -0.62,
        l + 0.8,
        -0.2,
        l + 0.66,
        0.3,
        l + 0.5,
        0.8,
        l,
        0.98,
        l - 0.5,
        0.8,
        l - 0.66,
        0.3,
        l - 0.8,
        -0.2,
        l - 0.44,
        -0.62,
      ]),
      species.muzzle,
    )
  }
}

const faces: Record<string, (context: SKRSContext2D, species: Species, marking: string) => void> = {
  fox: (context, species, marking) => {
    const l = look
    fill(
      context,
      blob([-1.3, 0.3, -0.66, 0.02, -0.3 + l, 0.34, l, -0.05, 0.3 + l, 0.34, 0.7 + l, 0.02, 1.3, 0.3, 1, 1.2, -1, 1.2]),
      species.muzzle,
    )
    if (marking === 'wolf')
      fill(context, blob([-0.34 + l, -1.1, 0.34 + l, -1.1, 0.14 + l, -0.3, l, -0.06, -0.14 + l, -0.3]), shade(species.coat, -0.26))
  },
  wolf: (context, species, marking) => faces.fox?.(context, species, marking),
  panda: (context, _species, _marking) => {
    const l = look
    for (const side of [-1, 1]) fill(context, ellipse(l + side * 0.44, -0.02, 0.27, 0.34, side * 0.5), '#2a2a30')
  },
  mask: (context, species, _marking) => {
    const l = look
    for (const side of [-1, 1]) {
      fill(context, blob([l + side * 0.1, -0.1, l + side * 0.6, -0.24, side * 1.1, 0.3, l + side * 0.5, 0.4]), shade(species.coat, -0.5))
      fill(context, blob([side * 0.34 + l, -0.34, side * 0.8, -0.56, side * 0.94, -0.2, side * 0.6, -0.24]), species.muzzle)
      fill(context, ellipse(side * 0.86, 0.56, 0.3, 0.24), species.muzzle)
    }
  },
  stripes: (context, species, marking) => {
    const l = look
    const colour = marking === 'stripes' ? '#2a1d1c' : shade(species.coat, -0.24)
    for (const x of [-0.24, 0, 0.24]) line(context, [l + x, -1, l + x * 0.7, -0.6], { width: 0.1, colour })
    for (const side of [-1, 1])
      for (const y of [0.06, 0.32, 0.56]) line(context, [side * 1.06, y - 0.06, side * 0.74, y + 0.04], { width: 0.085, colour })
    if (marking === 'stripes') for (const side of [-1, 1]) fill(context, ellipse(l + side * 0.42, -0.42, 0.2, 0.13), species.muzzle)
  },
  badger: context => {
    for (const side of [-1, 1])
      fill(context, blob(scaled([0.22, -1.1, 0.62, -1.1, 0.7, 0.1, 0.44, 0.5, 0.24, 0], [side, 1], [look, 0])), '#2f2c2e')
  },
  skunk: context => fill(context, blob([look - 0.12, -1.1, look + 0.12, -1.1, look + 0.06, 0.2, look - 0.06, 0.2]), '#fbfaf6'),
  sloth: (context, species) => {
    fill(context, ellipse(look, 0.14, 0.82, 0.76), species.muzzle)
    for (const side of [-1, 1]) fill(context, ellipse(look * 1.25 + side * 0.56, 0.06, 0.4, 0.17, side * 0.4), shade(species.coat, -0.4))
  },
  calico: context => {
    fill(context, ellipse(-0.7, -0.7, 0.6, 0.66), '#d9843a')
    fill(context, ellipse(0.86, -0.66, 0.5, 0.6), '#2e2a2c')
  },
  dots: context => {
    for (const [x, y] of pairs([-0.5, -0.6, 0.1, -0.7, 0.56, -0.4, -0.7, 0, 0.84, 0.2])) fill(context, ellipse(x, y, 0.08, 0.09), '#2a2426')
  },
  tabby: (context, species, marking) => faces.stripes?.(context, species, marking),
  rosettes: (context, _species, _marking) => {
    for (const [x, y] of pairs([-0.5, -0.7, 0, -0.78, 0.5, -0.7, -0.8, 0.1, 0.86, 0.1, -0.24, -0.5, 0.3, -0.5]))
      fill(context, ellipse(x, y, 0.09, 0.09), '#3a2a1c')
  },
  blaze: (context, species, _marking) => {
    const l = look
    fill(context, blob([l - 0.16, -1.05, l + 0.16, -1.05, l + 0.24, -0.1, l + 0.4, 0.6, l - 0.4, 0.6, l - 0.24, -0.1]), species.muzzle)
  },
}
