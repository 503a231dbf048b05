import type { SKRSContext2D } from '@napi-rs/canvas'
import { blob, ellipse, fill, form, inside, line, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Species } from './anatomy.ts'
import { faceMarkings, look } from './face-markings.ts'
import { paintTopknot } from './fluff.ts'

/** Draws the head of a dog, a cat, a bear, a rodent or a similar animal, seen from the front and
 *  slightly from the side. In its coordinates, half the head's width and height are 1. */
export function paintFrontHead(context: SKRSContext2D, species: Species, isAsleep: boolean): void {
  context.scale(species.headWidth / 2, species.headHeight / 2)
  if (species.mane === 'lion') lionMane(context, species.maneColour ?? '#8a4a22')
  paintEars(context, species)
  const skull = skullShape(species)
  form(context, skull, species.coat, { depth: 0.16, amount: 0.15 })
  inside(context, skull, () => faceMarkings(context, species))
  paintMuzzle(context, species)
  paintEyes(context, species, isAsleep)
  if (species.markings.includes('poodle')) paintTopknot(context, species.coat)
}

function skullShape(species: Species) {
  const l = look
  switch (species.head) {
    case 'canine':
      return canineSkull(species.ears === 'floppy')
    case 'feline':
      return blob([
        l * 0.5,
        -0.96,
        0.66,
        -0.82,
        1.0,
        -0.14,
        1.0,
        0.42,
        0.6 + l,
        0.86,
        l,
        1,
        -0.58,
        0.86,
        -1.0,
        0.42,
        -1.0,
        -0.14,
        -0.66,
        -0.82,
      ])
    case 'rodent':
    case 'rabbit':
      return blob([l * 0.4, -0.94, 0.66, -0.74, 0.98, 0.06, 0.8 + l, 0.66, 0.3 + l, 1, -0.3, 0.98, -0.84, 0.66, -0.98, 0.06, -0.66, -0.74])
    default:
      return blob([
        l * 0.4,
        -0.98,
        0.7,
        -0.8,
        1.0,
        -0.08,
        0.94,
        0.52,
        0.5 + l,
        0.94,
        l * 0.6,
        1,
        -0.54,
        0.92,
        -0.96,
        0.52,
        -1.0,
        -0.08,
        -0.7,
        -0.8,
      ])
  }
}

function canineSkull(isFloppy: boolean) {
  const l = look
  return isFloppy
    ? blob([0, -1, 0.66, -0.84, 0.96, -0.2, 0.84 + l, 0.5, 0.4 + l, 0.96, l, 1.02, -0.5, 0.94, -0.92, 0.46, -0.98, -0.2, -0.66, -0.84])
    : blob([
        l * 0.5,
        -0.92,
        0.6,
        -0.82,
        0.92,
        -0.22,
        1.1,
        0.36,
        0.7 + l,
        0.62,
        0.3 + l,
        0.98,
        l * 0.6,
        1.02,
        -0.4,
        0.9,
        -0.84,
        0.62,
        -1.14,
        0.36,
        -0.92,
        -0.22,
        -0.6,
        -0.82,
      ])
}

function lionMane(context: SKRSContext2D, colour: string): void {
  const points: number[] = []
  for (let i = 0; i < 26; i++) {
    const angle = (i / 26) * Math.PI * 2
    const reach = i % 2 ? 1.5 : 1.82
    points.push(Math.cos(angle) * reach, 0.14 + Math.sin(angle) * reach * 1.06)
  }
  form(context, blob(points), colour, { depth: 0.16, amount: 0.22 })
  const inner: number[] = []
  for (let i = 0; i < 22; i++) {
    const angle = (i / 22) * Math.PI * 2
    const reach = i % 2 ? 1.14 : 1.34
    inner.push(Math.cos(angle) * reach, 0.08 + Math.sin(angle) * reach)
  }
  form(context, blob(inner), shade(colour, 0.22), { depth: 0.1, amount: 0.16 })
}

interface EarSpot {
  context: SKRSContext2D
  species: Species
  side: number
  /** Colour of this ear; the right one is slightly darker than the left one. */
  far: string
  /** Height of the ear, where 1 is half the head's height. */
  rise: number
  spread: number
}

