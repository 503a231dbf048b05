import type { SKRSContext2D } from '@napi-rs/canvas'
import { triples } from '../../pairs.ts'
import { blob, capsule, ellipse, fill, form, inside, line, polygon, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Species } from './anatomy.ts'

/** Draws the head of a horse, a cow, a deer, a sheep, a giraffe or an elephant, seen from the
 *  front. In its coordinates, half the head's width and height are 1. The origin is at the
 *  height of the eyes, so the muzzle extends further down than y = 1. */
export function paintLongHead(context: SKRSContext2D, species: Species, isAsleep: boolean): void {
  if (species.head === 'elephant') {
    elephant(context, species, isAsleep)
    return
  }
  horns(context, species)
  sideEars(context, species)
  const wide = species.head === 'bovine' || species.head === 'sheep' ? 1.12 : species.head === 'giraffe' ? 0.9 : 1
  const skull = blob([
    0,
    -1,
    0.6 * wide,
    -0.86,
    0.84 * wide,
    -0.2,
    0.68 * wide,
    0.5,
    0.6 * wide,
    1.0,
    0.46 * wide,
    1.34,
    0,
    1.46,
    -0.46 * wide,
    1.34,
    -0.6 * wide,
    1.0,
    -0.68 * wide,
    0.5,
    -0.84 * wide,
    -0.2,
    -0.6 * wide,
    -0.86,
  ])
  const coat = species.head === 'sheep' ? species.muzzle : species.coat
  form(context, skull, coat, { depth: 0.14, amount: 0.15 })
  inside(context, skull, () => {
    longMarkings(context, species)
    if (species.head !== 'sheep') fill(context, ellipse(0, 1.2, 0.8 * wide, 0.46), species.muzzle)
  })
  for (const side of [-1, 1]) fill(context, ellipse(side * 0.24 * wide, 1.04, 0.09, 0.13, side * 0.4), shade(species.nose, -0.1))
  line(context, [-0.3, 1.26, 0, 1.34, 0.3, 1.26], { width: 0.055, colour: shade(species.nose, -0.2) })
  for (const side of [-1, 1]) longEye(context, side * 0.5 * wide, isAsleep)
  forelock(context, species)
}

export function longEye(context: SKRSContext2D, x: number, isAsleep: boolean): void {
  if (isAsleep) {
    line(context, [x - 0.15, 0, x, 0.09, x + 0.15, 0], { width: 0.06, colour: '#2b1a17' })
    return
  }
  fill(context, ellipse(x, 0, 0.135, 0.175), '#22161a')
  fill(context, ellipse(x - 0.035, -0.06, 0.05, 0.06), '#ffffff')
}

function longMarkings(context: SKRSContext2D, species: Species): void {
  if (species.markings.includes('blaze')) fill(context, blob([-0.14, -1.1, 0.14, -1.1, 0.2, 0.2, 0.26, 1, -0.26, 1, -0.2, 0.2]), '#fbf6ea')
  if (species.markings.includes('patches')) fill(context, blob([0.16, -1.2, 1.2, -1.2, 1.1, 0.5, 0.5, 0.66, 0.2, 0.1]), '#33292a')
  if (species.markings.includes('zebra'))
    for (let i = 0; i < 6; i++)
      for (const side of [-1, 1])
        line(context, [side * 0.08, -0.8 + i * 0.26, side * 0.5, -0.94 + i * 0.3, side, -0.9 + i * 0.34], {
          width: 0.085,
          colour: '#2a2528',
        })
  if (species.markings.includes('giraffe'))
    for (const [x, y, r] of [
      [-0.1, -0.56, 0.17],
      [0.34, -0.44, 0.13],
      [-0.48, -0.4, 0.14],
      [0.06, 0.1, 0.15],
      [-0.24, 0.4, 0.12],
      [0.3, 0.44, 0.12],
    ] as const)
      fill(context, ellipse(x, y, r, r * 1.2, 0.4), '#a8632c')
}

function sideEars(context: SKRSContext2D, species: Species): void {
  if (species.ears === 'none') return
  const size = Math.max(0.5, species.earSize / 14)
  const isUp = species.head === 'equine' || species.ears === 'long'
  const long = species.ears === 'long' ? 2 : 1
  for (const side of [-1, 1]) {
    context.save()
    context.translate(side * (isUp ? 0.46 : 0.72), isUp ? -0.8 : -0.5)
    context.rotate(side * (isUp ? 0.24 : species.ears === 'floppy' ? 1.9 : 1.2))
    form(
      context,
      blob([-0.2, 0.1, -0.26 * size, -0.5 * long, 0, -1.05 * long, 0.26 * size, -0.5 * long, 0.2, 0.1]),
      species.head === 'sheep' ? species.muzzle : species.coat,
      { depth: 0.05 },
    )
    fill(context, blob([-0.09, 0, -0.13, -0.46 * long, 0, -0.84 * long, 0.13, -0.46 * long, 0.09, 0]), species.inner)
    context.restore()
  }
}

