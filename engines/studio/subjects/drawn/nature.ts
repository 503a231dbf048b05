import { pairs, triples } from '../../pairs.ts'
import { scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** Draws a mountain with a lit and a shaded flank and an optional cap of snow. */
function peak(pen: Pen, points: { left: number; top: number; right: number; height: number }, colour: string, snow: boolean): void {
  const { left, top, right, height } = points
  const ridge = [top, -height, top + 6, -height * 0.8, top - 4, -height * 0.62, top + 9, -height * 0.4, top + 2, -height * 0.2, top + 12, 0]
  const leftFlank = (parts: number[]) => scaled(parts, [top - left, height], [left, 0])
  const rightFlank = (parts: number[]) => scaled(parts, [right - top, height], [right, 0])
  pen.polyFlat([...leftFlank([0, 0, 0.36, -0.32, 0.55, -0.56, 0.8, -0.78]), ...ridge], shade(colour, 0.1))
  pen.polyFlat([...ridge, ...rightFlank([0, 0, -0.34, -0.3, -0.5, -0.5, -0.76, -0.8]), top, -height], shade(colour, -0.26))
  if (!snow) return
  const summit = scaled([-8, -0.68, -4, -0.6, 5, -0.8], [1, height], [top, 0])
  pen.polyFlat([top, -height, ...leftFlank([0.8, -0.78, 0.66, -0.64, 0.76, -0.66, 0.82, -0.56]), ...summit], '#fbfdff')
  const shaded = rightFlank([-0.8, -0.7, -0.7, -0.6, -0.62, -0.64, -0.76, -0.8])
  pen.polyFlat([top, -height, top + 5, -height * 0.8, top - 1, -height * 0.66, ...shaded], '#c5d4ea')
}

function boulder(pen: Pen, x: number, width: number, height: number, colour: string): void {
  const stone = pen.shape(
    scaled([-0.5, 0, -0.46, -0.5, -0.22, -0.94, 0.14, -1, 0.42, -0.64, 0.5, 0, 0, 0.04], [width, height], [x, 0]),
    colour,
    width * 0.08,
  )
  pen.clip(stone, () => {
    pen.shapeFlat(scaled([-0.4, -0.5, -0.16, -0.86, 0.06, -0.7, -0.1, -0.46], [width, height], [x, 0]), shade(colour, 0.2))
    pen.line(
      [x + width * 0.1, -height * 0.8, x + width * 0.2, -height * 0.44, x + width * 0.12, -height * 0.2],
      width * 0.014,
      shade(colour, -0.35),
    )
  })
}

function falls(pen: Pen, left: number, right: number, top: number): void {
  pen.boxFlat(left, top, right - left, -top, pen.down(top, 0, ['#bfe2f2', '#8cc4e4', '#d9f0fa']))
  for (let i = 0; i < 26; i++) {
    const x = pen.random.between(left + 1, right - 1)
    const y = pen.random.between(top, -20)
    pen.line([x, y, x + pen.random.between(-1, 1), y + pen.random.between(10, 34)], pen.random.between(0.6, 2), '#ffffffb0')
  }
  for (let i = 0; i < 16; i++)
    pen.ovalFlat(
      pen.random.between(left - 8, right + 8),
      pen.random.between(-8, 1),
      pen.random.between(4, 9),
      pen.random.between(3, 6),
      '#ffffffa0',
    )
}

export const nature: Record<string, Drawing> = {
  mountain: {
    paint: pen => {
      const rock = pen.main('#7f8aa0')
      peak(pen, { left: -104, top: -46, right: 10, height: 66 }, shade(rock, 0.1), true)
      peak(pen, { left: 0, top: 56, right: 108, height: 58 }, shade(rock, 0.06), true)
      peak(pen, { left: -70, top: 4, right: 78, height: 100 }, rock, true)
    },
  },
  hill: {
    paint: pen => {
      const green = pen.main('#79a84a')
      const mound = pen.shape([-160, 0, -120, -34, -64, -78, 0, -99, 60, -80, 120, -38, 160, 0, 0, 3], green, 14)
      pen.clip(mound, () => {
        for (let i = 0; i < 80; i++)
          pen.line(
            [pen.random.between(-150, 150), pen.random.between(-95, 0), 0, 0].map((value, index, all) =>
              index === 2 ? (all[0] ?? 0) + 2 : index === 3 ? (all[1] ?? 0) - 4 : value,
            ),
            0.9,
            shade(green, pen.random.between(-0.2, 0.3)),
          )
      })
    },
    anchors: { top: { x: 0, y: -96, width: 100 } },
  },
  volcano: {
    paint: pen => {
      const rock = pen.main('#6f5f62')
      pen.aura(0, -92, 44, '#ff7a3a', 0.7)
      for (const [x, y, r] of triples([-10, -112, 13, 8, -124, 17, -4, -142, 20, 18, -152, 15])) pen.oval(x, y, r, r * 0.8, '#8d858a')
      pen.polyFlat([-88, 0, -50, -34, -24, -78, -15, -90, 4, -86, 0, 0], shade(rock, 0.08))
      pen.polyFlat([0, 0, 4, -86, 15, -90, 26, -74, 52, -32, 90, 0], shade(rock, -0.28))
      pen.shapeFlat([-15, -90, -6, -94, 8, -93, 15, -89, 4, -85, -6, -86], '#ff9a3a')
      pen.shapeFlat([-6, -88, -9, -66, -4, -48, -12, -26, -5, -22, 1, -50, -2, -66, 3, -88], '#f2622a')
      pen.shapeFlat([6, -88, 12, -64, 9, -46, 18, -30, 21, -38, 15, -58, 11, -86], '#e2521f')
    },
  },
  island: {
    paint: pen => {
      pen.shape([-150, 0, -110, -20, -40, -34, 40, -34, 110, -20, 150, 0, 60, 10, -60, 10], pen.main('#ecd29a'), 8)
      pen.shape([-90, -20, -50, -46, 0, -54, 56, -44, 92, -20, 0, -14], '#7fae4a', 6)
      pen.line([10, -44, 18, -70, 14, -94], 6, '#8a6842')
      for (const points of [
        [14, -94, -10, -104, -34, -92],
        [14, -94, 2, -112, -14, -116],
        [14, -94, 34, -110, 50, -104],
        [14, -94, 38, -96, 56, -82],
        [14, -94, -8, -90, -24, -76],
      ])
        pen.line(points, 6, '#4f9a44')
      boulder(pen, -64, 30, 18, '#8d8984')
    },
    anchors: { top: { x: -20, y: -50, width: 110 } },
  },
  'floating-island': {
    paint: pen => {
      pen.shape([-58, -58, -44, -34, -30, -24, -18, -6, -6, 0, 4, -14, 18, -22, 30, -38, 48, -44, 58, -58], '#8a7264', 6)
      for (const points of [
        [-30, -50, -22, -30],
        [4, -48, 0, -18],
        [32, -50, 26, -34],
      ])
        pen.line(points, 2, '#6b564a')
      pen.shape([-62, -60, -40, -70, 0, -74, 42, -70, 62, -60, 40, -53, 0, -50, -40, -53], pen.main('#7fb04a'), 4)
      pen.line([-18, -68, -18, -84], 4, '#6b4a34')
      for (const [x, y, r] of triples([-28, -88, 11, -18, -98, 12, -8, -88, 11])) pen.oval(x, y, r, r * 0.9, '#5f9a3e')
      pen.box(12, -82, 22, 14, '#f4ead6')
      pen.poly([8, -81, 23, -95, 38, -81], '#b8503a', 2)
      pen.window(20, -78, 6, 6)
      pen.boxFlat(-48, -60, 5, 34, '#bfe2f2cc')
    },
  },
  iceberg: {
    paint: pen => {
      const ice = pen.main('#dff0fa')
      pen.polyFlat([-74, 0, -62, -30, -44, -46, -36, -72, -16, -84, -6, -100, 12, -80, 0, 0], ice)
      pen.polyFlat([0, 0, 12, -80, 28, -62, 40, -58, 54, -30, 74, 0], '#9cc4e0')
      pen.polyFlat([-36, -72, -16, -84, -6, -100, -4, -60, -24, -50], '#ffffff')
      pen.polyFlat([-62, -30, -44, -46, -30, -30, -44, -12], '#f4fafe')
      for (const points of [
        [-10, -70, -14, -40, -6, -10],
        [24, -56, 20, -30],
      ])
        pen.line(points, 1, '#7fb0d0')
    },
  },
  waterfall: {
    paint: pen => {
      const rock = pen.main('#7d7f7a')
      pen.shape([-34, 0, -36, -50, -28, -98, -10, -100, -8, 0], rock, 4)
      pen.shape([34, 0, 36, -46, 30, -98, 10, -100, 8, 0], shade(rock, -0.1), 4)
      falls(pen, -14, 14, -98)
      pen.shape([-36, -92, -24, -104, -8, -100, -16, -92], '#6a9a44', 3)
      pen.shape([36, -92, 24, -105, 8, -100, 16, -92], '#5f8f40', 3)
      boulder(pen, -22, 18, 12, rock)
      boulder(pen, 23, 16, 10, rock)
    },
  },
  rock: {
    paint: pen => {
      const stone = pen.main('#8f8c88')
      boulder(pen, 0, 130, 96, stone)
      boulder(pen, 52, 50, 34, shade(stone, 0.05))
      pen.shapeFlat([-64, 0, -52, -8, -40, -5, -30, -9, -20, 0], '#6f9a44')
    },
    anchors: { top: { x: -4, y: -90, width: 70 }, seat: { x: 0, y: -90 } },
  },
  cave: {
    paint: pen => {
      const rock = pen.main('#7d7368')
      const hill = pen.shape([-78, 0, -74, -42, -48, -80, -8, -98, 34, -88, 64, -52, 78, 0], rock, 8)
      pen.clip(hill, () => {
        for (const points of [
          [-60, -50, -40, -30],
          [40, -74, 54, -44],
          [-20, -94, -10, -70],
        ])
          pen.line(points, 2, shade(rock, -0.3))
      })
      pen.shapeFlat([-34, 0, -36, -32, -20, -58, 2, -64, 24, -52, 36, -26, 34, 0], '#1f1a24')
      pen.shapeFlat([-24, 0, -24, -24, -10, -42, 6, -46, 20, -36, 24, 0], '#0f0c14')
      boulder(pen, -52, 34, 22, rock)
      boulder(pen, 54, 28, 18, rock)
      pen.shapeFlat([-70, -44, -48, -82, -8, -100, 34, -90, 20, -82, -10, -88, -40, -70, -60, -38], '#6f9a44aa')
    },
    anchors: { opening: { x: 0, y: -16, width: 56 } },
  },
  pond: {
    paint: pen => {
      pen.oval(0, -14, 116, 14, '#8a7a5a')
      pen.context.fillStyle = pen.across(-110, 110, ['#5f9ac0', '#9cc9e0', '#4f86ac'])
      pen.context.beginPath()
      pen.context.ellipse(0, -14, 108, 12, 0, 0, Math.PI * 2)
      pen.context.fill()
      for (const [x, y, w] of triples([-40, -18, 30, 20, -11, 40, 50, -19, 22])) pen.line([x, y, x + w, y], 0.9, '#ffffffa0')
    },
  },
  wave: {
    paint: pen => {
      const sea = pen.main('#2f7fb5')
      pen.shape(
        [
          -108, 0, -96, -30, -66, -62, -26, -90, 18, -100, 56, -92, 78, -70, 74, -50, 60, -44, 66, -60, 50, -70, 30, -58, 26, -34, 44, -14,
          80, -8, 110, 0,
        ],
        sea,
        8,
      )
      pen.shapeFlat([-80, -10, -50, -48, -10, -74, 18, -80, 6, -50, 14, -20, 40, -6, 0, 0], shade(sea, 0.25))
      for (const points of [
        [-90, -10, -56, -46, -14, -72, 14, -76],
        [-70, -6, -36, -38, 2, -52],
      ])
        pen.line(points, 2, '#ffffff90')
      for (const [x, y, r] of triples([18, -98, 8, 36, -97, 9, 54, -90, 9, 70, -78, 9, 77, -64, 8, 72, -51, 7, 62, -46, 6]))
        pen.oval(x, y, r, r, '#f7fbff')
    },
  },
  flame: {
    paint: pen => {
      pen.aura(0, -44, 66, '#ff9a3a', 0.4)
      pen.shapeFlat([0, 0, -28, -8, -36, -34, -24, -60, -20, -46, -8, -76, 0, -100, 14, -72, 22, -52, 28, -62, 36, -32, 26, -8], '#f2622a')
      pen.shapeFlat([0, 0, -20, -8, -24, -30, -10, -54, 2, -74, 14, -46, 24, -28, 18, -6], '#fbb33a')
      pen.shapeFlat([0, 0, -11, -8, -10, -24, 0, -42, 10, -22, 9, -6], '#fff0a8')
    },
    isLuminous: true,
  },
  crystal: {
    paint: pen => {
      const gem = pen.main('#a06ae0')
      for (const [x, width, height, lean] of [
        [-20, 22, 62, -14],
        [22, 22, 56, 14],
        [0, 30, 98, 2],
        [-34, 14, 34, -16],
        [36, 14, 32, 16],
      ] as const) {
        pen.polyFlat(
          [x - width / 2, 0, x - width / 2 + lean, -height * 0.74, x + lean * 1.3, -height, x + lean, -height * 0.7, x, 0],
          shade(gem, 0.28),
        )
        pen.polyFlat(
          [x, 0, x + lean, -height * 0.7, x + lean * 1.3, -height, x + width / 2 + lean, -height * 0.72, x + width / 2, 0],
          shade(gem, -0.16),
        )
        pen.line([x, -2, x + lean, -height * 0.7, x + lean * 1.3, -height], 0.8, '#ffffffb0')
      }
      pen.aura(0, -50, 50, '#d9b8ff', 0.25)
    },
  },
  portal: {
    paint: pen => {
      const light = pen.main('#6a7af0')
      pen.aura(0, -50, 70, light, 0.6)
      for (let i = 0; i < 18; i++) {
        const angle = (i / 18) * Math.PI * 2
        pen.oval(Math.cos(angle) * 33, -50 + Math.sin(angle) * 45, 6.4, 6.4, '#6f6a72')
      }
      for (const [share, tone] of pairs([1, 0, 0.8, 0.2, 0.6, 0.4, 0.4, 0.6, 0.2, 0.85]))
        pen.ovalFlat(0, -50, 29 * share, 41 * share, shade(light, tone))
      for (let i = 0; i < 3; i++)
        pen.line(
          [
            Math.cos(i * 2.1) * 24,
            -50 + Math.sin(i * 2.1) * 34,
            Math.cos(i * 2.1 + 0.8) * 15,
            -50 + Math.sin(i * 2.1 + 0.8) * 21,
            Math.cos(i * 2.1 + 1.6) * 5,
            -50 + Math.sin(i * 2.1 + 1.6) * 8,
          ],
          1.4,
          '#ffffffa0',
        )
    },
    isLuminous: true,
  },
}