function paintEars(context: SKRSContext2D, species: Species): void {
  const rise = species.earSize / (species.headHeight / 2)
  const spread = species.earSize / (species.headWidth / 2)
  for (const side of [-1, 1])
    ears[species.ears]?.({ context, species, side, far: side < 0 ? species.coat : shade(species.coat, -0.06), rise, spread })
}

const ears: Record<string, (spot: EarSpot) => void> = {
  pointed: ({ context, species, side, far, rise }) => {
    const x = side * 0.6
    form(
      context,
      blob([
        x - side * 0.34,
        -0.72,
        x - side * 0.1,
        -0.98 - rise * 0.3,
        x + side * 0.26,
        -0.84 - rise,
        x + side * 0.4,
        -0.8 - rise * 0.4,
        x + side * 0.34,
        -0.28,
      ]),
      far,
      { depth: 0.06 },
    )
    fill(context, blob([x - side * 0.16, -0.78, x + side * 0.2, -0.7 - rise * 0.86, x + side * 0.24, -0.5]), species.inner)
    if (species.markings.includes('fox'))
      fill(
        context,
        blob([x + side * 0.06, -0.84 - rise * 0.6, x + side * 0.26, -0.86 - rise, x + side * 0.38, -0.8 - rise * 0.56]),
        '#3c2a2a',
      )
  },
  round: ({ context, species, side, far, rise, spread }) => {
    form(context, ellipse(side * 0.72, -0.74, spread, rise), far, { depth: 0.06 })
    fill(context, ellipse(side * 0.72, -0.7, spread * 0.6, rise * 0.6), species.inner)
  },
  tufted: ({ context, species, side, far }) => {
    form(context, blob(scaled([0.6, -0.9, 0.96, -1.16, 1.36, -0.9, 1.5, -0.4, 1.24, 0.02, 0.84, -0.06], [side, 1])), far, { depth: 0.06 })
    fill(context, blob(scaled([0.84, -0.82, 1.2, -0.78, 1.28, -0.4, 1.1, -0.14, 0.9, -0.3], [side, 1])), species.inner)
  },
  long: ({ context, species, side, far, rise }) => {
    form(
      context,
      blob([
        side * 0.2,
        -0.7,
        side * 0.22,
        -0.9 - rise * 0.7,
        side * 0.42,
        -0.86 - rise,
        side * 0.64,
        -0.86 - rise * 0.7,
        side * 0.6,
        -0.6,
      ]),
      far,
      { depth: 0.05 },
    )
    fill(
      context,
      blob([
        side * 0.32,
        -0.9,
        side * 0.34,
        -0.8 - rise * 0.7,
        side * 0.44,
        -0.78 - rise * 0.82,
        side * 0.54,
        -0.8 - rise * 0.6,
        side * 0.5,
        -0.8,
      ]),
      species.inner,
    )
  },
  leaf: ({ context, species, side, far }) => {
    form(context, blob(scaled([0.5, -0.66, 0.86, -1.1, 1.16, -1.04, 1.08, -0.5, 0.84, -0.24], [side, 1])), far, {
      depth: 0.05,
    })
    fill(context, blob([side * 0.7, -0.7, side * 0.92, -0.94, side * 1.04, -0.84, side * 0.92, -0.46]), species.inner)
  },
}

/** Draws floppy ears. The ears hang in front of the head, so they are drawn after the head. */
function floppyEars(context: SKRSContext2D, species: Species): void {
  const rise = species.earSize / (species.headHeight / 2)
  for (const side of [-1, 1])
    form(
      context,
      blob([side * 0.5, -0.86, side * 0.96, -0.92, side * 1.26, -0.3, side * 1.2, rise * 0.5, side * 0.98, rise * 0.56, side * 0.84, -0.1]),
      species.inner,
      { depth: 0.06 },
    )
}

