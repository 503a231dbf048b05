import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../drawing.ts'
import { farTone } from './buildings.ts'
import { css, mix, rgb, shift } from './colour.ts'
import { greensOf } from './season.ts'
import { fall, fillPolygon, fillRects, frontPlane, type Plane } from './solid.ts'
import type { Stage } from './stage.ts'

interface Cottage {
  x: number
  z: number
  width: number
  height: number
  base: number
  wall: Rgb
  roof: Rgb
  snow: boolean
}

interface CottageFrame {
  plane: Plane
  w: number
  h: number
  rise: number
  z: number
  tone: (c: Rgb, amount: number) => Rgb
}

/** A gabled cottage: tiled roof or snow, plaster with timber or stone foot, shutters, window boxes, chimney. */
export function drawCottage(context: SKRSContext2D, stage: Stage, at: Cottage, random: Random): void {
  const tone = (c: Rgb, amount: number) => farTone(stage, c, amount, at.z, 420)
  const plane: Plane = (u, v) => frontPlane(stage.view, at.z)(at.x + u, at.base + v)
  const w = at.width / 2
  const frame: CottageFrame = { plane, w, h: at.height, rise: at.height * random.between(0.66, 0.95), z: at.z, tone }
  const flip = at.x > 0 ? -1 : 1
  cottageSide(context, stage, at, frame, flip)
  const front = tone(at.wall, 0.66)
  fillPolygon(
    context,
    plane,
    [
      [-w, 0],
      [w, 0],
      [w, frame.h],
      [0, frame.h + frame.rise * 0.94],
      [-w, frame.h],
    ],
    fall(context, plane, [-w, 0, w, frame.h + frame.rise], shift(front, 0.1), shift(front, -0.16)),
  )
  fillRects(context, plane, [[-w, 0, w, frame.h * 0.16]], css(tone(rgb('#8d8478'), 0.5)))
  if (random.next() < 0.5) timber(context, frame)
  cottageOpenings(context, stage, frame, random)
  gableRoof(context, at, frame)
}

/** The long side turned towards the middle of the picture, with its half of the roof. */
function cottageSide(context: SKRSContext2D, stage: Stage, at: Cottage, frame: CottageFrame, flip: number): void {
  const { plane, w, h, rise, tone } = frame
  const deep = at.width * 0.46 * flip
  const edge = w * flip
  const isLit = Math.sign(deep) === Math.sign(stage.sun.side)
  const wall = tone(at.wall, isLit ? 0.9 : 0.2)
  fillPolygon(
    context,
    plane,
    [
      [edge, 0],
      [edge + deep, 0.12],
      [edge + deep, h],
      [edge, h],
    ],
    fall(context, plane, [edge, 0, edge, h], shift(wall, -0.2), wall),
  )
  const pane = stage.palette.isDim ? rgb('#ffcf78') : tone(mix(rgb('#51687c'), stage.palette.sky[2], 0.4), 0.8)
  fillPolygon(
    context,
    plane,
    [
      [edge + deep * 0.34, h * 0.37],
      [edge + deep * 0.66, h * 0.38],
      [edge + deep * 0.66, h * 0.74],
      [edge + deep * 0.34, h * 0.75],
    ],
    css(pane),
  )
  const roof = at.snow ? rgb('#eef3fb') : at.roof
  const slope = tone(roof, isLit ? 0.95 : 0.34)
  const eaveY = h * 0.9
  const ridge = h + rise
  fillPolygon(
    context,
    plane,
    [
      [edge * 1.14, eaveY],
      [0, ridge],
      [deep * 1.08, ridge * 0.985],
      [edge * 1.1 + deep * 1.08, eaveY * 1.02],
    ],
    fall(context, plane, [0, eaveY, 0, ridge], shift(slope, 0.08), shift(slope, -0.12)),
  )
  if (at.snow || at.z > 90) return
  for (let i = 1; i < 9; i++) {
    const t = i / 9
    const x = edge * 1.14 * (1 - t)
    const y = eaveY + (ridge - eaveY) * t
    fillPolygon(
      context,
      plane,
      [
        [x, y],
        [x + deep * 1.08, y * 1.0 - (1 - t) * 0.02],
        [x + deep * 1.08, y - 0.05],
        [x, y - 0.05],
      ],
      css(shift(slope, -0.32), 0.5),
    )
  }
}

function gableRoof(context: SKRSContext2D, at: Cottage, frame: CottageFrame): void {
  const { plane, w, h, rise, tone } = frame
  const edge = at.snow ? rgb('#f4f8fe') : shift(at.roof, -0.12)
  const eave = h * 0.12
  fillPolygon(
    context,
    plane,
    [
      [-w, h * 0.86],
      [0, h + rise * 0.88],
      [w, h * 0.86],
      [w, h * 0.78],
      [0, h + rise * 0.76],
      [-w, h * 0.78],
    ],
    'rgba(20,14,16,0.2)',
  )
  fillRects(context, plane, [[w * 0.3, h + rise * 0.5, w * 0.54, h + rise * 1.22]], css(tone(rgb('#96604c'), 0.5)))
  fillRects(
    context,
    plane,
    [[w * 0.27, h + rise * 1.14, w * 0.57, h + rise * 1.26]],
    css(tone(at.snow ? rgb('#f4f8fe') : rgb('#7a4c3c'), 0.6)),
  )
  fillPolygon(
    context,
    plane,
    [
      [-w * 1.18, h * 0.87],
      [0, h + rise],
      [0, h + rise + eave],
      [-w * 1.18, h * 0.87 + eave],
    ],
    css(tone(edge, 0.9)),
  )
  fillPolygon(
    context,
    plane,
    [
      [w * 1.18, h * 0.87],
      [0, h + rise],
      [0, h + rise + eave],
      [w * 1.18, h * 0.87 + eave],
    ],
    css(tone(edge, 0.6)),
  )
}

