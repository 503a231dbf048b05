import type { SKRSContext2D } from '@napi-rs/canvas'
import { blob, ellipse, fill, form, line, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Species } from './anatomy.ts'

/** Draws the pattern of the coat over the trunk. The caller has clipped the context to the trunk;
 *  the origin is the middle of the trunk. */
export function paintMarkings(context: SKRSContext2D, species: Species): void {
  for (const marking of species.markings) coats[marking]?.(context, species)
}

const coats: Record<string, (context: SKRSContext2D, species: Species) => void> = {
  stripes: (context, species) => {
    const l = species.length
    const d = species.depth
    for (let i = -5; i <= 5; i++) {
      const x = i * l * 0.1
      line(context, [x, -d * 0.6, x + (i % 2 ? 2 : -2), -d * 0.2, x + 1, d * (i % 2 ? 0.06 : 0.2)], {
        width: l * 0.028,
        colour: '#2a1d1c',
      })
      line(context, [x + l * 0.05, d * 0.6, x + l * 0.045, d * 0.26], { width: l * 0.022, colour: '#2a1d1c' })
    }
  },
  tabby: (context, species) => {
    const l = species.length
    const d = species.depth
    for (let i = -4; i <= 4; i++)
      line(context, [i * l * 0.1, -d * 0.6, i * l * 0.1 + 1.5, -d * 0.14], { width: l * 0.032, colour: shade(species.coat, -0.24) })
  },
  zebra: (context, species) => {
    const l = species.length
    const d = species.depth
    for (let i = -7; i <= 7; i++)
      line(context, [i * l * 0.075 - 2, -d * 0.7, i * l * 0.075 + (i > 0 ? 2 : -2), 0, i * l * 0.075 - 1, d * 0.7], {
        width: l * 0.034,
        colour: '#2a2528',
      })
  },
  rosettes: (context, species) => {
    const l = species.length
    const d = species.depth
    scatter(l, d, 22, (x, y, i) => {
      fill(context, ellipse(x, y, l * 0.032, d * 0.075, i), '#3a2a1c')
      fill(context, ellipse(x, y, l * 0.015, d * 0.034, i), shade(species.coat, -0.2))
    })
  },
  spots: (context, species) => {
    const l = species.length
    const d = species.depth
    scatter(l, d, 16, (x, y, i) => fill(context, ellipse(x, y, l * 0.03, d * 0.07, i), shade(species.coat, -0.4)))
  },
  fawn: (context, species) => {
    const l = species.length
    const d = species.depth
    scatter(l, d * 0.7, 12, (x, y) => fill(context, ellipse(x, y - d * 0.12, l * 0.02, d * 0.045), '#fbf0dc'))
  },
  giraffe: (context, species) => {
    const l = species.length
    const d = species.depth
    scatter(l, d, 20, (x, y, i) =>
      fill(
        context,
        blob([x - l * 0.07, y - d * 0.1, x + l * 0.05, y - d * 0.13, x + l * 0.07, y + d * 0.06 + (i % 3), x - l * 0.04, y + d * 0.12]),
        '#a8632c',
      ),
    )
  },
  patches: (context, species) => {
    const l = species.length
    const d = species.depth
    for (const [x, y, w, h] of [
      [-0.3, -0.3, 0.17, 0.34],
      [0.1, -0.1, 0.16, 0.36],
      [0.42, -0.36, 0.12, 0.28],
      [-0.12, 0.4, 0.13, 0.18],
    ] as const) {
      fill(
        context,
        blob([
          [l * (x - w), d * y],
          [l * x, d * (y - h * 0.8)],
          [l * (x + w), d * (y - h * 0.2)],
          [l * (x + w * 0.7), d * (y + h)],
          [l * (x - w * 0.3), d * (y + h * 0.8)],
        ]),
        '#33292a',
      )
    }
  },
  saddle: (context, species) => {
    const l = species.length
    const d = species.depth
    fill(context, blob(scaled([-0.5, -0.6, 0.4, -0.6, 0.24, -0.1, -0.1, 0.06, -0.4, -0.06], [l, d])), shade(species.coat, -0.3))
  },
  panda: (context, species) => {
    const l = species.length
    const d = species.depth
    fill(context, blob(scaled([0.1, -0.8, 0.34, -0.8, 0.7, -0.2, 0.6, 0.8, 0.14, 0.7, 0.2, -0.1], [l, d])), '#2a2a30')
  },
  wolf: (context, species) => {
    const l = species.length
    const d = species.depth
    fill(context, blob(scaled([-0.6, -0.6, 0.5, -0.6, 0.3, -0.14, 0, -0.22, -0.4, -0.08], [l, d])), shade(species.coat, -0.26))
  },
  wool: (context, species) => {
    wool(context, species)
  },
  curls: (context, species) => {
    wool(context, species)
  },
  feathered: (context, { coat, length: l, depth: d }) => {
    for (let i = -4; i <= 4; i++)
      line(context, [i * l * 0.1, -d * 0.24, i * l * 0.1 - l * 0.03, d * 0.02], { width: l * 0.012, colour: shade(coat, -0.12) })
  },
  dots: (context, species) => {
    scatter(species.length, species.depth, 24, (x, y, i) =>
      fill(context, ellipse(x + ((i * 13) % 5) - 2, y, species.length * 0.024 * (1 + (i % 3) * 0.3), species.depth * 0.055, i), '#2a2426'),
    )
  },
  calico: (context, { length: l, depth: d }) => {
    for (const [x, y, w, colour] of [
      [-0.3, -0.3, 0.18, '#d9843a'],
      [0.08, -0.34, 0.17, '#2e2a2c'],
      [0.36, -0.1, 0.15, '#d9843a'],
      [-0.06, 0.1, 0.12, '#d9843a'],
    ] as const)
      fill(context, ellipse(l * x, d * y, l * w, d * w * 1.7, 0.3), colour)
  },
  skunk: (context, { length: l, depth: d }) =>
    fill(context, blob(scaled([-0.6, -0.6, 0.5, -0.6, 0.46, -0.28, -0.6, -0.2], [l, d])), '#fbfaf6'),
  plates: (context, { coat, length: l, depth: d }) => {
    fill(context, blob(scaled([-0.6, -0.6, 0.5, -0.6, 0.44, 0.2, 0, 0.3, -0.6, 0.2], [l, d])), shade(coat, -0.08))
    for (let i = -5; i <= 4; i++)
      line(context, [i * l * 0.095, -d * 0.6, i * l * 0.095 - l * 0.03, -d * 0.1, i * l * 0.095, d * 0.3], {
        width: l * 0.02,
        colour: shade(coat, -0.3),
      })
  },
}

/** Calls `dot` for the positions of `count` dots over the trunk, which form a fixed, slightly
 *  irregular grid. */
function scatter(l: number, d: number, count: number, dot: (x: number, y: number, index: number) => void): void {
  const columns = Math.ceil(count / 3)
  for (let i = 0; i < count; i++) {
    const row = i % 3
    const column = Math.floor(i / 3)
    dot(
      ((column + (row % 2) * 0.5) / columns - 0.5) * l * 1.02 + ((i * 7) % 3) - 1,
      (row - 1) * d * 0.3 + ((i * 5) % 4) - 1.5 - d * 0.06,
      i,
    )
  }
}

function wool(context: SKRSContext2D, species: Species): void {
  const { length: l, depth: d } = species
  for (let row = -2; row <= 2; row++) {
    for (let column = -4; column <= 4; column++) {
      form(context, ellipse(column * l * 0.125 + (row % 2) * l * 0.06, row * d * 0.2, l * 0.1, d * 0.15), species.coat, {
        depth: l * 0.02,
        amount: 0.1,
      })
    }
  }
}
