import type { SKRSContext2D } from '@napi-rs/canvas'
import { triples } from '../../pairs.ts'
import { blob, ellipse, fill, form, glow, inside, line, polygon, rectangle, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Outfit } from './clothes.ts'
import type { Skeleton } from './poses.ts'

/** Draws the things behind the body (wings, a cape, a backpack, an air tank) in the order of
 *  `outfit.trims`. */
export function paintBehind(context: SKRSContext2D, bones: Skeleton, outfit: Outfit): void {
  for (const trim of outfit.trims) behind[trim.kind]?.(context, bones, trim.colour)
}

/** Draws the things in front of the torso and the legs that are not part of the upper garment:
 *  the straps of a backpack, a tutu, a satchel, an apron. */
export function paintBefore(context: SKRSContext2D, bones: Skeleton, outfit: Outfit): void {
  for (const trim of outfit.trims) before[trim.kind]?.(context, bones, trim.colour)
}

type ExtraPainter = (context: SKRSContext2D, bones: Skeleton, colour: string) => void

const behind: Record<string, ExtraPainter> = {
  cape: (c, { chest, hips, build, stance }, colour) => {
    const flow = build.shoulder * (0.5 + stance.turn * 0.9) + Math.max(0, stance.lean) * 0.5
    const shape = blob([
      [chest.x + build.shoulder * 0.8, chest.y + 2],
      [chest.x - build.shoulder * 1.0, chest.y + 2],
      [hips.x - build.shoulder * 1.3 - flow * 0.4, hips.y],
      [hips.x - build.shoulder * 1.4 - flow, hips.y + build.thigh * 1.35],
      [hips.x - flow * 0.4, hips.y + build.thigh * 1.5],
      [hips.x + build.shoulder * (1.3 - stance.turn), hips.y + build.thigh * 1.3],
      [hips.x + build.shoulder * (1.1 - stance.turn * 0.5), hips.y],
    ])
    form(c, shape, colour, { depth: build.arm })
    inside(c, shape, () => {
      for (const share of [0.3, 0.55, 0.8])
        line(
          c,
          [
            { x: chest.x + (share - 0.5) * build.shoulder, y: chest.y + 6 },
            { x: hips.x - flow * (1 - share) - build.shoulder * (1.3 - share * 2.2), y: hips.y + build.thigh * 1.4 },
          ],
          { width: build.arm * 0.3, colour: shade(colour, -0.26) },
        )
    })
  },
  wings: (c, { chest, build }, colour) => {
    for (const side of [-1, 1]) {
      for (const [reach, rise, drop] of triples([3.6, -10, 26, 3.0, -5, 32, 2.3, 1, 36])) {
        form(
          c,
          blob([
            [chest.x + side * 2, chest.y + 6],
            [chest.x + side * build.shoulder * reach * 0.6, chest.y + rise - 7],
            [chest.x + side * build.shoulder * reach, chest.y + rise],
            [chest.x + side * build.shoulder * reach * 0.82, chest.y + drop * 0.6],
            [chest.x + side * build.shoulder * 1.1, chest.y + drop * 0.8],
          ]),
          colour,
          { depth: 1.2, amount: 0.13 },
        )
      }
    }
  },
  'fairy-wings': (c, { chest, build }, colour) => {
    for (const side of [-1, 1]) {
      for (const [x, y, rx, ry, tilt] of [
        [1.9, -6, 14, 8, -0.7],
        [1.6, 12, 10, 6, 0.6],
      ] as const) {
        const wing = ellipse(chest.x + side * build.shoulder * x, chest.y + y + 6, rx, ry, side * tilt)
        fill(c, wing, `${colour}99`)
        c.strokeStyle = '#ffffffb0'
        c.lineWidth = 0.6
        c.stroke(wing)
      }
    }
  },
  backpack: (c, { chest, build, stance }, colour) =>
    form(
      c,
      rectangle(
        chest.x - build.shoulder * (0.9 + stance.turn * 0.75),
        chest.y + 3,
        build.shoulder * (1.8 - stance.turn * 0.4),
        build.torso * 0.8,
        3,
      ),
      colour,
      { depth: 1 },
    ),
  'life-support': (c, { chest, build }, colour) =>
    form(c, rectangle(chest.x - build.shoulder * 1.45, chest.y - 1, build.shoulder * 2.9, build.torso * 0.86, 3), colour, { depth: 1.4 }),
  tank: (c, { chest, build }, colour) =>
    form(c, rectangle(chest.x - build.shoulder * 1.2, chest.y + 1, build.shoulder * 0.9, build.torso * 0.9, 3), colour, { depth: 1 }),
  halo: (c, { head, build }, colour) => {
    const y = head.y - build.headHeight * 0.78
    glow(c, { x: head.x, y }, build.headWidth * 0.8, colour, 0.6)
    c.strokeStyle = colour
    c.lineWidth = 1.3
    c.stroke(ellipse(head.x, y, build.headWidth * 0.44, build.headWidth * 0.14))
  },
  skis: (c, { footA, footB }, colour) => {
    for (const foot of [footA, footB])
      form(
        c,
        blob([
          [foot.x - 16, foot.y + 1.6],
          [foot.x + 16, foot.y + 1.6],
          [foot.x + 23, foot.y - 2.4],
          [foot.x + 16, foot.y + 3.4],
          [foot.x - 16, foot.y + 3.4],
        ]),
        colour,
        { depth: 0.3 },
      )
  },
}