function timber(context: SKRSContext2D, frame: CottageFrame): void {
  const { plane, w, h, rise, tone } = frame
  const t = w * 0.055
  const beams: (readonly [number, number])[][] = [
    [
      [-w, h * 0.96],
      [w, h * 0.96],
      [w, h * 1.03],
      [-w, h * 1.03],
    ],
    [
      [-w, h * 0.16],
      [-w + t * 1.4, h * 0.16],
      [-w + t * 1.4, h],
      [-w, h],
    ],
    [
      [w - t * 1.4, h * 0.16],
      [w, h * 0.16],
      [w, h],
      [w - t * 1.4, h],
    ],
    [
      [-t * 0.6, h + rise * 0.5],
      [t * 0.6, h + rise * 0.5],
      [t * 0.6, h + rise * 0.92],
      [-t * 0.6, h + rise * 0.92],
    ],
    [
      [-w * 0.6, h],
      [-w * 0.6 + t, h],
      [-w * 0.16 + t, h + rise * 0.6],
      [-w * 0.16, h + rise * 0.6],
    ],
    [
      [w * 0.6, h],
      [w * 0.6 - t, h],
      [w * 0.16 - t, h + rise * 0.6],
      [w * 0.16, h + rise * 0.6],
    ],
  ]
  for (const beam of beams) fillPolygon(context, plane, beam, css(tone(rgb('#5c4030'), 0.5)))
}

function cottageOpenings(context: SKRSContext2D, stage: Stage, frame: CottageFrame, random: Random): void {
  const { plane, w, h, rise, tone } = frame
  const isLit = stage.palette.isDim || random.next() < 0.08
  const glass = isLit ? rgb('#ffcf78') : tone(mix(rgb('#51687c'), stage.palette.sky[2], 0.4), 0.8)
  const white = css(tone(rgb('#f6f0e4'), 0.85))
  const accent = rgb(random.pick(['#7b4a2d', '#3f6f5c', '#9a3f38', '#33587e', '#6f7a3c']))
  const panes = [
    [-w * 0.74, h * 0.38, -w * 0.34, h * 0.76],
    [w * 0.34, h * 0.38, w * 0.74, h * 0.76],
    [-w * 0.18, h + rise * 0.1, w * 0.18, h + rise * 0.42],
  ] as const
  fillRects(
    context,
    plane,
    panes.map(([a, b, c, d]) => [a - w * 0.05, b - h * 0.03, c + w * 0.05, d + h * 0.03] as const),
    white,
  )
  fillRects(context, plane, panes, css(glass))
  fillRects(
    context,
    plane,
    panes.flatMap(
      ([a, b, c, d]) =>
        [
          [(a + c) / 2 - w * 0.015, b, (a + c) / 2 + w * 0.015, d],
          [a, (b + d) / 2 - h * 0.012, c, (b + d) / 2 + h * 0.012],
        ] as const,
    ),
    white,
  )
  fillRects(
    context,
    plane,
    panes.slice(0, 2).flatMap(
      ([a, b, c, d]) =>
        [
          [a - w * 0.17, b, a - w * 0.05, d],
          [c + w * 0.05, b, c + w * 0.17, d],
        ] as const,
    ),
    css(tone(accent, 0.65)),
  )
  fillRects(context, plane, [[-w * 0.2, 0, w * 0.2, h * 0.7]], white)
  fillRects(context, plane, [[-w * 0.16, 0, w * 0.16, h * 0.66]], css(tone(accent, 0.6)))
  fillRects(context, plane, [[-w * 0.1, h * 0.42, w * 0.1, h * 0.6]], css(glass))
  if (frame.z > 70 || greensOf(stage).snow > 0) return
  for (const [a, b, c] of panes.slice(0, 2)) {
    fillRects(context, plane, [[a - w * 0.04, b - h * 0.1, c + w * 0.04, b - h * 0.03]], css(tone(rgb('#7a5238'), 0.6)))
    for (let i = 0; i < 14; i++) {
      const p = plane(a + (c - a) * random.next(), b - h * 0.02 + h * 0.05 * random.next())
      context.fillStyle = css(tone(rgb(random.pick(['#d9484a', '#f2a0b8', '#f4d04a', '#5f8f43', '#6fa04a'])), 0.85))
      const size = (w * 0.045 * stage.view.focal) / frame.z
      context.fillRect(p.x - size / 2, p.y - size / 2, size, size)
    }
  }
}
