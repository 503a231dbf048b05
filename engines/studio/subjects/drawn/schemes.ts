import { pairs, triples } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** Returns a point on the orbit of a planet in the diagram of the solar system; `angle` is in
 *  radians. The orbits are ellipses, because the diagram shows them at an angle. */
const orbit = (radius: number, angle: number) => ({ x: Math.cos(angle) * radius, y: -50 + Math.sin(angle) * radius * 0.46 })

function arrow(pen: Pen, points: number[], colour: string): void {
  pen.line(points, 3, colour)
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points.slice(-4)
  const angle = Math.atan2(y2 - y1, x2 - x1)
  const corner = (turn: number) => [x2 + Math.cos(angle + turn) * 8, y2 + Math.sin(angle + turn) * 8]
  pen.polyFlat([x2 + Math.cos(angle) * 4, y2 + Math.sin(angle) * 4, ...corner(2.5), ...corner(-2.5)], colour)
}

/** Drawings of diagrams (the solar system, the water cycle, the food pyramid, a constellation), and
 *  of a sun disc, a spiral staircase, a filling station and a pizza. */
export const schemes: Record<string, Drawing> = {
  'solar-system': {
    paint: pen => {
      pen.box(-108, -104, 216, 108, '#141a34', 4)
      for (let i = 0; i < 60; i++) pen.ovalFlat(pen.random.between(-106, 106), pen.random.between(-102, 2), 0.5, 0.5, '#dfe6ff')
      const planets = [
        [20, 2, '#b8a898', 0.4],
        [30, 3, '#e8c080', 2.6],
        [41, 3.2, '#4a90d8', 5.2],
        [51, 2.6, '#d0603a', 1.2],
        [64, 7, '#d8a878', 3.6],
        [78, 6, '#e3cf94', 0.2],
        [90, 4.4, '#8fd0d8', 4.4],
        [101, 4.2, '#4a68c8', 2.2],
      ] as const
      for (const [radius] of planets) pen.ring(0, -50, radius, radius * 0.46, 0.7, '#5a6aa0')
      pen.ovalFlat(0, -50, 16, 16, '#ffb22e55')
      pen.oval(0, -50, 12, 12, '#ffc83a')
      for (const [index, [radius, size, colour, angle]] of planets.entries()) {
        const { x, y } = orbit(radius, angle)
        if (index === 5) pen.ring(x, y, size * 1.8, size * 0.6, 1.6, '#f0e2b8')
        pen.oval(x, y, size, size, colour)
        if (index === 4) for (const dy of [-2, 1.4]) pen.line([x - size * 0.8, y + dy, x + size * 0.8, y + dy], 1.2, '#b07a50')
        if (index === 2) pen.ovalFlat(x - 0.6, y - 0.4, 1.4, 1, '#5aa05a')
      }
    },
  },
  'water-cycle': {
    paint: pen => {
      pen.box(-100, -104, 200, 106, '#cfe9f6', 4)
      pen.oval(74, -86, 11, 11, '#ffcf3a')
      pen.shape([-100, -6, -96, -52, -66, -84, -44, -60, -26, -66, 0, -26, 10, 0, -100, 0], '#7f8f86', 4)
      pen.polyFlat([-78, -72, -66, -84, -54, -70, -62, -72, -68, -66], '#ffffff')
      pen.shape([-100, 0, -60, -16, -10, -12, 20, 0], '#6aa85a', 2)
      pen.shape([4, -12, 40, -16, 100, -14, 100, 2, -10, 2], '#3a8fc8', 2)
      for (const [x, y, w] of triples([-36, -92, 20, -16, -96, 16, -56, -90, 14])) pen.oval(x, y, w, w * 0.52, '#f4f8fb')
      for (const x of [-52, -40, -28]) pen.line([x, -78, x - 3, -68], 1.6, '#3a7fc8')
      arrow(pen, [52, -22, 58, -40, 52, -58], '#e0603a')
      arrow(pen, [40, -74, 22, -90, 6, -94], '#e0603a')
      arrow(pen, [-64, -76, -80, -62, -84, -46], '#e0603a')
      arrow(pen, [-40, -22, -20, -6, 6, -5], '#e0603a')
    },
  },
  'food-pyramid': {
    paint: pen => {
      const rows = ['#e0603a', '#f2b23a', '#58b07a', '#5a8fd0'] as const
      for (const [index, colour] of rows.entries()) {
        const [top, bottom] = [-100 + index * 25, -77 + index * 25]
        const half = (y: number) => (100 + y) * 0.62
        pen.poly([-half(top), top, half(top), top, half(bottom), bottom, -half(bottom), bottom], colour, 2)
        for (let i = 0; i <= index; i++) {
          const x = (i - index / 2) * 24
          if (index === 1) pen.oval(x, bottom - 10, 7, 5, '#fbf6e6')
          else if (index === 2) pen.oval(x, bottom - 10, 6, 6, i % 2 ? '#d8342e' : '#f08a2e')
          else if (index === 3) pen.box(x - 8, bottom - 15, 16, 10, '#d9a45a', 4)
          else pen.oval(x, bottom - 6, 3, 3, '#fff0d0')
        }
      }
    },
  },
  constellation: {
    paint: pen => {
      pen.box(-90, -102, 180, 104, '#141a3a', 4)
      for (let i = 0; i < 90; i++) pen.ovalFlat(pen.random.between(-88, 88), pen.random.between(-100, 0), 0.5, 0.5, '#cdd8ff')
      for (const figure of [
        [-76, -84, -58, -90, -44, -80, -30, -76, -24, -58, -2, -56, -6, -78, -30, -76],
        [22, -92, 30, -72, 46, -82, 58, -68, 74, -86],
        [-70, -20, -54, -34, -40, -26, -28, -40, -12, -22],
        [24, -46, 40, -36, 52, -22, 36, -12, 20, -24, 24, -46],
      ]) {
        for (let i = 0; i + 3 < figure.length; i += 2)
          pen.line([figure[i] ?? 0, figure[i + 1] ?? 0, figure[i + 2] ?? 0, figure[i + 3] ?? 0], 0.9, '#8fa8e8')
        for (let i = 0; i < figure.length; i += 2) {
          pen.ovalFlat(figure[i] ?? 0, figure[i + 1] ?? 0, 3.4, 3.4, '#8fa8e855')
          pen.ovalFlat(figure[i] ?? 0, figure[i + 1] ?? 0, 1.8, 1.8, '#fff6d8')
        }
      }
    },
  },
  'sun-disc': {
    paint: pen => {
      const colour = pen.main('#ffb52e')
      pen.ovalFlat(0, -50, 50, 50, colour)
      pen.ovalFlat(-6, -56, 38, 38, shade(colour, 0.1))
      pen.aura(0, -50, 84, colour, 0.4)
    },
    isLuminous: true,
  },
  'spiral-staircase': {
    paint: pen => {
      const wood = pen.main('#9a6a3e')
      pen.box(-3, -100, 6, 100, shade(wood, -0.3), 2)
      const steps = 14
      for (let i = 0; i < steps; i++) {
        const angle = (i / steps) * Math.PI * 2.6 - 0.6
        const y = -4 - i * 6.7
        const [x, depth] = [Math.cos(angle) * 32, Math.sin(angle)]
        const next = Math.cos(angle + 0.56) * 32
        pen.poly([0, y, x, y + depth * 5, next, y + Math.sin(angle + 0.56) * 5, 0, y + 2], shade(wood, depth * 0.14), 1)
        pen.line([x, y + depth * 5, x, y + depth * 5 - 17], 1.2, '#4a4f58')
        if (i > 0) {
          const before = ((i - 1) / steps) * Math.PI * 2.6 - 0.6
          pen.line([Math.cos(before) * 32, y + 6.7 + Math.sin(before) * 5 - 17, x, y + depth * 5 - 17], 1.8, '#4a4f58')
        }
      }
    },
  },
  'gas-station': {
    paint: pen => {
      const red = pen.main('#c8352e')
      pen.box(30, -66, 112, 66, '#f0ebe0', 2)
      pen.window(40, -52, 44, 26, { frame: '#8d97a4' })
      pen.box(98, -54, 26, 54, '#5a7f94', 2)
      pen.box(26, -74, 120, 10, red, 2)
      for (const x of [-126, -20]) pen.box(x, -82, 7, 82, '#d5dae0')
      pen.box(-146, -100, 150, 20, '#f7f4ec', 3)
      pen.boxFlat(-146, -94, 150, 7, red)
      for (const x of [-96, -58]) {
        pen.box(x - 11, -4, 22, 4, '#8d97a4', 1)
        pen.box(x - 8, -38, 16, 35, red, 3)
        pen.box(x - 5, -33, 10, 8, '#dfeaf0', 1)
        pen.line([x + 8, -26, x + 14, -18, x + 12, -8, x + 8, -12], 1.6, '#26282f')
      }
    },
  },
  pizza: {
    paint: pen => {
      const crust = pen.main('#e0a04a')
      const cheese = shade(pen.main('#f2c85a'), 0.12)
      pen.oval(0, -46, 112, 48, shade(crust, -0.25))
      pen.oval(0, -52, 112, 48, crust)
      pen.ovalFlat(0, -53, 98, 40, shade(pen.main('#d0442c'), -0.12))
      pen.ovalFlat(0, -54, 94, 37, cheese)
      for (let i = 0; i < 26; i++) {
        const [angle, far] = [i * 2.4, Math.sqrt((i + 0.5) / 26) * 0.9]
        pen.ovalFlat(Math.cos(angle) * 90 * far, -54 + Math.sin(angle) * 35 * far, 8, 3.4, shade(cheese, i % 2 ? 0.25 : -0.06), angle)
      }
      for (const [x, y] of pairs([-58, -60, -22, -74, 26, -72, 62, -58, -38, -38, 4, -52, 44, -36, 2, -28, -72, -46]))
        pen.oval(x, y, 13, 6.4, shade(pen.main('#c2382c'), -0.15))
      for (const [x, y, turn] of triples([-40, -66, 0.6, 10, -64, -0.4, 34, -50, 1, -18, -42, 0.2, 66, -44, -0.7]))
        pen.ovalFlat(x, y, 8, 3, '#4f8a3a', turn)
    },
    anchors: { panel: { x: 0, y: -54, width: 150, height: 56 }, top: { x: 0, y: -56, width: 140 } },
  },
}
