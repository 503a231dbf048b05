import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { blob, ellipse, fill, form, inside, line, polygon, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import { longEye } from './long-head.ts'

/** Appearance of a head without fur or feathers (fish, reptiles ...). */
export interface ScalyFace {
  coat: string
  belly: string
  kind:
    | 'lizard'
    | 'chameleon'
    | 'frog'
    | 'turtle'
    | 'snake'
    | 'crocodile'
    | 't-rex'
    | 'triceratops'
    | 'dragon'
    | 'sauropod'
    | 'fish'
    | 'dolphin'
    | 'shark'
    | 'octopus'
    | 'insect'
    | 'snail'
}

/** Draws a scaly head that faces the viewer and slightly to the right. In its coordinates, half the
 *  head's width and height are 1. */
export function paintScalyHead(context: SKRSContext2D, face: ScalyFace, isAsleep: boolean): void {
  heads[face.kind](context, face, isAsleep)
}

type Painter = (context: SKRSContext2D, face: ScalyFace, isAsleep: boolean) => void

const look = 0.12

function bulge(context: SKRSContext2D, x: number, y: number, face: ScalyFace, isAsleep: boolean): void {
  form(context, ellipse(x, y, 0.34, 0.32), face.coat, { depth: 0.05 })
  if (isAsleep) {
    line(context, [x - 0.2, y, x, y + 0.1, x + 0.2, y], { width: 0.06, colour: shade(face.coat, -0.5) })
    return
  }
  fill(context, ellipse(x, y, 0.23, 0.23), '#f6e27a')
  fill(context, ellipse(x, y, 0.085, 0.2), '#1d1518')
  fill(context, ellipse(x - 0.06, y - 0.08, 0.06, 0.06), '#ffffff')
}

function smile(context: SKRSContext2D, face: ScalyFace, half: number, y: number): void {
  line(context, [look - half, y - 0.12, look, y + 0.06, look + half, y - 0.12], { width: 0.06, colour: shade(face.coat, -0.5) })
}

function nostrils(context: SKRSContext2D, face: ScalyFace, y: number, spread = 0.14): void {
  for (const side of [-1, 1]) fill(context, ellipse(look * 1.5 + side * spread, y, 0.045, 0.055), shade(face.coat, -0.5))
}

function jaw(context: SKRSContext2D, face: ScalyFace, path: ReturnType<typeof blob>, top: number): void {
  form(context, path, face.coat, { depth: 0.14, amount: 0.15 })
  inside(context, path, () => fill(context, ellipse(look, top + 0.6, 1.3, 0.5), face.belly))
}

const round = () => blob([0, -0.9, 0.66, -0.76, 0.98, -0.06, 0.84, 0.62, 0.4, 0.96, -0.4, 0.96, -0.84, 0.62, -0.98, -0.06, -0.66, -0.76])
const wedge = () =>
  blob([0, -0.8, 0.6, -0.7, 0.94, -0.1, 1.04, 0.34, 0.66, 0.78, look, 0.92, -0.56, 0.78, -1.04, 0.34, -0.94, -0.1, -0.6, -0.7])

const heads: Record<ScalyFace['kind'], Painter> = {
  lizard: (context, face, isAsleep) => {
    jaw(context, face, wedge(), 0.34)
    for (const [x, y] of pairs([-0.3, -0.5, 0.1, -0.6, 0.36, -0.4, -0.06, -0.28]))
      fill(context, ellipse(x, y, 0.09, 0.07), shade(face.coat, -0.25))
    for (const side of [-1, 1]) bulge(context, look + side * 0.62, -0.1, face, isAsleep)
    nostrils(context, face, 0.24)
    smile(context, face, 0.74, 0.5)
  },
  chameleon: (context, face, isAsleep) => {
    form(context, blob([-0.6, -0.6, -0.16, -1.5, 0.2, -1.54, 0.62, -0.6]), shade(face.coat, 0.12), { depth: 0.06 })
    jaw(context, face, wedge(), 0.34)
    for (const side of [-1, 1]) {
      form(context, ellipse(look + side * 0.6, -0.08, 0.44, 0.42), shade(face.coat, 0.14), { depth: 0.06 })
      fill(context, ellipse(look + side * 0.62, -0.06, 0.2, 0.2), shade(face.coat, -0.3))
      if (!isAsleep) fill(context, ellipse(look + side * 0.64, -0.05, 0.12, 0.12), '#1d1518')
    }
    nostrils(context, face, 0.26)
    smile(context, face, 0.8, 0.5)
  },
  frog: (context, face, isAsleep) => {
    for (const side of [-1, 1]) bulge(context, look + side * 0.54, -0.62, face, isAsleep)
    jaw(context, face, blob([0, -0.56, 0.8, -0.5, 1.14, 0.1, 0.84, 0.74, 0, 0.94, -0.84, 0.74, -1.14, 0.1, -0.8, -0.5]), 0.3)
    for (const side of [-1, 1]) bulge(context, look + side * 0.54, -0.6, face, isAsleep)
    nostrils(context, face, 0)
    smile(context, face, 0.84, 0.34)
  },
  turtle: (context, face, isAsleep) => {
    jaw(context, face, round(), 0.62)
    for (const side of [-1, 1]) longEye(context, look + side * 0.46, isAsleep)
    nostrils(context, face, 0.3, 0.09)
    smile(context, face, 0.42, 0.6)
  },
  snake: (context, face, isAsleep) => {
    line(context, [look, 0.6, look, 1.1, look - 0.12, 1.3], { width: 0.06, colour: '#d8343f' })
    line(context, [look, 1.1, look + 0.12, 1.3], { width: 0.06, colour: '#d8343f' })
    jaw(context, face, wedge(), 0.4)
    for (const side of [-1, 1]) bulge(context, look + side * 0.56, -0.16, face, isAsleep)
    nostrils(context, face, 0.26)
    smile(context, face, 0.66, 0.56)
  },
  crocodile: (context, face, isAsleep) => {
    jaw(
      context,
      face,
      blob([0, -0.7, 0.7, -0.6, 0.8, 0, 0.56, 0.5, 0.6, 1.0, 0.4, 1.4, -0.3, 1.4, -0.5, 1.0, -0.5, 0.5, -0.8, 0, -0.7, -0.6]),
      1.1,
    )
    for (const side of [-1, 1]) {
      bulge(context, look + side * 0.5, -0.36, face, isAsleep)
      for (const y of [0.62, 0.86, 1.1])
        fill(
          context,
          polygon([look * 0.6 + side * 0.52, y, look * 0.6 + side * 0.62, y + 0.16, look * 0.6 + side * 0.46, y + 0.14]),
          '#fdfaf0',
        )
    }
    nostrils(context, face, 1.04)
    smile(context, face, 0.5, 1.22)
  },
  't-rex': (context, face, isAsleep) => {
    const mouth = blob([-0.66, 0.36, look, 0.5, 0.86, 0.36, 0.66, 1.16, look, 1.3, -0.46, 1.16])
    form(context, blob([-0.8, 0.2, 1, 0.2, 0.76, 1.26, look, 1.44, -0.56, 1.26]), face.coat, { depth: 0.1 })
    fill(context, mouth, '#8c2430')
    fill(context, ellipse(look, 1.1, 0.4, 0.16), '#e2707a')
    jaw(
      context,
      face,
      blob([0, -0.96, 0.7, -0.8, 0.96, -0.1, 1.0, 0.36, 0.6, 0.6, look, 0.66, -0.4, 0.6, -0.86, 0.36, -0.96, -0.1, -0.7, -0.8]),
      1.6,
    )
    for (let i = -3; i <= 3; i++)
      fill(context, polygon([look + i * 0.2 - 0.08, 0.52, look + i * 0.2 + 0.08, 0.52, look + i * 0.2, 0.76]), '#fdfaf0')
    for (const side of [-1, 1]) {
      longEye(context, look + side * 0.44, isAsleep)
      line(context, [look + side * 0.66, -0.26, look + side * 0.24, -0.14], { width: 0.1, colour: shade(face.coat, -0.3) })
    }
    nostrils(context, face, 0.3)
  },
  triceratops: (context, face, isAsleep) => {
    const frill = blob([0, -1.5, 0.8, -1.4, 1.44, -0.8, 1.5, 0, 1.0, 0.5, -1.0, 0.5, -1.5, 0, -1.44, -0.8, -0.8, -1.4])
    form(context, frill, shade(face.coat, -0.12), { depth: 0.1 })
    for (const [x, y] of pairs([-1.1, -0.6, 1.1, -0.6, -0.6, -1.14, 0.6, -1.14, 0, -1.26]))
      fill(context, ellipse(x, y, 0.17, 0.15), face.belly)
    jaw(
      context,
      face,
      blob([0, -0.8, 0.66, -0.66, 0.86, 0, 0.6, 0.6, 0.3 + look, 1.1, look, 1.24, -0.2, 1.1, -0.56, 0.6, -0.86, 0, -0.66, -0.66]),
      1.2,
    )
    for (const side of [-1, 1]) {
      longEye(context, look + side * 0.46, isAsleep)
      form(context, polygon([side * 0.3, -0.42, side * 0.62, -0.36, side * 0.8, -1.5]), '#f3e8d0', { depth: 0.05 })
    }
    form(context, polygon([look - 0.13, 0.5, look + 0.15, 0.5, look + 0.04, -0.02]), '#f3e8d0', { depth: 0.04 })
    nostrils(context, face, 0.7)
    smile(context, face, 0.36, 0.94)
  },
  dragon: (context, face, isAsleep) => {
    for (const side of [-1, 1]) {
      form(context, blob(scaled([0.36, -0.7, 0.6, -1.3, 1.06, -1.6, 0.86, -1, 0.7, -0.5], [side, 1])), '#efe4cc', {
        depth: 0.05,
      })
      form(context, blob(scaled([0.8, -0.2, 1.4, -0.6, 1.3, -0.1, 1.44, 0.2, 0.84, 0.3], [side, 1])), shade(face.coat, -0.12), {
        depth: 0.05,
      })
    }
    form(context, polygon([-0.14, -0.8, 0.14, -0.8, 0.02, -1.24]), '#efe4cc', { depth: 0.04 })
    jaw(
      context,
      face,
      blob([
        0,
        -0.9,
        0.66,
        -0.76,
        0.9,
        -0.1,
        0.66,
        0.4,
        0.6 + look,
        0.9,
        0.3,
        1.2,
        -0.2,
        1.2,
        -0.48,
        0.9,
        -0.66,
        0.4,
        -0.9,
        -0.1,
        -0.66,
        -0.76,
      ]),
      0.9,
    )
    for (const side of [-1, 1]) {
      const x = look + side * 0.42
      if (isAsleep) longEye(context, x, true)
      else {
        fill(context, ellipse(x, -0.02, 0.2, 0.2), '#f6d64a')
        fill(context, ellipse(x, -0.02, 0.07, 0.18), '#1d1518')
      }
      line(context, [look + side * 0.66, -0.3, look + side * 0.22, -0.14], { width: 0.11, colour: shade(face.coat, -0.3) })
      fill(context, polygon([look + side * 0.3, 0.94, look + side * 0.42, 0.92, look + side * 0.36, 1.12]), '#fdfaf0')
    }
    nostrils(context, face, 0.66, 0.2)
    smile(context, face, 0.46, 0.96)
  },
  sauropod: (context, face, isAsleep) => {
    jaw(context, face, blob([0, -0.86, 0.62, -0.7, 0.8, -0.1, 0.86, 0.5, 0.5, 0.92, -0.4, 0.92, -0.8, 0.5, -0.8, -0.1, -0.62, -0.7]), 0.66)
    for (const side of [-1, 1]) longEye(context, look + side * 0.44, isAsleep)
    nostrils(context, face, 0.34)
    smile(context, face, 0.5, 0.66)
  },
  fish: (context, face, isAsleep) => {
    form(context, blob([-0.24, -0.8, 0, -1.5, 0.6, -1.2, 0.4, -0.7]), shade(face.coat, -0.14), { depth: 0.05 })
    for (const side of [-1, 1])
      form(context, blob([side * 0.8, 0, side * 1.4, -0.2, side * 1.3, 0.4, side * 0.8, 0.4]), shade(face.coat, -0.14), { depth: 0.05 })
    jaw(context, face, round(), 0.66)
    for (const side of [-1, 1]) {
      if (!isAsleep) fill(context, ellipse(look + side * 0.5, -0.06, 0.27, 0.29), '#ffffff')
      longEye(context, look + side * 0.48, isAsleep)
    }
    form(context, ellipse(look * 1.4, 0.5, 0.26, 0.18), shade(face.belly, -0.12), { depth: 0.04 })
    fill(context, ellipse(look * 1.4, 0.5, 0.15, 0.08), '#6b2430')
  },
  dolphin: (context, face, isAsleep) => {
    form(context, blob([-0.2, -0.8, -0.1, -1.4, 0.4, -1.1, 0.4, -0.7]), shade(face.coat, -0.08), { depth: 0.05 })
    jaw(context, face, round(), 0.7)
    form(
      context,
      blob([look - 0.36, 0.24, look + 0.36, 0.24, look + 0.34, 0.84, look + 0.1, 1.16, look - 0.1, 1.16, look - 0.34, 0.84]),
      face.coat,
      { depth: 0.06 },
    )
    line(context, [look - 0.34, 0.66, look, 0.96, look + 0.34, 0.66], { width: 0.05, colour: shade(face.coat, -0.45) })
    for (const side of [-1, 1]) longEye(context, look + side * 0.52, isAsleep)
  },
  shark: (context, face, isAsleep) => {
    form(context, blob([-0.24, -0.7, 0.1, -1.6, 0.5, -1.3, 0.4, -0.7]), shade(face.coat, -0.1), { depth: 0.05 })
    jaw(context, face, blob([0, -1, 0.5, -0.84, 0.9, -0.1, 0.86, 0.6, 0.4, 0.98, -0.4, 0.98, -0.86, 0.6, -0.9, -0.1, -0.5, -0.84]), 0.5)
    const mouth = blob([look - 0.56, 0.42, look, 0.52, look + 0.56, 0.42, look + 0.36, 0.8, look - 0.36, 0.8])
    fill(context, mouth, '#7c2430')
    inside(context, mouth, () => {
      for (let i = -3; i <= 3; i++)
        fill(context, polygon([look + i * 0.16 - 0.08, 0.4, look + i * 0.16 + 0.08, 0.4, look + i * 0.16, 0.62]), '#ffffff')
    })
    for (const side of [-1, 1]) longEye(context, look + side * 0.5, isAsleep)
  },
  octopus: (context, face, isAsleep) => {
    const mantle = blob([0, -1.7, 0.8, -1.4, 1.04, -0.5, 0.8, 0.4, 0.5, 0.9, -0.5, 0.9, -0.8, 0.4, -1.04, -0.5, -0.8, -1.4])
    form(context, mantle, face.coat, { depth: 0.18, amount: 0.16 })
    for (const [x, y] of pairs([-0.4, -1.1, 0.1, -1.3, 0.5, -0.9])) fill(context, ellipse(x, y, 0.13, 0.13), shade(face.coat, -0.14))
    for (const side of [-1, 1]) {
      if (!isAsleep) fill(context, ellipse(look + side * 0.4, 0, 0.27, 0.3), '#ffffff')
      longEye(context, look + side * 0.4, isAsleep)
    }
    smile(context, face, 0.3, 0.56)
  },
  insect: (context, face, isAsleep) => {
    for (const side of [-1, 1]) {
      line(context, [side * 0.3, -0.8, side * 0.6, -1.4, side * 1.0, -1.6], { width: 0.08, colour: shade(face.coat, -0.3) })
      fill(context, ellipse(side * 1.0, -1.6, 0.1, 0.1), shade(face.coat, -0.3))
    }
    jaw(context, face, round(), 1.3)
    for (const side of [-1, 1]) {
      form(context, ellipse(look + side * 0.5, -0.04, 0.32, 0.42, side * 0.3), '#2a2430', { depth: 0.05 })
      fill(context, ellipse(look + side * 0.5 - 0.1, -0.2, 0.09, 0.11), isAsleep ? '#2a2430' : '#ffffff')
      line(context, [look + side * 0.3, 0.8, look + side * 0.2, 1.06, look + side * 0.04, 1.06], {
        width: 0.09,
        colour: shade(face.coat, -0.4),
      })
    }
    smile(context, face, 0.28, 0.64)
  },
  snail: (context, face, isAsleep) => {
    for (const side of [-1, 1]) {
      line(context, [side * 0.3, -0.6, side * 0.46, -1.3], { width: 0.18, colour: face.coat })
      fill(context, ellipse(side * 0.46, -1.4, 0.22, 0.22), '#ffffff')
      if (!isAsleep) fill(context, ellipse(side * 0.46 + 0.05, -1.38, 0.12, 0.13), '#22161a')
    }
    jaw(context, face, round(), 0.66)
    smile(context, face, 0.5, 0.4)
  },
}