function paintMuzzle(context: SKRSContext2D, species: Species): void {
  const x = look * 1.9
  const ink = shade(species.nose, -0.2)
  switch (species.head) {
    case 'koala':
      form(context, blob([x - 0.17, -0.14, x, -0.24, x + 0.18, -0.14, x + 0.22, 0.36, x, 0.52, x - 0.22, 0.36]), species.nose, {
        depth: 0.07,
      })
      line(context, [x - 0.2, 0.68, x, 0.76, x + 0.2, 0.68], { width: 0.055, colour: ink })
      break
    case 'pig':
      form(context, ellipse(x, 0.34, 0.42, 0.33), species.muzzle, { depth: 0.07 })
      for (const side of [-1, 1]) fill(context, ellipse(x + side * 0.15, 0.34, 0.075, 0.12), species.nose)
      line(context, [x - 0.26, 0.78, x, 0.86, x + 0.26, 0.78], { width: 0.06, colour: species.nose })
      break
    case 'monkey':
      for (const side of [-1, 1]) fill(context, ellipse(x + side * 0.08, 0.24, 0.05, 0.04), species.nose)
      line(context, [x - 0.36, 0.5, x, 0.68, x + 0.36, 0.5], { width: 0.065, colour: species.nose })
      break
    default: {
      const wide = species.head === 'bear' ? 0.46 : species.head === 'canine' && species.ears === 'floppy' ? 0.48 : 0.4
      form(context, ellipse(x, 0.52, wide, 0.36), species.muzzle, { depth: 0.06, amount: 0.08 })
      const noseSize = species.head === 'feline' || species.head === 'rodent' || species.head === 'rabbit' ? 0.12 : 0.175
      form(
        context,
        blob([
          x - noseSize,
          0.28,
          x,
          0.22,
          x + noseSize,
          0.28,
          x + noseSize * 0.6,
          0.28 + noseSize * 0.9,
          x,
          0.3 + noseSize * 1.15,
          x - noseSize * 0.6,
          0.28 + noseSize * 0.9,
        ]),
        species.nose,
        { depth: 0.03 },
      )
      fill(context, ellipse(x - noseSize * 0.34, 0.3, noseSize * 0.3, noseSize * 0.2), '#ffffff88')
      line(context, [x, 0.46, x, 0.58], { width: 0.05, colour: ink })
      line(context, [x - 0.24, 0.6, x - 0.1, 0.69, x, 0.6], { width: 0.05, colour: ink })
      line(context, [x, 0.6, x + 0.1, 0.69, x + 0.24, 0.6], { width: 0.05, colour: ink })
      if (species.head === 'feline' || species.head === 'rodent' || species.head === 'rabbit') whiskers(context, x)
    }
  }
  if (species.horns === 'tusks')
    for (const side of [-1, 1])
      form(context, blob(scaled([0.3, 0.62, 0.5, 0.5, 0.56, 0.2, 0.42, 0.44], [side, 1], [x, 0])), '#f7f0df', {
        depth: 0.03,
      })
  if (species.ears === 'floppy') floppyEars(context, species)
}

function whiskers(context: SKRSContext2D, x: number): void {
  for (const side of [-1, 1])
    for (const y of [0.42, 0.56])
      line(context, [x + side * 0.3, y, x + side * 0.84, y + (y - 0.52) * 0.8], { width: 0.026, colour: '#ffffffb0' })
}

function paintEyes(context: SKRSContext2D, species: Species, isAsleep: boolean): void {
  const isRodent = species.head === 'rodent' || species.head === 'rabbit'
  const y = species.head === 'pig' ? -0.14 : species.head === 'koala' ? -0.06 : isRodent ? 0.02 : -0.02
  const spread = species.head === 'koala' ? 0.52 : isRodent ? 0.46 : 0.43
  const [rx, ry] = isRodent ? [0.15, 0.19] : species.head === 'bear' || species.head === 'koala' ? [0.105, 0.125] : [0.125, 0.15]
  for (const side of [-1, 1]) {
    const x = look * 1.25 + side * spread
    if (isAsleep) {
      line(context, [x - 0.15, y, x, y + 0.09, x + 0.15, y], {
        width: 0.06,
        colour: species.markings.includes('panda') ? '#f2efe8' : '#2b1a17',
      })
      continue
    }
    if (species.head === 'feline') fill(context, ellipse(x, y, rx * 1.26, ry * 1.14), species.coat === '#e39b45' ? '#b9d96a' : '#f4d66a')
    if (species.markings.includes('wolf')) fill(context, ellipse(x, y, rx * 1.2, ry * 1.1), '#f0c24a')
    fill(context, ellipse(x + 0.02, y, rx, ry), '#22161a')
    fill(context, ellipse(x + 0.02, y + ry * 0.42, rx * 0.55, ry * 0.36), '#5b3a2688')
    fill(context, ellipse(x - rx * 0.24, y - ry * 0.38, rx * 0.4, ry * 0.36), '#ffffff')
  }
}
