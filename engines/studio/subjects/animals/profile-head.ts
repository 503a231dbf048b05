import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { blob, capsule, ellipse, fill, form, inside, line, polygon, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Species } from './anatomy.ts'

/** Draws the head of a horse, a deer, a cow, a sheep, a giraffe or an elephant in profile, with the
 *  nose on the right. The origin is where head and neck meet; the variables `w` and `h` are the
 *  length and the height of the head. */
export function paintProfileHead(context: SKRSContext2D, species: Species, isAsleep: boolean): void {
  const w = species.headWidth
  const h = species.headHeight
  if (species.head === 'elephant') {
    paintElephantHead(context, species, isAsleep)
    return
  }
  context.rotate(species.head === 'equine' ? 0.62 : species.head === 'giraffe' ? 0.36 : species.head === 'deer' ? 0.42 : 0.5)
  paintHorns(context, species, true)
  leafEar(context, species, w, h, true)
  const skull = blob(
    scaled(
      [-0.24, -0.1, -0.16, -0.6, 0.12, -0.68, 0.46, -0.42, 0.78, -0.3, 0.88, 0.02, 0.8, 0.3, 0.5, 0.36, 0.16, 0.66, -0.12, 0.62],
      [w, h],
    ),
  )
  form(context, skull, species.head === 'sheep' ? species.muzzle : species.coat, { depth: h * 0.13, amount: 0.16 })
  inside(context, skull, () => {
    if (species.head !== 'sheep')
      fill(context, ellipse(w * 0.78, h * 0.06, w * (species.head === 'bovine' ? 0.3 : 0.22), h * 0.6), species.muzzle)
    if (species.markings.includes('blaze')) fill(context, blob(scaled([0.1, -0.72, 0.7, -0.36, 0.7, -0.2, 0.1, -0.4], [w, h])), '#fbf6ea')
    if (species.markings.includes('patches'))
      fill(context, blob(scaled([-0.2, -0.8, 0.3, -0.8, 0.34, 0.1, 0.02, 0.3, -0.3, 0.1], [w, h])), '#33292a')
    if (species.markings.includes('zebra'))
      for (let i = 0; i < 6; i++)
        line(context, [w * (0.02 + i * 0.1), -h, w * (0.08 + i * 0.1), 0, w * (-0.02 + i * 0.08), h], {
          width: w * 0.035,
          colour: '#2a2528',
        })
  })
  fill(context, ellipse(w * 0.79, -h * 0.02, w * 0.034, h * 0.075, 0.4), shade(species.nose, -0.1))
  line(context, [w * 0.84, h * 0.2, w * 0.66, h * 0.2, w * 0.58, h * 0.14], { width: h * 0.045, colour: shade(species.muzzle, -0.4) })
  if (isAsleep) line(context, [w * 0.1, -h * 0.2, w * 0.18, -h * 0.12, w * 0.26, -h * 0.22], { width: h * 0.06, colour: '#2b1a17' })
  else {
    const r = Math.min(h * 0.15, w * 0.085)
    fill(context, ellipse(w * 0.18, -h * 0.2, r * 1.06, r * 1.2), '#22161a')
    fill(context, ellipse(w * 0.16, -h * 0.27, r * 0.4, r * 0.4), '#ffffff')
    line(context, [w * 0.08, -h * 0.4, w * 0.18, -h * 0.46, w * 0.28, -h * 0.38], { width: h * 0.05, colour: shade(species.coat, -0.35) })
  }
  paintHorns(context, species, false)
  leafEar(context, species, w, h, false)
  if (species.head === 'sheep')
    for (const [x, y] of pairs([-0.1, -0.62, 0.12, -0.74, -0.26, -0.3, 0.02, -0.48]))
      form(context, ellipse(w * x, h * y, w * 0.2, h * 0.2), species.coat, { depth: h * 0.05, amount: 0.1 })
}

function leafEar(context: SKRSContext2D, species: Species, w: number, h: number, isFar: boolean): void {
  if (species.ears === 'none') return
  const e = species.earSize
  const x = isFar ? w * 0.08 : -w * 0.06
  context.save()
  context.translate(x, -h * 0.52)
  context.rotate(species.head === 'bovine' || species.head === 'sheep' || species.ears === 'floppy' ? -1.9 : -0.5)
  const colour = isFar ? shade(species.coat, -0.18) : species.head === 'sheep' ? species.muzzle : species.coat
  form(context, blob([-e * 0.22, 0, -e * 0.3, -e * 0.5, 0, -e * 1.05, e * 0.3, -e * 0.5, e * 0.22, 0]), colour, { depth: e * 0.06 })
  if (!isFar) fill(context, blob(scaled([-0.1, -0.14, -0.15, -0.5, 0, -0.84, 0.16, -0.5, 0.1, -0.14], [e, e])), species.inner)
  context.restore()
}

