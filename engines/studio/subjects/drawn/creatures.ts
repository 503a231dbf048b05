import { pairs, triples } from '../../pairs.ts'
import { scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

function eye(pen: Pen, x: number, y: number, radius: number): void {
  pen.ovalFlat(x, y, radius, radius * 1.1, '#1d1820')
  pen.ovalFlat(x - radius * 0.3, y - radius * 0.4, radius * 0.36, radius * 0.36, '#ffffff')
}

function robotLimb(pen: Pen, points: number[], colour: string): void {
  pen.line(points, 5, '#6a7280')
  const [x, y, , , endX, endY] = points
  pen.oval(x ?? 0, y ?? 0, 5, 5, colour)
  pen.oval(endX ?? 0, endY ?? 0, 5.4, 5.4, colour)
}

export const creatures: Record<string, Drawing> = {
  robot: {
    paint: pen => {
      const metal = pen.main('#9fb4c4')
      for (const side of [-1, 1]) {
        robotLimb(pen, [side * 9, -30, side * 10, -18, side * 10, -8], shade(metal, -0.1))
        pen.shape(
          [side * 10 - 8, 0, side * 10 - 8, -6, side * 10 - 3, -9, side * 10 + 5, -9, side * 10 + 9, -5, side * 10 + 9, 0],
          shade(metal, -0.2),
          2,
        )
      }
      robotLimb(pen, [-20, -56, -29, -46, -30, -34], metal)
      const body = pen.box(-19, -63, 38, 35, metal, 8)
      pen.clip(body, () => pen.boxFlat(-20, -36, 40, 10, shade(metal, -0.16)))
      pen.box(-12, -57, 24, 15, shade(metal, -0.45), 3)
      pen.lamp(-6, -50, 2, '#5af0c8')
      pen.lamp(0, -50, 2, '#ffd25a')
      pen.lamp(6, -50, 2, '#ff6a5a')
      robotLimb(pen, [20, -56, 31, -60, 34, -72], metal)
      for (const turn of [-0.7, 0.7]) pen.line([34, -74, 34 + Math.sin(turn) * 5, -79], 2.4, '#6a7280')
      pen.box(-5, -68, 10, 6, '#6a7280')
      pen.line([0, -94, 0, -100], 1.4, '#6a7280')
      pen.lamp(0, -101, 2.2, '#ff6a5a')
      for (const x of [-22, 18]) pen.box(x, -86, 5, 10, shade(metal, -0.2), 2)
      pen.box(-19, -94, 38, 27, shade(metal, 0.08), 9)
      pen.boxFlat(-14, -89, 28, 17, '#22303c', 6)
      for (const x of [-6, 7]) {
        pen.lamp(x, -82, 3.1, '#6af0ff')
        pen.ovalFlat(x - 0.8, -83, 1, 1, '#ffffff')
      }
      pen.line([-4, -75.6, 0.5, -74.4, 5, -75.6], 1.1, '#6af0ff')
    },
    anchors: { hand: { x: 34, y: -78 }, head: { x: 0, y: -93, width: 40 } },
  },
  alien: {
    paint: pen => {
      const skin = pen.main('#7fc96a')
      for (const side of [-1, 1]) {
        pen.shape(scaled([4, -30, 10, -28, 10, -6, 13, 0, 3, 0, 4, -12], [side, 1]), shade(skin, -0.1), 2)
        pen.line([side * 11, -50, side * 20, -40, side * 22, -26], 4.6, shade(skin, side < 0 ? -0.16 : 0))
        for (const turn of [-3, 0, 3]) pen.line([side * 22, -27, side * 22 + turn, -21], 1.8, skin)
      }
      pen.shape([-12, -54, 12, -54, 14, -38, 10, -24, -10, -24, -14, -38], '#8a9ad9', 3)
      pen.box(-13, -34, 26, 4, '#5a6ab0', 1)
      pen.shape([0, -56, 13, -60, 25, -76, 20, -94, 0, -100, -20, -94, -25, -76, -13, -60], skin, 5)
      for (const side of [-1, 1]) {
        pen.ovalFlat(side * 10, -77, 7, 10, '#16181f', side * 0.5)
        pen.ovalFlat(side * 10 - 2, -81, 2, 2.6, '#ffffff')
      }
      pen.line([-4, -63, 0, -61.6, 4, -63], 1.3, shade(skin, -0.5))
    },
    anchors: { hand: { x: 22, y: -24 }, head: { x: 0, y: -96, width: 44 } },
  },
  monster: {
    paint: pen => {
      const fur = pen.main('#7a6ad0')
      for (const x of [-18, 18]) pen.shape([x - 12, 0, x - 10, -16, x + 10, -16, x + 12, 0], shade(fur, -0.2), 2)
      for (const side of [-1, 1]) pen.shape(scaled([30, -58, 44, -44, 47, -22, 40, -16, 32, -26], [side, 1]), shade(fur, -0.1), 3)
      const points: number[] = []
      for (let i = 0; i < 40; i++) {
        const angle = (i / 40) * Math.PI * 2
        const reach = i % 2 ? 1 : 1.09
        points.push(Math.cos(angle) * 36 * reach, -50 + Math.sin(angle) * 44 * reach)
      }
      pen.shape(points, fur, 6)
      pen.ovalFlat(2, -32, 20, 20, shade(fur, 0.3))
      for (const side of [-1, 1]) pen.shape([side * 18, -84, side * 24, -98, side * 34, -104, side * 28, -84], '#f0e4c8', 1.5)
      for (const [x, r] of pairs([-11, 10, 13, 11])) {
        pen.ovalFlat(x, -68, r, r, '#fffdf6')
        eye(pen, x + 2, -67, r * 0.5)
      }
      pen.shape([-20, -50, 0, -47, 22, -51, 16, -36, 0, -32, -14, -36], '#5a2030', 1)
      for (const x of [-12, -2, 9]) pen.polyFlat([x, -49, x + 6, -49, x + 3, -42], '#fffdf6')
    },
    anchors: { head: { x: 0, y: -92, width: 60 } },
  },
  skeleton: {
    paint: pen => {
      const bone = pen.main('#f1ead8')
      const dark = shade(bone, -0.22)
      for (const side of [-1, 1]) {
        pen.line([side * 5, -40, side * 6, -21, side * 6, -3], 3, side < 0 ? dark : bone)
        pen.line([side * 6, -2, side * 11, -1], 3, bone)
        pen.line([side * 12, -68, side * 17, -54, side * 18, -40], 2.6, side < 0 ? dark : bone)
        for (const turn of [-2, 0, 2]) pen.line([side * 18, -40, side * 18 + turn, -35], 1, bone)
        pen.oval(side * 6, -21, 2.6, 2.6, bone)
      }
      pen.shape([-9, -44, 9, -44, 6, -37, 0, -34, -6, -37], bone, 1)
      pen.line([0, -44, 0, -72], 3, dark)
      for (const [y, half] of pairs([-68, 12, -63, 12, -58, 11, -53, 8.6])) pen.line([-half, y + 1.4, 0, y - 1, half, y + 1.4], 2, bone)
      pen.shape([0, -74, 7, -78, 11, -86, 9, -96, 0, -100, -9, -96, -11, -86, -7, -78], bone, 3)
      for (const x of [-4.4, 4.6]) pen.ovalFlat(x, -87, 3, 3.4, '#2a2028')
      pen.polyFlat([-1.4, -81, 0, -84, 1.4, -81], '#2a2028')
      for (const x of [-3, 0, 3]) pen.line([x, -78.6, x, -76], 0.7, '#2a2028')
    },
    anchors: { hand: { x: 18, y: -38 }, head: { x: 0, y: -98, width: 22 } },
  },
  pumpkin: {
    paint: pen => {
      const orange = pen.main('#ee8a2a')
      for (const [x, width, tone] of triples([-40, 24, -0.14, 40, 24, -0.22, -22, 28, -0.04, 24, 28, -0.1, 0, 30, 0.04]))
        pen.oval(x, -42, width, 42, shade(orange, tone))
      pen.shape([-6, -80, -4, -96, -10, -102, 4, -103, 8, -94, 8, -80], '#6a8a3a', 2)
      pen.line([6, -86, 22, -94, 34, -88, 40, -96], 1.8, '#6a8a3a')
      pen.ovalFlat(-14, -62, 6, 14, '#ffffff33', 0.3)
    },
  },
  sword: {
    paint: pen => {
      pen.poly([-4, -30, 4, -30, 4, -92, 0, -100, -4, -92], pen.main('#dfe6ee'), 2)
      pen.line([0, -32, 0, -90], 1, '#aab4c2')
      pen.box(-13, -31, 26, 5, '#e0b340', 2)
      pen.box(-2.4, -26, 4.8, 20, '#6b3a26', 1)
      for (const y of [-22, -16, -10]) pen.line([-2.4, y, 2.4, y - 2], 0.8, '#e0b340')
      pen.oval(0, -4, 4, 4, '#e0b340')
    },
  },
  wand: {
    paint: pen => {
      const wood = pen.main('#7a5030')
      pen.shape([-2, 0, -1.6, -40, -2.6, -78, 2.6, -78, 1.8, -40, 2, 0], wood, 1)
      pen.line([-2, -78, -7, -86, -5, -95, 0, -99], 2.6, wood)
      pen.line([2, -78, 7, -86, 5, -95, 0, -99], 2.2, shade(wood, -0.15))
      pen.lamp(0, -88, 3.6, '#7fd8ff')
    },
  },
}
