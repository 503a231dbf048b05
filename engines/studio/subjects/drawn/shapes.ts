import type { Drawing } from './pen.ts'

/** Returns the corners of a regular polygon centred in a box of 100 units, with the first corner at
 *  the top. */
function regular(corners: number, turn = 0, radius = 50): number[] {
  return Array.from({ length: corners }, (_, index) => {
    const angle = -Math.PI / 2 + turn + (index * 2 * Math.PI) / corners
    return [Math.cos(angle) * radius, -50 + Math.sin(angle) * radius]
  }).flat()
}

/** Returns a flat figure in one colour. */
const flat = (points: number[], natural: string): Drawing => ({ paint: pen => pen.polyFlat(points, pen.main(natural)) })

const spiral = Array.from({ length: 120 }, (_, index) => {
  const angle = index * 0.19
  const radius = 2 + index * 0.39
  return [Math.cos(angle) * radius, -50 + Math.sin(angle) * radius]
}).flat()

/** Flat geometric figures and lines. */
export const shapes: Record<string, Drawing> = {
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
