import { pairs } from '../../pairs.ts'
import { shade } from '../colour.ts'
import { inks, sheet } from './charts.ts'
import type { Drawing, Pen } from './pen.ts'

/** Approximate coastlines of the continents, as flat lists x, y, x, y of points on a world map. The
 *  map is 180 units wide; x grows to the east, y to the south, and y is 0 at the lower edge. */
const continents: readonly (readonly number[])[] = [
  // North America with Central America.
  [
    -84, -78, -70, -86, -52, -88, -34, -84, -26, -74, -36, -64, -44, -60, -46, -54, -52, -58, -58, -54, -48, -46, -44, -42, -54, -50, -66,
    -62, -76, -70,
  ],
  // Greenland.
  [-32, -90, -18, -92, -12, -86, -22, -78],
  // South America.
  [-46, -44, -36, -44, -24, -34, -28, -24, -34, -18, -40, -4, -43, -8, -42, -24, -48, -34],
  // Europe and Asia.
  [
    -8, -60, -4, -66, 2, -72, 6, -84, 16, -82, 34, -86, 58, -86, 84, -78, 76, -72, 70, -64, 64, -58, 58, -50, 52, -44, 46, -50, 40, -42, 34,
    -52, 24, -56, 18, -62, 8, -58,
  ],
  // Africa.
  [-10, -50, -4, -58, 12, -56, 22, -54, 30, -42, 22, -32, 18, -18, 10, -10, 4, -26, 0, -38, -8, -40],
  // Australia, islands of south-east Asia, Britain, Japan.
  [58, -28, 66, -32, 76, -28, 78, -18, 68, -13, 58, -17],
  [48, -38, 58, -37, 66, -35, 56, -33],
  [-8, -74, -3, -76, -3, -69, -8, -68],
  [74, -62, 78, -66, 79, -59, 75, -56],
]

const stations = (pen: Pen, points: readonly number[]): void => {
  for (let i = 0; i < points.length; i += 2) {
    pen.ovalFlat(points[i] ?? 0, points[i + 1] ?? 0, 2.6, 2.6, '#26282f')
    pen.ovalFlat(points[i] ?? 0, points[i + 1] ?? 0, 1.6, 1.6, '#ffffff')
  }
}

/** Draws a railway line of straight segments with rounded corners, and its stations. */
function track(pen: Pen, points: readonly number[], colour: string): void {
  const { context } = pen
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.lineWidth = 3
  context.strokeStyle = colour
  context.beginPath()
  for (let i = 0; i < points.length; i += 2) context.lineTo(points[i] ?? 0, points[i + 1] ?? 0)
  context.stroke()
  stations(pen, points)
}

