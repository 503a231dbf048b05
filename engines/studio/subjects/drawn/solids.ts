import type { Path2D } from '@napi-rs/canvas'
import { ellipse, polygon } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** Default colour of geometric solids and flat shapes. */
const blue = '#4a86c8'

/** Draws a box seen from the upper right: front, top and right side. */
export function block(pen: Pen, size: { width: number; height: number; depth: number }, colour: string): void {
  const { width, height, depth } = size
  const left = -(width + depth) / 2
  const right = left + width
  const slope = depth * 0.55
  const top = -height
  pen.polyFlat([left, top, right, top, right, 0, left, 0], colour)
  pen.polyFlat([left, top, left + depth, top - slope, right + depth, top - slope, right, top], shade(colour, 0.28))
  pen.polyFlat([right, top, right + depth, top - slope, right + depth, -slope, right, 0], shade(colour, -0.26))
}

/** Shades a sphere: a bright spot at the upper left, dark at the lower right. */
export function ballShade(pen: Pen, x: number, y: number, radius: number): void {
  const { context } = pen
  const gradient = context.createRadialGradient(x - radius * 0.38, y - radius * 0.42, radius * 0.05, x, y, radius)
  gradient.addColorStop(0, '#ffffff9c')
  gradient.addColorStop(0.35, '#ffffff14')
  gradient.addColorStop(0.7, '#1c123a14')
  gradient.addColorStop(1, '#1c123a70')
  context.fillStyle = gradient
  context.fill(ellipse(x, y, radius, radius))
}

function flat(pen: Pen, path: Path2D): void {
  const colour = pen.main(blue)
  pen.context.fillStyle = colour
  pen.context.fill(path)
  pen.context.lineJoin = 'round'
  pen.context.lineWidth = 3
  pen.context.strokeStyle = shade(colour, -0.3)
  pen.context.stroke(path)
}

export const solids: Record<string, Drawing> = {
  sphere: {
    paint: pen => {
      pen.ovalFlat(0, -50, 50, 50, pen.main(blue))
      ballShade(pen, 0, -50, 50)
    },
    anchors: { top: { x: 0, y: -99, width: 30 } },
  },
  cube: {
    paint: pen => block(pen, { width: 76, height: 78, depth: 40 }, pen.main(blue)),
    anchors: { top: { x: 0, y: -88, width: 80 } },
  },
  cuboid: {
    paint: pen => block(pen, { width: 150, height: 72, depth: 52 }, pen.main(blue)),
    anchors: { top: { x: 0, y: -86, width: 130 } },
  },
  'plain-pyramid': {
    paint: pen => {
      const colour = pen.main('#e0b04a')
      pen.polyFlat([0, -100, -64, -8, 14, 0], colour)
      pen.polyFlat([0, -100, 14, 0, 64, -18], shade(colour, -0.3))
    },
  },
  cylinder: {
    paint: pen => {
      const colour = pen.main(blue)
      const body = polygon([-36, -88, 36, -88, 36, -12, -36, -12])
      body.addPath(ellipse(0, -12, 36, 12))
      pen.barrel(body, colour)
      pen.ovalFlat(0, -88, 36, 12, shade(colour, 0.3))
    },
    anchors: { top: { x: 0, y: -88, width: 50 } },
  },
  cone: {
    paint: pen => {
      const body = polygon([0, -100, 42, -12, -42, -12])
      body.addPath(ellipse(0, -12, 42, 12))
      pen.barrel(body, pen.main('#e0703a'))
    },
  },
  torus: {
    paint: pen => {
      const colour = pen.main(blue)
      pen.ring(0, -46, 62, 34, 30, shade(colour, -0.2))
      pen.ring(-1, -49, 62, 34, 24, colour)
      pen.ring(-3, -53, 60, 33, 6, shade(colour, 0.35))
    },
  },
  'plain-cross': {
    paint: pen =>
      flat(pen, polygon([-17, -100, 17, -100, 17, -67, 50, -67, 50, -33, 17, -33, 17, 0, -17, 0, -17, -33, -50, -33, -50, -67, -17, -67])),
  },
  pedestal: {
    paint: pen => {
      const stone = pen.main('#bdb9b2')
      pen.box(-44, -100, 88, 12, stone, 2)
      pen.box(-37, -88, 74, 6, shade(stone, -0.12))
      pen.box(-31, -82, 62, 66, stone)
      pen.box(-38, -16, 76, 7, shade(stone, -0.1))
      pen.box(-45, -9, 90, 9, stone, 2)
    },
    anchors: { top: { x: 0, y: -100, width: 76 } },
  },
  column: {
    paint: pen => {
      const stone = pen.main('#d6d1c6')
      pen.box(-17, -100, 34, 5, stone)
      pen.shape([-15, -95, 15, -95, 11, -88, -11, -88], stone, 2)
      pen.barrel(polygon([-10, -88, 10, -88, 12, -8, -12, -8]), stone)
      for (const x of [-7, -2.4, 2.4, 7]) pen.line([x * 0.9, -87, x * 1.08, -9], 1, shade(stone, -0.24))
      pen.box(-16, -8, 32, 8, stone, 1)
    },
    anchors: { top: { x: 0, y: -100, width: 30 } },
  },
  post: {
    paint: pen => {
      const wood = pen.main('#9a6b3c')
      pen.polyFlat([-8, -94, 3, -98, 9, -93, -2, -89], shade(wood, 0.3))
      pen.box(-8, -93, 11, 93, wood)
      pen.polyFlat([3, -91, 9, -93, 9, -2, 3, 0], shade(wood, -0.28))
      for (const x of [-5, -1]) pen.line([x, -84, x + 0.6, -50, x, -8], 0.8, shade(wood, -0.3))
    },
    anchors: { top: { x: 0, y: -95, width: 16 }, panel: { x: -2.5, y: -80, width: 10, height: 16 } },
  },
  plank: {
    paint: pen => block(pen, { width: 190, height: 12, depth: 38 }, pen.main('#b98a54')),
    anchors: { top: { x: 0, y: -20, width: 180 } },
  },
  'clay-brick': { paint: pen => block(pen, { width: 130, height: 58, depth: 54 }, pen.main('#b5593f')) },
  tile: {
    paint: pen => {
      const colour = pen.main('#5f9ac0')
      pen.box(-50, -100, 100, 100, colour, 4)
      pen.box(-40, -90, 80, 80, shade(colour, 0.3), 3)
      pen.poly([0, -84, 30, -50, 0, -16, -30, -50], colour, 2)
    },
  },
  'open-box': {
    paint: pen => {
      const card = pen.main('#c39a66')
      pen.polyFlat([-66, -70, -40, -90, 66, -90, 50, -70], shade(card, -0.45))
      pen.poly([-66, -70, -96, -84, -70, -100, -40, -90], shade(card, 0.16), 1)
      pen.poly([66, -90, 92, -98, 82, -76, 50, -70], shade(card, -0.12), 1)
      pen.polyFlat([-66, -70, 50, -70, 50, 0, -66, 0], card)
      pen.polyFlat([50, -70, 66, -90, 66, -16, 50, 0], shade(card, -0.24))
      pen.polyFlat([-66, -70, 50, -70, 58, -52, -74, -52], shade(card, 0.24))
    },
    anchors: { opening: { x: -4, y: -74, width: 104 } },
  },
}