const before: Record<string, ExtraPainter> = {
  tutu: (c, { hips, build }, colour) => {
    const y = hips.y - build.torso * 0.02
    for (const [spread, dy, tone] of triples([2.7, 3.2, -0.06, 2.4, 1.2, 0.1, 1.9, -0.6, 0.25])) {
      form(
        c,
        blob([
          [hips.x - build.hip * 0.9, y - 4],
          [hips.x + build.hip * 0.9, y - 4],
          [hips.x + build.hip * spread, y + dy],
          [hips.x + build.hip * spread * 0.5, y + dy + 2.2],
          [hips.x, y + dy + 3],
          [hips.x - build.hip * spread * 0.5, y + dy + 2.2],
          [hips.x - build.hip * spread, y + dy],
        ]),
        shade(colour, tone),
        { depth: 0.8, amount: 0.1 },
      )
    }
  },
  backpack: (c, { chest, build }, colour) => {
    for (const side of [-1, 1])
      line(
        c,
        [chest.x + side * build.shoulder * 0.55, chest.y + 0.5, chest.x + side * build.shoulder * 0.66, chest.y + build.torso * 0.5],
        { width: build.arm * 0.6, colour: shade(colour, -0.2) },
      )
  },
  satchel: (c, { hips, build }, colour) => {
    form(c, rectangle(hips.x + build.hip * 0.5, hips.y - build.torso * 0.16, build.hip * 1.5, build.torso * 0.34, 1.4), colour, {
      depth: 0.7,
    })
    fill(c, polygon(scaled([0.5, -0.14, 2, -0.14, 1.25, 0.06], [build.hip, build.torso], [hips.x, hips.y])), shade(colour, -0.18))
  },
  apron: (c, { hips, build, stance }, colour) => {
    if (Math.abs(stance.legB[0]) > 50) return
    form(
      c,
      blob([
        [hips.x - build.hip * 1.1, hips.y - build.torso * 0.16],
        [hips.x + build.hip * 1.2, hips.y - build.torso * 0.16],
        [hips.x + build.hip * 1.35, hips.y + build.thigh * 0.72],
        [hips.x, hips.y + build.thigh * 0.8],
        [hips.x - build.hip * 1.25, hips.y + build.thigh * 0.72],
      ]),
      colour,
      { depth: 0.8, amount: 0.1 },
    )
    line(c, [hips.x - build.hip * 1.1, hips.y - build.torso * 0.14, hips.x + build.hip * 1.2, hips.y - build.torso * 0.14], {
      width: 0.9,
      colour: shade(colour, -0.2),
    })
  },
  'apron-low': (c, { hips, build, stance }, colour) => {
    if (Math.abs(stance.legB[0]) > 50) return
    form(c, rectangle(hips.x - build.hip * 1.1, hips.y - build.torso * 0.1, build.hip * 2.3, build.thigh * 0.9, 1.5), colour, {
      depth: 0.8,
      amount: 0.1,
    })
  },
}
