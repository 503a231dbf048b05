import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** A regular figure of `corners` around the middle of the box of 100 units, the first corner up. */
function regular(corners: number, turn = 0, radius = 50): number[] {
  return Array.from({ length: corners }, (_, index) => {
    const angle = -Math.PI / 2 + turn + (index * 2 * Math.PI) / corners
    return [Math.cos(angle) * radius, -50 + Math.sin(angle) * radius]
  }).flat()
}

/** A flat figure in one colour. */
const flat = (points: number[], natural: string): Drawing => ({ paint: pen => pen.polyFlat(points, pen.main(natural)) })

/** Two upright faces and a top, seen from a little above. */
function slab(pen: Pen, { half, low, high, rise }: { half: number; low: number; high: number; rise: number }, colour: string): void {
  pen.polyFlat([-half, -low - rise, 0, -low, 0, -high, -half, -high - rise], shade(colour, 0.06))
  pen.polyFlat([half, -low - rise, 0, -low, 0, -high, half, -high - rise], shade(colour, -0.3))
  pen.polyFlat([-half, -high - rise, 0, -high, half, -high - rise, 0, -high - rise * 2], shade(colour, 0.3))
  pen.line([-half, -high - rise, 0, -high, half, -high - rise], 0.8, shade(colour, 0.45))
  pen.line([0, -low, 0, -high], 0.8, shade(colour, 0.2))
}

const solids: Record<string, Drawing> = {
  cube: {
    paint: pen => slab(pen, { half: 48, low: 0, high: 54, rise: 23 }, pen.main('#8f9aa8')),
    anchors: { top: { x: 0, y: -77, width: 66 }, panel: { x: -24, y: -38, width: 34, height: 30 } },
  },
  block: {
    paint: pen => slab(pen, { half: 78, low: 0, high: 46, rise: 27 }, pen.main('#c9975b')),
    anchors: { top: { x: 0, y: -73, width: 100 }, panel: { x: -39, y: -36, width: 56, height: 24 } },
  },
  sphere: {
    paint: pen => {
      const colour = pen.main('#8f9aa8')
      const { context } = pen
      const light = context.createRadialGradient(-18, -70, 2, -4, -52, 54)
      light.addColorStop(0, shade(colour, 0.75))
      light.addColorStop(0.22, shade(colour, 0.32))
      light.addColorStop(0.62, colour)
      light.addColorStop(1, shade(colour, -0.5))
      context.fillStyle = light
      context.beginPath()
      context.arc(0, -50, 50, 0, 7)
      context.fill()
    },
    anchors: { top: { x: 0, y: -98, width: 30 } },
  },
  cone: {
    paint: pen => {
      const colour = pen.main('#8f9aa8')
      pen.context.fillStyle = pen.across(-42, 42, [shade(colour, 0.3), colour, shade(colour, -0.42)])
      pen.context.beginPath()
      pen.context.moveTo(0, -100)
      pen.context.lineTo(42, -10)
      pen.context.ellipse(0, -10, 42, 11, 0, 0, Math.PI)
      pen.context.closePath()
      pen.context.fill()
    },
  },
  cylinder: {
    paint: pen => {
      const colour = pen.main('#8f9aa8')
      const { context } = pen
      context.fillStyle = pen.across(-36, 36, [shade(colour, 0.1), shade(colour, 0.28), colour, shade(colour, -0.4)])
      context.beginPath()
      context.moveTo(-36, -88)
      context.lineTo(-36, -11)
      context.ellipse(0, -11, 36, 11, 0, Math.PI, 0, true)
      context.lineTo(36, -88)
      context.closePath()
      context.fill()
      pen.ovalFlat(0, -88, 36, 11, shade(colour, 0.4))
    },
    anchors: { top: { x: 0, y: -88, width: 50 } },
  },
  'solid-pyramid': {
    paint: pen => {
      const colour = pen.main('#d9b06a')
      pen.polyFlat([-58, -16, 8, 0, -2, -100], shade(colour, 0.12))
      pen.polyFlat([8, 0, 58, -20, -2, -100], shade(colour, -0.32))
      pen.line([8, 0, -2, -100], 0.8, shade(colour, 0.35))
    },
  },
  torus: {
    paint: pen => {
      const colour = pen.main('#8f9aa8')
      pen.ring(0, -50, 36, 36, 26, shade(colour, -0.3))
      pen.ring(-1, -52, 36, 36, 20, colour)
      pen.ring(-3, -55, 36, 36, 7, shade(colour, 0.4))
    },
  },
}

