import { pairs } from '../../pairs.ts'
import { polygon } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { contrast } from './tint.ts'

function octagon(x: number, y: number, radius: number): number[] {
  return Array.from({ length: 8 }, (_, i) => (i + 0.5) * (Math.PI / 4)).flatMap(angle => [
    x + Math.cos(angle) * radius,
    y + Math.sin(angle) * radius,
  ])
}

/** Draws the word STOP in strokes, about 40 units wide and 13 high, centred on the point. */
function stopLettering(pen: Pen, x: number, y: number, colour: string): void {
  const width = 2.9
  pen.line(
    [x - 12, y - 5, x - 15.5, y - 6.4, x - 18.6, y - 4, x - 15.4, y - 0.2, x - 12.2, y + 3.4, x - 15.4, y + 6.4, x - 19, y + 4.8],
    width,
    colour,
  )
  pen.line([x - 9, y - 6, x - 0.6, y - 6], width, colour)
  pen.line([x - 4.8, y - 6, x - 4.8, y + 6.4], width, colour)
  pen.ring(x + 5.8, y + 0.1, 4.2, 6.2, width, colour)
  pen.line([x + 13, y - 6, x + 13, y + 6.4], width, colour)
  pen.line([x + 13, y - 6, x + 17.4, y - 5.6, x + 18.6, y - 2.8, x + 17.4, y - 0.2, x + 13, y + 0.2], width, colour)
}

export const roadside: Record<string, Drawing> = {
  'stop-sign': {
    paint: pen => {
      const face = pen.main('#cf2a2c')
      const white = contrast(face)
      pen.box(-2.6, -52, 5.2, 52, '#9aa3ae', 1)
      pen.poly(octagon(0, -69, 32), white, 1)
      pen.poly(octagon(0, -69, 29.4), face, 3)
      pen.clip(polygon(octagon(0, -69, 29.4)), () => pen.polyFlat([-30, -100, -4, -100, -24, -40, -40, -40], shade(face, 0.12)))
      stopLettering(pen, 0, -69, white)
    },
  },
  'diamond-sign': {
    paint: pen => {
      const face = pen.main('#f4c430')
      pen.box(-2.4, -44, 4.8, 44, '#9aa3ae', 1)
      pen.poly([0, -100, 34, -66, 0, -32, -34, -66], contrast(face) === '#fbfaf6' ? '#fbfaf6' : '#26262a', 4)
      pen.poly([0, -97, 31, -66, 0, -35, -31, -66], face, 3)
    },
    anchors: { panel: { x: 0, y: -66, width: 38, height: 36 } },
  },
  'triangle-sign': {
    paint: pen => {
      const rim = pen.main('#d0312d')
      pen.box(-2.4, -46, 4.8, 46, '#9aa3ae', 1)
      pen.poly([-40, -99, 40, -99, 0, -34], rim, 4)
      pen.poly([-24, -91, 24, -91, 0, -52], '#fbfaf6', 2)
    },
    anchors: { panel: { x: 0, y: -81, width: 36, height: 15 } },
  },
  'round-sign': {
    paint: pen => {
      const rim = pen.main('#d0312d')
      pen.box(-2.4, -46, 4.8, 46, '#9aa3ae', 1)
      pen.oval(0, -69, 31, 31, rim)
      pen.ovalFlat(0, -69, 23, 23, '#fbfaf6')
    },
    anchors: { panel: { x: 0, y: -69, width: 36, height: 30 } },
  },
  'telephone-wire': {
    paint: pen => {
      const wood = pen.main('#7a5436')
      for (const x of [-118, 112]) {
        pen.box(x, -100, 6, 100, wood, 1)
        pen.box(x - 17, -96, 40, 4, shade(wood, -0.12), 1)
        for (const side of [-14, 0, 14]) pen.box(x + 1.6 + side, -101, 3, 6, '#cfd6de', 1)
      }
      for (const [drop, shift] of pairs([9, 0, 14, 7])) {
        const points: number[] = []
        for (let i = 0; i <= 20; i++) {
          const part = i / 20
          points.push(-118 + part * 236, -97 + shift + Math.sin(part * Math.PI) * drop)
        }
        pen.line(points, 1.5, '#33363d')
      }
    },
    anchors: { top: { x: 0, y: -88.5, width: 120 } },
  },
  'traffic-light': {
    paint: pen => {
      const body = pen.main('#2f333b')
      pen.box(-3.4, -38, 6.8, 38, shade(body, 0.12), 1)
      pen.box(-9, -3, 18, 3, shade(body, -0.1), 1)
      pen.box(-16, -100, 32, 66, body, 5)
      pen.box(-13.4, -97.4, 26.8, 60.8, shade(body, contrast(body) === '#fbfaf6' ? 0.16 : -0.16), 4)
      for (const [y, colour] of [
        [-87, '#f03a30'],
        [-67, '#f7b52c'],
        [-47, '#35c25a'],
      ] as const) {
        pen.ovalFlat(0, y - 1.6, 9.4, 9.4, '#1c1e24')
        pen.lamp(0, y, 8, colour)
        pen.oval(0, y, 8, 8, colour)
        pen.ovalFlat(-2.6, y - 3, 2.2, 1.6, '#ffffffa0')
      }
    },
  },
}
