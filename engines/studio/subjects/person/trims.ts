import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { blob, ellipse, fill, form, line, polygon, rectangle, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { TorsoFrame } from './torso-frame.ts'

interface TrimSpot {
  /** The x coordinate of the middle line at the front. */
  middle: number
  colour: string
}

type TrimPainter = (context: SKRSContext2D, frame: TorsoFrame, spot: TrimSpot) => void

/** Functions that draw small details on the torso, by the kind of the detail. The caller has
 *  clipped the context to the torso. */
export const trims: Record<string, TrimPainter> = {
  belly: (c, { build }, { colour, middle }) => fill(c, ellipse(middle, -build.torso * 0.4, build.hip * 0.86, build.torso * 0.46), colour),
  belt: (c, { build }, { colour, middle }) => {
    fill(c, rectangle(-40, -build.torso * 0.12, 80, build.torso * 0.11), colour)
    fill(c, rectangle(middle - build.arm * 0.6, -build.torso * 0.135, build.arm * 1.2, build.torso * 0.14, 0.4), '#e0b340')
  },
  tie: (c, { build }, { colour, middle }) =>
    fill(c, polygon(scaled([-0.5, -0.98, 0.5, -0.98, 0.62, -0.52, 0, -0.4, -0.5, -0.52], [build.arm, build.torso], [middle, 0])), colour),
  'bow-tie': (c, { build }, { colour, middle }) => {
    for (const side of [-1, 1])
      fill(c, polygon(scaled([0, -0.9, 1.5, -0.98, 1.5, -0.82], [side * build.arm, build.torso], [middle, 0])), colour)
  },
  apron: (c, { build }, { colour, middle }) => {
    form(
      c,
      blob(scaled([-0.62, -0.78, 0.62, -0.78, 1.1, -0.3, 1.2, 0.3, -1.2, 0.3, -1.1, -0.3], [build.hip, build.torso], [middle, 0])),
      colour,
      { depth: 0.6, amount: 0.1 },
    )
    for (const side of [-1, 1])
      line(c, [middle + side * build.hip * 0.56, -build.torso * 0.76, middle + side * build.hip * 0.5, -build.torso * 1.05], {
        width: build.arm * 0.3,
        colour,
      })
  },
  'apron-low': (c, { build }, { colour }) => fill(c, rectangle(-40, -build.torso * 0.08, 80, build.torso * 0.3), colour),
  sash: (c, { build }, { colour }) => {
    fill(c, rectangle(-40, -build.torso * 0.36, 80, build.torso * 0.2), colour)
    line(c, [-20, -build.torso * 0.26, 20, -build.torso * 0.26], { width: build.arm * 0.16, colour: shade(colour, -0.3) })
  },
  stethoscope: (c, { build }, { colour, middle }) => {
    line(
      c,
      [
        { x: middle - build.hip * 0.6, y: -build.torso * 1.02 },
        { x: middle - build.hip * 0.5, y: -build.torso * 0.62 },
        { x: middle + build.hip * 0.3, y: -build.torso * 0.52 },
      ],
      { width: build.arm * 0.24, colour },
    )
    line(
      c,
      [
        { x: middle + build.hip * 0.6, y: -build.torso * 1.02 },
        { x: middle + build.hip * 0.5, y: -build.torso * 0.66 },
        { x: middle + build.hip * 0.3, y: -build.torso * 0.52 },
      ],
      { width: build.arm * 0.24, colour },
    )
    fill(c, ellipse(middle + build.hip * 0.3, -build.torso * 0.48, build.arm * 0.5, build.arm * 0.5), '#aab4c0')
  },
  reflective: (c, { build }, { colour, middle }) => {
    fill(c, rectangle(-40, -build.torso * 0.5, 80, build.torso * 0.09), colour)
    fill(c, rectangle(-40, -build.torso * 0.24, 80, build.torso * 0.09), colour)
    for (const side of [-1, 1])
      fill(c, rectangle(middle + side * build.hip * 0.7 - build.arm * 0.3, -build.torso * 1.1, build.arm * 0.6, build.torso * 0.62), colour)
  },
  buttons: (c, { build }, { colour, middle }) => {
    for (const y of [-0.8, -0.62, -0.44])
      for (const x of [-0.34, 0.34]) fill(c, ellipse(middle + x * build.hip, build.torso * y, build.arm * 0.22, build.arm * 0.22), colour)
  },
  badge: (c, { build }, { colour, middle }) => {
    fill(c, ellipse(middle + build.hip * 0.66, -build.torso * 0.68, build.arm * 0.55, build.arm * 0.6), colour)
    line(c, [middle, -build.torso * 0.95, middle, 0], { width: build.arm * 0.14, colour: '#1b2540' })
  },
  neckerchief: (c, { build }, { colour, middle }) =>
    fill(
      c,
      blob([
        [middle - build.hip * 0.9, -build.torso * 1.04],
        [middle + build.hip * 0.9, -build.torso * 1.04],
        [middle + build.arm * 0.3, -build.torso * 0.74],
      ]),
      colour,
    ),
  collar: (c, { build }, { colour, middle }) => {
    for (const side of [-1, 1])
      fill(
        c,
        polygon([
          [middle, -build.torso * 0.84],
          [middle + side * build.hip, -build.torso * 1.1],
          [middle + side * build.hip * 0.95, -build.torso * 0.84],
        ]),
        colour,
      )
  },
  'sailor-collar': (c, { build }, { colour, middle }) => {
    fill(c, polygon(scaled([-1.3, -1.1, 1.3, -1.1, 1.2, -0.74, 0, -0.54, -1.2, -0.74], [build.hip, build.torso], [middle, 0])), colour)
    fill(c, polygon(scaled([-0.5, -0.62, 0.5, -0.62, 0.8, -0.36, -0.8, -0.36], [build.arm, build.torso], [middle, 0])), '#c8262f')
  },
  epaulettes: (c, { build }, { colour }) => {
    for (const side of [-1, 1])
      fill(c, ellipse(side * build.shoulder * 0.84, -build.torso * 0.94, build.arm * 1.3, build.arm * 0.6), colour)
    for (const y of [-0.74, -0.58, -0.42])
      line(c, [-build.hip * 0.5, build.torso * y, build.hip * 0.9, build.torso * y], { width: build.arm * 0.22, colour })
  },
  emblem: (c, { build }, { colour, middle }) =>
    fill(c, polygon(scaled([-0.6, -0.8, 0.6, -0.8, 0.4, -0.52, 0, -0.4, -0.4, -0.52], [build.hip, build.torso], [middle, 0])), colour),
  ermine: (c, { build }, { colour, middle }) => {
    fill(c, ellipse(middle, -build.torso * 1.0, build.shoulder * 1.1, build.torso * 0.2), colour)
    line(c, [middle, -build.torso * 0.9, middle, build.torso * 0.2], { width: build.arm * 1.2, colour })
    for (let i = 0; i < 6; i++)
      fill(
        c,
        ellipse(
          middle + (i % 2 ? 0.6 : -0.6) * build.arm * (i < 3 ? 3 : 0.4),
          -build.torso * (0.94 - (i < 3 ? 0 : (i - 2) * 0.24)),
          build.arm * 0.12,
          build.arm * 0.26,
        ),
        '#2b2320',
      )
  },
  ruff: (c, { build }, { colour, middle }) => {
    for (let i = -4; i <= 4; i++)
      form(
        c,
        ellipse(middle + i * build.hip * 0.3, -build.torso * (0.96 - Math.abs(i) * 0.008), build.hip * 0.24, build.torso * 0.09),
        colour,
        { depth: 0.3, amount: 0.14 },
      )
  },
  'pom-poms': (c, { build }, { colour, middle }) => {
    for (const y of [-0.68, -0.42, -0.16])
      form(c, ellipse(middle, build.torso * y, build.arm * 0.75, build.arm * 0.75), colour, { depth: 0.4 })
  },
  stars: (c, { build }, { colour }) => {
    for (const [x, y] of pairs([-0.7, -0.7, 0.6, -0.5, -0.3, -0.34, 0.3, -0.8]))
      fill(c, ellipse(x * build.hip, y * build.torso, build.arm * 0.26, build.arm * 0.26), colour)
  },
  blossoms: (c, { build }, { colour }) => {
    for (const [x, y] of pairs([-0.8, -0.66, 0.8, -0.56, -0.5, -0.06, 0.6, 0.02]))
      for (let i = 0; i < 5; i++)
        fill(
          c,
          ellipse(
            x * build.hip + Math.cos(i * 1.257) * build.arm * 0.4,
            y * build.torso + Math.sin(i * 1.257) * build.arm * 0.4,
            build.arm * 0.34,
            build.arm * 0.34,
          ),
          colour,
        )
  },
  fur: (c, { build, outfit }, { colour, middle }) => {
    if (outfit.top === 'coat') line(c, [middle, -build.torso * 0.96, middle, build.torso * 0.2], { width: build.arm * 1.1, colour })
    for (let i = -4; i <= 4; i++)
      form(c, ellipse(middle + i * build.hip * 0.36, -build.torso * 0.96, build.hip * 0.28, build.torso * 0.09), colour, {
        depth: 0.3,
        amount: 0.12,
      })
  },
  beads: (c, { build }, { colour, middle }) => {
    for (let i = 0; i <= 10; i++)
      fill(
        c,
        ellipse(
          middle + Math.cos((i / 10) * Math.PI) * build.hip * 0.8,
          -build.torso * 0.92 + Math.sin((i / 10) * Math.PI) * build.torso * 0.36,
          build.arm * 0.3,
          build.arm * 0.3,
        ),
        colour,
      )
  },
  straps: () => undefined,
  tartan: () => undefined,
  zip: (c, { build }, { colour, middle }) => {
    line(c, [middle + build.arm * 0.5, -build.torso * 0.9, middle, build.torso * 0.1], { width: build.arm * 0.2, colour })
    for (const side of [-1, 1])
      line(c, [middle + side * build.hip * 0.5, -build.torso * 0.2, middle + side * build.hip * 0.9, -build.torso * 0.34], {
        width: build.arm * 0.2,
        colour,
      })
  },
  number: (c, { build }, { colour, middle }) => {
    fill(c, rectangle(middle - build.arm * 0.9, -build.torso * 0.72, build.arm * 0.7, build.torso * 0.34, 0.4), colour)
    fill(c, rectangle(middle + build.arm * 0.3, -build.torso * 0.72, build.arm * 0.7, build.torso * 0.34, 0.4), colour)
  },
  swimwear: (c, { build, outfit }, { colour }) => {
    if (outfit.legs !== 'bare') return
    fill(c, rectangle(-40, -build.torso * 0.8, 80, build.torso * 1.2), colour)
    for (const side of [-1, 1])
      line(c, [side * build.hip * 0.7, -build.torso * 0.78, side * build.hip * 0.7, -build.torso * 1.1], { width: build.arm * 0.5, colour })
  },
  flower: (c, { build }, { colour, middle }) =>
    fill(c, ellipse(middle + build.hip * 0.8, -build.torso * 0.7, build.arm * 0.5, build.arm * 0.5), colour),
  pockets: (c, { build }, { colour, middle }) => {
    for (const side of [-1, 1])
      fill(
        c,
        rectangle(middle + side * build.hip * 0.62 - build.arm * 0.8, -build.torso * 0.66, build.arm * 1.6, build.torso * 0.2, 0.5),
        colour,
      )
  },
  pads: (c, { build }, { colour }) => {
    for (const y of [-0.7, -0.54, -0.38]) line(c, [-20, build.torso * y, 20, build.torso * y], { width: build.arm * 0.3, colour })
  },
  satchel: (c, { build }, { colour }) => {
    line(c, [-build.shoulder * 0.8, -build.torso * 1.0, build.hip * 1.2, -build.torso * 0.05], { width: build.arm * 0.55, colour })
  },
  'life-support': () => undefined,
}