const spiral = Array.from({ length: 120 }, (_, index) => {
  const angle = index * 0.19
  const radius = 2 + index * 0.39
  return [Math.cos(angle) * radius, -50 + Math.sin(angle) * radius]
}).flat()

const figures: Record<string, Drawing> = {
  circle: { paint: pen => pen.ovalFlat(0, -50, 50, 50, pen.main('#d94a3d')) },
  oval: { paint: pen => pen.ovalFlat(0, -50, 74, 50, pen.main('#3d7fb5')) },
  square: flat([-50, 0, 50, 0, 50, -100, -50, -100], '#3d7fb5'),
  rectangle: flat([-85, 0, 85, 0, 85, -100, -85, -100], '#3d7fb5'),
  triangle: flat([-58, 0, 58, 0, 0, -100], '#e2a02e'),
  rhombus: flat([0, 0, 38, -50, 0, -100, -38, -50], '#8a5aa8'),
  trapezoid: flat([-80, 0, 80, 0, 48, -100, -48, -100], '#4f9d69'),
  parallelogram: flat([-84, 0, 52, 0, 84, -100, -52, -100], '#4f9d69'),
  pentagon: flat(regular(5), '#4f9d69'),
  hexagon: flat(regular(6), '#e2a02e'),
  octagon: flat(regular(8, Math.PI / 8), '#d94a3d'),
  'concentric-circles': {
    paint: pen => {
      const colour = pen.main('#27506f')
      for (const radius of [48, 38, 28, 18, 8]) pen.ring(0, -50, radius, radius, 4, colour)
    },
  },
  'congruent-triangles': {
    paint: pen => {
      for (const [x, colour] of [
        [-62, '#e2a02e'],
        [62, '#3d7fb5'],
      ] as const) {
        pen.polyFlat([x - 52, 0, x + 52, 0, x - 20, -100], pen.main(colour))
        for (const [a, b] of [
          [x, 0],
          [x - 36, -50],
          [x + 16, -50],
        ] as const)
          pen.line([a - 3, b - 6, a + 3, b + 6], 3, '#ffffff')
      }
    },
  },
  swirl: { paint: pen => pen.line(spiral, 6, pen.main('#8a5aa8')) },
  'dashed-line': {
    paint: pen => {
      const colour = pen.main('#26262b')
      for (let x = -95; x < 90; x += 32) pen.boxFlat(x, -60, 20, 10, colour, 1)
    },
  },
  'straight-line': { paint: pen => pen.boxFlat(-95, -56, 190, 9, pen.main('#26262b')) },
  'zigzag-line': {
    paint: pen => pen.line(Array.from({ length: 9 }, (_, i) => [-160 + i * 40, i % 2 ? -80 : -20]).flat(), 9, pen.main('#26262b')),
  },
  'yin-yang': {
    paint: pen => {
      const dark = pen.main('#1d1d22')
      const { context } = pen
      pen.ovalFlat(0, -50, 50, 50, '#f4f2ec')
      context.fillStyle = dark
      context.beginPath()
      context.arc(0, -50, 50, Math.PI / 2, -Math.PI / 2)
      context.arc(0, -75, 25, -Math.PI / 2, Math.PI / 2)
      context.arc(0, -25, 25, -Math.PI / 2, Math.PI / 2, true)
      context.fill()
      pen.ovalFlat(0, -75, 7.5, 7.5, dark)
      pen.ovalFlat(0, -25, 7.5, 7.5, '#f4f2ec')
      pen.ring(0, -50, 49, 49, 2, dark)
    },
  },
}

export const shapes: Record<string, Drawing> = { ...solids, ...figures }