interface HornSpot {
  context: SKRSContext2D
  species: Species
  w: number
  h: number
  /** Root of the horn. */
  x: number
  y: number
  isFar: boolean
}

function paintHorns(context: SKRSContext2D, species: Species, isFar: boolean): void {
  const { headWidth: w, headHeight: h } = species
  if (species.horns) horns[species.horns]?.({ context, species, w, h, x: w * (isFar ? 0.16 : 0.04), y: -h * 0.6, isFar })
}

const horns: Record<string, (spot: HornSpot) => void> = {
  unicorn: ({ context, w, h, isFar }) => {
    if (isFar) return
    const horn = polygon([w * 0.08, -h * 0.6, w * 0.26, -h * 0.6, w * 0.42, -h * 2.3])
    form(context, horn, '#f2cf62', { depth: w * 0.03 })
    inside(context, horn, () => {
      for (let i = 0; i < 5; i++)
        line(context, [w * 0.06, -h * (0.72 + i * 0.34), w * 0.44, -h * (0.9 + i * 0.34)], { width: h * 0.06, colour: '#c9973a' })
    })
  },
  antlers: ({ context, w, h, x, y, isFar }) => {
    const tone = (colour: string) => (isFar ? shade(colour, -0.18) : colour)
    for (const points of [
      [x, y, x - w * 0.16, y - h * 1.1, x + w * 0.14, y - h * 2.2],
      [x - w * 0.08, y - h * 0.7, x + w * 0.22, y - h * 1.2],
      [x - w * 0.06, y - h * 1.4, x - w * 0.4, y - h * 1.9],
      [x + w * 0.02, y - h * 1.7, x + w * 0.4, y - h * 2.1],
    ])
      line(context, points, { width: h * 0.15, colour: tone('#d9b98a') })
  },
  moose: ({ context, w, h, x, y, isFar }) => {
    const tone = (colour: string) => (isFar ? shade(colour, -0.18) : colour)
    const antler = blob(
      scaled(
        [0, 0, -0.1, -0.5, -0.7, -0.6, -0.9, -1.6, -0.56, -1.2, -0.46, -1.9, -0.2, -1.3, 0.06, -1.8, 0.1, -1, 0.34, -1.1, 0.12, -0.3],
        [w, h],
        [x, y],
      ),
    )
    form(context, antler, tone('#c99d6a'), { depth: w * 0.05 })
  },
  horns: ({ context, w, h, x, y, isFar }) => {
    const tone = (colour: string) => (isFar ? shade(colour, -0.18) : colour)
    form(context, blob(scaled([0, 0.06, -0.1, -0.3, 0.08, -0.66, 0.04, -0.24, 0.14, 0.02], [w, h], [x, y])), tone('#efe4cc'), {
      depth: w * 0.02,
    })
  },
  bull: ({ context, w, h, x, y, isFar }) => {
    const tone = (colour: string) => (isFar ? shade(colour, -0.18) : colour)
    form(context, blob(scaled([0, 0.1, -0.16, -0.24, 0.1, -0.8, 0.34, -0.86, 0.1, -0.4, 0.2, 0.04], [w, h], [x, y])), tone('#efe4cc'), {
      depth: w * 0.03,
    })
  },
  ibex: ({ context, w, h, x, y, isFar }) => {
    const tone = (colour: string) => (isFar ? shade(colour, -0.18) : colour)
    form(context, blob(scaled([0, 0.1, -0.14, -0.7, -0.56, -1.1, -0.26, -0.5, 0.14, 0], [w, h], [x, y])), tone('#8a7a62'), {
      depth: w * 0.03,
    })
    if (!isFar) form(context, blob([w * 0.52, h * 0.3, w * 0.5, h * 0.9, w * 0.4, h * 0.34]), '#cfc4b2', { depth: w * 0.02 })
  },
  ossicones: ({ context, species, w, h, x, y, isFar }) => {
    const tone = (colour: string) => (isFar ? shade(colour, -0.18) : colour)
    line(context, [x, y, x - w * 0.08, y - h * 0.7], { width: h * 0.2, colour: tone(species.coat) })
    fill(context, ellipse(x - w * 0.08, y - h * 0.74, h * 0.19, h * 0.19), '#5a3a26')
  },
}