function forelock(context: SKRSContext2D, species: Species): void {
  if (species.mane === 'horse' || species.mane === 'zebra')
    form(
      context,
      blob([-0.2, -1.2, 0.16, -1.24, 0.3, -0.8, 0.12, -0.3, 0.02, -0.6, -0.1, -0.4, -0.26, -0.8]),
      species.maneColour ?? '#3a2a22',
      {
        depth: 0.05,
      },
    )
  if (species.head === 'sheep' || species.markings.includes('wool'))
    for (const [x, y, r] of triples([-0.5, -0.74, 0.34, 0.5, -0.74, 0.34, -0.2, -0.98, 0.36, 0.24, -0.98, 0.36, 0, -0.72, 0.34]))
      form(context, ellipse(x, y, r, r), species.coat, { depth: 0.06, amount: 0.1 })
}

function horns(context: SKRSContext2D, { horns: kind, coat }: Species): void {
  for (const side of [-1, 1]) {
    switch (kind) {
      case 'antlers':
        for (const points of [
          [side * 0.3, -0.8, side * 0.7, -1.6, side * 0.5, -2.4],
          [side * 0.54, -1.3, side * 1.1, -1.5, side * 1.24, -2],
          [side * 0.66, -1.8, side * 0.2, -2.1],
        ])
          line(context, points, { width: 0.15, colour: '#d9b98a' })
        break
      case 'moose':
        form(
          context,
          blob(
            scaled([0.3, -0.8, 0.9, -0.9, 1.9, -1.1, 2.1, -1.9, 1.7, -1.5, 1.5, -2.1, 1.2, -1.5, 0.9, -1.9, 0.8, -1.3, 0.3, -1], [side, 1]),
          ),
          '#c99d6a',
          { depth: 0.06 },
        )
        break
      case 'horns':
      case 'bull':
        form(context, blob(scaled([0.5, -0.66, 1, -0.86, 1.14, -1.5, 0.86, -1.16, 0.44, -0.94], [side, 1])), '#efe4cc', {
          depth: 0.05,
        })
        break
      case 'ibex':
      case 'ram':
        form(
          context,
          blob(scaled([0.26, -0.8, 0.5, -1.6, 1.1, -1.7, 1.3, -1.1, 0.96, -1.36, 0.66, -1.2, 0.5, -0.7], [side, 1])),
          '#a8987c',
          { depth: 0.06 },
        )
        break
      case 'ossicones':
        line(context, [side * 0.28, -0.9, side * 0.34, -1.4], { width: 0.16, colour: coat })
        fill(context, ellipse(side * 0.35, -1.44, 0.13, 0.13), '#5a3a26')
        break
      default:
    }
  }
  if (kind === 'unicorn') form(context, polygon([-0.15, -0.9, 0.15, -0.9, 0.04, -2.3]), '#f2cf62', { depth: 0.05 })
}

function elephant(context: SKRSContext2D, species: Species, isAsleep: boolean): void {
  const { coat } = species
  for (const side of [-1, 1]) {
    form(context, blob(scaled([0.6, -0.9, 1.4, -1, 1.9, -0.3, 1.66, 0.6, 1.1, 0.9, 0.66, 0.4], [side, 1])), shade(coat, -0.06), {
      depth: 0.1,
    })
    fill(context, blob(scaled([0.8, -0.6, 1.34, -0.7, 1.62, -0.2, 1.44, 0.4, 1.06, 0.6, 0.8, 0.2], [side, 1])), `${species.inner}77`)
  }
  form(context, blob([0, -1, 0.7, -0.84, 0.9, -0.1, 0.6, 0.7, 0, 0.96, -0.6, 0.7, -0.9, -0.1, -0.7, -0.84]), coat, { depth: 0.14 })
  for (const side of [-1, 1])
    form(context, blob(scaled([0.3, 0.56, 0.5, 0.6, 0.72, 1.3, 0.52, 1.16, 0.34, 0.84], [side, 1])), '#f7f0df', {
      depth: 0.04,
    })
  const trunk = [
    [0, 0.3, 0.34],
    [0.02, 0.9, 0.26],
    [0.06, 1.5, 0.2],
    [0.26, 1.92, 0.16],
    [0.52, 1.86, 0.13],
  ] as const
  for (let i = 0; i + 1 < trunk.length; i++) {
    const [a, b] = [trunk[i], trunk[i + 1]]
    if (a && b) form(context, capsule({ x: a[0], y: a[1] }, a[2], { x: b[0], y: b[1] }, b[2]), coat, { depth: 0.05, amount: 0.1 })
  }
  for (const y of [0.6, 0.84, 1.08, 1.32]) line(context, [-0.16, y, 0.04, y + 0.05, 0.22, y], { width: 0.04, colour: shade(coat, -0.22) })
  for (const side of [-1, 1]) longEye(context, side * 0.48, isAsleep)
}