export const maps: Record<string, Drawing> = {
  'treasure-map': {
    paint: pen => {
      const paper = pen.main('#e3c68c')
      const page = pen.shape(
        [-74, -94, -40, -100, 0, -95, 44, -100, 76, -95, 72, -66, 78, -36, 72, -4, 40, 0, 0, -4, -44, 0, -76, -5, -71, -36, -77, -66],
        paper,
        3,
      )
      const dark = '#7a4a24'
      pen.clip(page, () => {
        for (const y of [-88, -80, -20]) pen.line([44, y, 52, y - 3, 58, y, 66, y - 3], 1, shade(paper, -0.3))
        const land = pen.shape(
          [-60, -30, -62, -60, -40, -82, -6, -86, 24, -76, 38, -84, 54, -64, 46, -42, 56, -22, 24, -12, -10, -18, -34, -12],
          shade(paper, -0.14),
          2,
        )
        pen.context.lineWidth = 1.4
        pen.context.strokeStyle = dark
        pen.context.stroke(land)
        for (const x of [-34, -22, -12]) pen.polyFlat([x - 8, -58, x, -72, x + 8, -58], dark)
        for (const x of [-32, -20, -10]) pen.polyFlat([x - 3, -66, x - 2, -72, x + 2, -66], paper)
        for (const [x, y] of pairs([8, -66, 16, -62, 20, -70])) {
          pen.line([x, y, x, y - 7], 1.4, dark)
          pen.ovalFlat(x, y - 9, 4, 4, '#6a7a3a')
        }
      })
      for (const [x, y] of pairs([-48, -34, -38, -30, -28, -33, -18, -39, -8, -41, 2, -37, 12, -33, 21, -36]))
        pen.ovalFlat(x, y, 2.6, 1.5, '#8a2a20', -0.4)
      pen.line([26, -50, 40, -34], 4.4, '#c0241c')
      pen.line([40, -50, 26, -34], 4.4, '#c0241c')
      for (const angle of [0, 1.571, Math.PI, 4.712])
        pen.polyFlat(
          [
            60 + Math.cos(angle) * 13,
            -14 + Math.sin(angle) * 13,
            60 + Math.cos(angle + 1.571) * 3,
            -14 + Math.sin(angle + 1.571) * 3,
            60 + Math.cos(angle - 1.571) * 3,
            -14 + Math.sin(angle - 1.571) * 3,
          ],
          dark,
        )
    },
    anchors: { panel: { x: 0, y: -8, width: 80, height: 12 } },
  },
  'old-world-map': {
    paint: pen => {
      const paper = pen.main('#dcc08a')
      pen.box(-96, -100, 192, 100, shade(paper, -0.35), 2)
      pen.box(-93, -97, 186, 94, paper, 1)
      pen.clip(pen.box(-93, -97, 186, 94, paper, 1), () => {
        for (let x = -90; x <= 90; x += 20) pen.boxFlat(x, -97, 0.7, 94, '#8a643c66')
        for (let y = -92; y < 0; y += 15) pen.boxFlat(-93, y, 186, 0.7, '#8a643c66')
      })
      for (const coast of continents) {
        const land = pen.shape([...coast], '#a9803f', 1)
        pen.context.lineWidth = 1
        pen.context.strokeStyle = '#5c3a1c'
        pen.context.stroke(land)
      }
      pen.ring(-70, -22, 9, 9, 1, '#5c3a1c')
      for (let i = 0; i < 8; i++)
        pen.line([-70, -22, -70 + Math.cos(i * 0.785) * (i % 2 ? 6 : 12), -22 + Math.sin(i * 0.785) * (i % 2 ? 6 : 12)], 1.2, '#5c3a1c')
    },
    anchors: { panel: { x: 0, y: -10, width: 120, height: 12 } },
  },
  'wall-map': {
    paint: pen => {
      pen.box(-96, -100, 192, 100, '#f7f4ea', 2)
      pen.boxFlat(-92, -96, 184, 92, pen.main('#9fd0e6'))
      const tones = ['#8cbf6a', '#f0efe8', '#e3b25c', '#c9a0c4', '#e8c95c', '#e08a5c', '#8cbf6a', '#8cbf6a', '#e3b25c']
      for (const [index, coast] of continents.entries()) pen.shape([...coast], tones[index] ?? '#8cbf6a', 1)
    },
    anchors: { panel: { x: 0, y: -8, width: 120, height: 10 } },
  },
  'transit-map': {
    paint: pen => {
      sheet(pen, 76, '#fdfdfb')
      pen.context.lineWidth = 6
      pen.context.strokeStyle = '#bcdcf0'
      pen.context.lineJoin = 'round'
      pen.context.beginPath()
      for (const [x, y] of pairs([-76, -24, -40, -24, -24, -36, 20, -36, 36, -22, 76, -22])) pen.context.lineTo(x, y)
      pen.context.stroke()
      track(pen, [-66, -84, -40, -84, -20, -64, 20, -64, 40, -44, 66, -44], inks[0])
      track(pen, [-66, -50, -30, -50, -10, -30, 20, -30, 44, -54, 44, -90], inks[1])
      track(pen, [-50, -10, -50, -34, -20, -64, 0, -84, 66, -84], inks[2])
      track(pen, [-20, -8, 10, -8, 20, -18, 20, -94], inks[3])
      track(pen, [-66, -66, -34, -66, -34, -92, 0, -92], inks[4])
      pen.box(48, -18, 24, 14, '#eceff2', 1)
      for (const [index, colour] of inks.slice(0, 4).entries()) pen.boxFlat(50, -16 + index * 3, 8, 1.8, colour)
    },
    anchors: { panel: { x: -40, y: -4, width: 50, height: 8 } },
  },
}