function paintElephantHead(context: SKRSContext2D, species: Species, isAsleep: boolean): void {
  const w = species.headWidth
  const h = species.headHeight
  const tusk = (far: boolean) =>
    form(context, blob(scaled([0.24, 0.3, 0.36, 0.28, 0.62, 0.5, 0.78, 0.42, 0.6, 0.66, 0.34, 0.5], [w, h])), far ? '#d9cfbd' : '#f7f0df', {
      depth: 1,
    })
  context.save()
  context.translate(w * 0.1, -h * 0.04)
  tusk(true)
  context.restore()
  const raised = [
    { x: w * 0.34, y: h * 0.06 },
    { x: w * 0.62, y: h * 0.16 },
    { x: w * 0.86, y: -h * 0.02 },
    { x: w * 0.94, y: -h * 0.36 },
    { x: w * 0.96, y: -h * 0.66 },
    { x: w * 1.08, y: -h * 0.88 },
  ]
  if (species.isSpraying) paintJets(context, { x: w * 1.1, y: -h * 0.92 }, w)
  const hanging = [
    { x: w * 0.34, y: h * 0.06 },
    { x: w * 0.5, y: h * 0.4 },
    { x: w * 0.52, y: h * 0.8 },
    { x: w * 0.46, y: h * 1.14 },
    { x: w * 0.6, y: h * 1.34 },
    { x: w * 0.76, y: h * 1.26 },
  ]
  const trunk = species.isSpraying ? raised : hanging
  const widths = [0.21, 0.165, 0.125, 0.1, 0.085, 0.07]
  for (let i = 0; i + 1 < trunk.length; i++) {
    const [a, b] = [trunk[i], trunk[i + 1]]
    if (a && b)
      form(context, capsule(a, w * (widths[i] ?? 0.1), b, w * (widths[i + 1] ?? 0.1)), species.coat, { depth: w * 0.04, amount: 0.14 })
  }
  for (let i = 0; i < (species.isSpraying ? 0 : 6); i++)
    line(context, [w * 0.38, h * (0.3 + i * 0.14), w * 0.5, h * (0.33 + i * 0.14), w * 0.62, h * (0.29 + i * 0.14)], {
      width: 0.7,
      colour: shade(species.coat, -0.2),
    })
  form(context, blob(scaled([-0.3, -0.3, -0.02, -0.52, 0.34, -0.42, 0.54, -0.06, 0.5, 0.3, 0.2, 0.44, -0.2, 0.4], [w, h])), species.coat, {
    depth: w * 0.06,
    amount: 0.15,
  })
  tusk(false)
  form(
    context,
    blob(scaled([-0.02, -0.34, -0.5, -0.52, -0.86, -0.1, -0.76, 0.4, -0.4, 0.7, -0.06, 0.34], [w, h])),
    shade(species.coat, -0.06),
    { depth: w * 0.06, amount: 0.18 },
  )
  fill(context, blob(scaled([-0.14, -0.22, -0.46, -0.36, -0.68, -0.06, -0.6, 0.3, -0.36, 0.5, -0.16, 0.22], [w, h])), `${species.inner}66`)
  if (isAsleep) line(context, [w * 0.16, -h * 0.06, w * 0.24, 0, w * 0.32, -h * 0.06], { width: 1.4, colour: '#2b2022' })
  else {
    fill(context, ellipse(w * 0.24, -h * 0.08, w * 0.055, w * 0.062), '#22161a')
    fill(context, ellipse(w * 0.225, -h * 0.11, w * 0.02, w * 0.02), '#ffffff')
  }
}

/** Draws the jets of water that an elephant sprays from `tip`, the end of its trunk; the jets break
 *  up into drops. */
function paintJets(context: SKRSContext2D, tip: { x: number; y: number }, w: number): void {
  for (let jet = 0; jet < 7; jet++) {
    const reach = w * (0.5 + jet * 0.16)
    const height = w * (0.95 - jet * 0.09)
    const at = (t: number): [number, number] => [tip.x + reach * t, tip.y - height * 4 * t * (0.62 - t) - w * 0.1 * t]
    const points = [0, 0.12, 0.24, 0.36, 0.48, 0.6].map(at)
    line(context, points, { width: w * (0.05 - jet * 0.003), colour: jet % 2 ? '#bfe6f8d8' : '#8fd0f0d8' })
    for (let drop = 0; drop < 6; drop++) {
      const [x, y] = at(0.66 + drop * 0.07)
      const wobble = w * 0.03 * Math.sin(jet * 2.3 + drop * 1.7)
      fill(context, ellipse(x + wobble, y + wobble, w * 0.026, w * 0.034), drop % 2 ? '#d6f0fb' : '#9ed6f2')
    }
  }
}
