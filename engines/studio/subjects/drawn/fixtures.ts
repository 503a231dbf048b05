import { pairs, triples } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing } from './pen.ts'

/** Drawings of fittings (a bathtub, an escalator, a jukebox), and of a few dishes and plants. */
export const fixtures: Record<string, Drawing> = {
  bathtub: {
    paint: pen => {
      const enamel = pen.main('#fbfaf7')
      for (const x of [-70, 62]) pen.shape([x - 4, -16, x + 12, -16, x + 10, -4, x + 16, 0, x - 4, 0], '#c9a24a', 2)
      pen.line([78, -84, 78, -110, 66, -114, 62, -104], 4, '#b8c0ca')
      pen.oval(0, -82, 98, 13, shade(enamel, -0.06))
      pen.ovalFlat(0, -81, 89, 9, '#9fd4e6')
      for (const [x, y, radius] of triples([-60, -86, 10, -44, -90, 12, -26, -86, 9, -72, -82, 7, -36, -80, 8]))
        pen.oval(x, y, radius, radius, '#ffffff')
      const body = pen.shape([-98, -80, -94, -40, -76, -14, 0, -11, 76, -14, 94, -40, 98, -80, 60, -70, 0, -67, -60, -70], enamel, 8)
      pen.clip(body, () => pen.shapeFlat([-100, -20, 0, -16, 100, -20, 100, 0, -100, 0], shade(enamel, -0.12)))
      pen.line([-96, -80, -60, -71, 0, -68, 60, -71, 96, -80], 4, shade(enamel, -0.1))
    },
    anchors: { seat: { x: 0, y: -76 }, opening: { x: 0, y: -78, width: 150 } },
  },
  'bunk-bed': {
    paint: pen => {
      const wood = pen.main('#b07a44')
      for (const [y, tone] of [
        [-34, '#5b8fc0'],
        [-78, '#d8705a'],
      ] as const) {
        pen.box(-78, y - 4, 156, 12, '#f4efe4', 4)
        pen.box(-76, y - 14, 34, 12, '#fbf8f2', 6)
        pen.shape([-40, y - 8, 0, y - 12, 76, y - 9, 76, y + 10, -40, y + 10], tone, 3)
        pen.box(-84, y + 8, 168, 10, shade(wood, -0.06), 2)
      }
      for (const y of [-98, -90]) pen.box(-84, y, 110, 4, wood, 1)
      for (const x of [-88, 80]) pen.box(x, -100, 10, 100, wood, 2)
      for (const x of [34, 60]) pen.box(x, -96, 5, 96, shade(wood, 0.12), 1)
      for (let y = -88; y < -6; y += 15) pen.box(34, y, 31, 4, shade(wood, 0.12), 1)
    },
    anchors: { top: { x: -10, y: -84, width: 80 } },
  },
  escalator: {
    paint: pen => {
      const steel = pen.main('#9aa4b0')
      pen.poly([-98, 0, -98, -12, -62, -12, 58, -78, 98, -78, 98, -62, 66, -62, -50, 0], shade(steel, -0.3), 2)
      for (let i = 0; i < 9; i++) {
        pen.box(-66 + i * 14, -20 - i * 7.4, 15, 9, '#5a626e')
        pen.boxFlat(-66 + i * 14, -20 - i * 7.4, 15, 1.6, '#f2c63a')
      }
      pen.polyFlat([-92, -34, -60, -36, 58, -100, 92, -100, 92, -74, 60, -74, -60, -12, -92, -12], '#a9cfe066')
      pen.line([-96, -12, -98, -30, -86, -36, -60, -38, 56, -101, 92, -101, 100, -92, 98, -74], 5, '#26282f')
      pen.poly([-98, 0, -98, -12, -60, -12, 60, -76, 98, -76, 98, -62, 66, -62, -50, 0], steel, 3)
    },
  },
  jukebox: {
    paint: pen => {
      const body = pen.main('#c8402e')
      pen.shape([-34, 0, -36, -60, -32, -84, -18, -98, 0, -102, 18, -98, 32, -84, 36, -60, 34, 0], body, 4)
      pen.shapeFlat([-30, -4, -32, -60, -28, -82, -16, -94, 0, -98, 16, -94, 28, -82, 32, -60, 30, -4], '#f2b23a')
      pen.shapeFlat([-26, -4, -28, -60, -24, -80, -14, -90, 0, -93, 14, -90, 24, -80, 28, -60, 26, -4], '#3aa8b0')
      pen.shapeFlat([-22, -54, -22, -76, -12, -86, 0, -88, 12, -86, 22, -76, 22, -54], '#20303a')
      pen.oval(0, -66, 14, 11, '#17181d')
      pen.oval(0, -66, 4, 3.2, '#e04a4a')
      pen.box(-23, -53, 46, 12, '#f4ead2', 1)
      for (let i = 0; i < 7; i++) pen.boxFlat(-20 + i * 6, -49, 4, 5, '#c8352e')
      const grille = pen.box(-20, -38, 40, 34, '#4a2f1c', 6)
      pen.clip(grille, () => {
        for (let i = -4; i < 8; i++) {
          pen.line([-26 + i * 8, -4, -2 + i * 8, -40], 1.4, '#e3b83a')
          pen.line([-26 + i * 8, -40, -2 + i * 8, -4], 1.4, '#e3b83a')
        }
      })
      pen.lamp(0, -96, 3, '#ffe08a')
    },
    isLuminous: true,
  },
  'cuckoo-clock': {
    paint: pen => {
      const wood = pen.main('#7a4a28')
      for (const x of [-9, 9]) {
        pen.line([x, -34, x, -8], 1, '#c9a24a')
        pen.shape([x - 3, -10, x, -14, x + 3, -10, x + 2.4, 0, x - 2.4, 0], '#5a3a22', 1)
      }
      pen.line([0, -36, 2, -20], 1.4, '#7a4a28')
      pen.oval(2, -18, 4, 5, '#c9a24a')
      pen.box(-22, -76, 44, 42, wood, 2)
      pen.poly([-32, -72, 0, -102, 32, -72, 27, -66, 0, -92, -27, -66], shade(wood, -0.25), 2)
      pen.box(-7, -82, 14, 14, '#2a1a10', 2)
      pen.oval(1, -74, 5, 4, '#4a90c8')
      pen.polyFlat([5, -76, 10, -74, 5, -72], '#f2b23a')
      pen.oval(0, -51, 14, 14, '#f7f0dc')
      for (let i = 0; i < 12; i++) pen.ovalFlat(Math.sin(i * 0.524) * 11.4, -51 - Math.cos(i * 0.524) * 11.4, 1, 1, '#33241c')
      pen.line([0, -51, 0, -61], 1.4, '#33241c')
      pen.line([0, -51, 6, -47], 1.6, '#33241c')
      for (const side of [-1, 1])
        for (const y of [-42, -52, -62]) pen.shape([side * 20, y, side * 30, y - 8, side * 31, y + 2, side * 24, y + 6], '#4f7a3a', 1)
    },
  },
  'honey-dipper': {
    paint: pen => {
      const wood = pen.main('#b98448')
      pen.box(-2.4, -101, 4.8, 70, wood, 2)
      pen.oval(0, -100, 4, 4, wood)
      for (const [index, half] of [7, 10, 12, 12, 10, 7].entries())
        pen.box(-half, -36 + index * 6, half * 2, 4.4, shade(wood, index % 2 ? -0.1 : 0.06), 2.2)
      pen.box(-3, -36, 6, 34, shade(wood, -0.24), 2)
    },
  },
  'cinnamon-roll': {
    paint: pen => {
      const dough = pen.main('#d99a54')
      pen.shape([-70, -20, -72, -56, -48, -82, 0, -92, 48, -82, 72, -56, 70, -20, 40, -4, -40, -4], dough, 6)
      pen.oval(0, -60, 66, 36, shade(dough, 0.14))
      const spiral: number[] = []
      for (let i = 0; i <= 60; i++) {
        const turn = (i / 60) * Math.PI * 5
        const radius = 1 - i / 62
        spiral.push(Math.cos(turn) * 60 * radius, -60 + Math.sin(turn) * 32 * radius)
      }
      pen.line(spiral, 6, '#8a4a20')
      pen.shapeFlat(
        [-52, -74, -20, -92, 24, -90, 50, -72, 46, -56, 34, -40, 26, -54, 8, -46, 0, -62, -18, -44, -30, -56, -48, -52],
        '#fdf6e6e0',
      )
    },
  },
  'dip-bowl': {
    paint: pen => {
      const dip = pen.main('#e3c48a')
      pen.oval(0, -70, 92, 28, '#c8643c')
      pen.ovalFlat(0, -72, 82, 23, dip)
      const swirl: number[] = []
      for (let i = 0; i <= 40; i++)
        swirl.push(Math.cos((i / 40) * 12) * 66 * (1 - i / 46), -73 + Math.sin((i / 40) * 12) * 17 * (1 - i / 46))
      pen.line(swirl, 5, shade(dip, -0.14))
      pen.ovalFlat(6, -74, 22, 6, '#d8a82ecc')
      for (const [x, y] of pairs([-34, -80, 30, -64, -18, -64, 44, -78, -50, -70]))
        pen.oval(x, y, 5, 3.6, ['#c8b070', '#4f8a3a'][Math.abs(x) % 2] ?? '#c8b070')
      pen.shape([-92, -70, -80, -34, -50, -6, 50, -6, 80, -34, 92, -70, 60, -54, 0, -46, -60, -54], '#d8744a', 6)
    },
  },
  'cabbage-dish': {
    paint: pen => {
      pen.oval(0, -26, 110, 22, '#e9ecef')
      for (let i = 0; i < 13; i++) {
        const x = -70 + ((i * 37) % 140)
        const y = -30 - ((i * 23) % 44)
        pen.shape([x - 24, y, x - 10, y - 16, x + 16, y - 14, x + 26, y - 2, x + 8, y + 8, x - 14, y + 8], i % 3 ? '#d8582f' : '#f0c49a', 3)
        if (i % 4 === 0) pen.line([x - 14, y - 8, x + 14, y - 4], 3, '#4f9a4a')
      }
      pen.shape([-110, -26, -90, -4, 90, -4, 110, -26, 50, -12, -50, -12], '#dfe3e8', 4)
    },
  },
  'scrambled-eggs': {
    paint: pen => {
      pen.oval(0, -26, 120, 24, '#e9ecef')
      pen.ovalFlat(0, -28, 96, 16, '#f7f8fa')
      for (let i = 0; i < 16; i++) {
        const x = -64 + ((i * 41) % 128)
        const y = -30 - ((i * 17) % 40) * (1 - Math.abs(x) / 110)
        pen.oval(x, y, 20, 12, ['#f6cf4a', '#f9dc70', '#f2c02e'][i % 3] ?? '#f6cf4a')
      }
      for (const [x, y] of pairs([-24, -56, 10, -62, 30, -48, -44, -42])) pen.ovalFlat(x, y, 4, 1.8, '#4f9a4a', 0.5)
      pen.shape([-120, -26, -96, -4, 96, -4, 120, -26, 60, -11, -60, -11], '#dfe3e8', 4)
    },
  },
  'venus-flytrap': {
    paint: pen => {
      const leaf = pen.main('#5aa03a')
      pen.shape([-26, 0, -32, -26, 32, -26, 26, 0], '#b8623a', 3)
      for (const [x, y, turn] of triples([-34, -64, -0.6, 0, -84, 0, 34, -66, 0.6])) {
        pen.line([0, -26, x * 0.5, -44, x, y + 10], 5, leaf)
        for (const side of [-1, 1]) {
          const angle = turn + side * 0.42
          const [dx, dy] = [Math.sin(angle) * 22, -Math.cos(angle) * 22]
          pen.shape(
            [
              x,
              y + 8,
              x + dx * 0.4 - dy * 0.3 * side,
              y + 8 + dy * 0.4 + dx * 0.3 * side,
              x + dx,
              y + 8 + dy,
              x + dx * 0.7 + dy * 0.24 * side,
              y + 8 + dy * 0.7 - dx * 0.24 * side,
            ],
            side < 0 ? '#c8405a' : leaf,
            2,
          )
          for (const at of [0.4, 0.6, 0.8, 1])
            pen.line(
              [x + dx * at - dy * 0.1 * side, y + 8 + dy * at, x + dx * at + dy * 0.34 * side, y + 6 + dy * at - dx * 0.3 * side],
              1.4,
              shade(leaf, 0.3),
            )
        }
      }
      for (const side of [-1, 1]) pen.shape([0, -26, side * 18, -36, side * 44, -30, side * 20, -24], leaf, 2)
    },
  },
  topiary: {
    paint: pen => {
      const leaf = pen.main('#3f7f3a')
      pen.box(-2.4, -96, 4.8, 80, '#7a5436')
      pen.shape([-18, 0, -22, -20, 22, -20, 18, 0], '#b8623a', 3)
      for (const [y, radius] of pairs([-38, 20, -66, 15, -90, 10])) {
        pen.oval(0, y, radius, radius, leaf)
        for (let i = 0; i < radius * 2; i++) {
          const angle = i * 2.4
          const at = radius * 0.92 * Math.sqrt((i + 0.5) / (radius * 2))
          pen.ovalFlat(Math.cos(angle) * at, y + Math.sin(angle) * at, 1.8, 1.2, shade(leaf, i % 2 ? 0.18 : -0.14), angle)
        }
      }
    },
  },
  tapestry: {
    paint: pen => {
      const cloth = pen.main('#8a2f3a')
      pen.box(-72, -101, 144, 5, '#7a4a28', 2)
      for (const x of [-75, 75]) pen.oval(x, -98, 5, 5, '#c9a24a')
      const body = pen.box(-64, -97, 128, 86, cloth, 1)
      pen.clip(body, () => {
        pen.boxFlat(-58, -91, 116, 74, '#d9b25a')
        pen.boxFlat(-54, -87, 108, 66, '#2f4a5a')
        for (const side of [-1, 1]) {
          pen.line([side * 30, -24, side * 30, -66], 3, '#b98448')
          for (const y of [-40, -52, -64]) pen.oval(side * 30, y, 14, 8, '#5a8a4a')
        }
        pen.shape([-16, -26, -12, -50, -18, -66, 0, -78, 18, -66, 12, -50, 16, -26], '#d9b25a', 2)
        pen.oval(0, -58, 7, 7, '#c8402e')
      })
      for (let x = -62; x < 64; x += 6) pen.line([x, -11, x + 1, 0], 1.6, '#d9b25a')
    },
    anchors: { panel: { x: 0, y: -54, width: 104, height: 62 } },
  },
  dam: {
    paint: pen => {
      const wall = pen.main('#c3bfb4')
      pen.shape([-160, 0, -170, -60, -130, -104, -112, -70, -104, 0], '#7a7060', 8)
      pen.shape([160, 0, 170, -60, 130, -104, 112, -70, 104, 0], '#7a7060', 8)
      pen.boxFlat(-116, -92, 232, 14, '#5f9ab8')
      pen.poly([-114, -82, 114, -82, 100, 0, -100, 0], wall, 6)
      pen.box(-120, -88, 240, 8, shade(wall, 0.12))
      for (let x = -96; x <= 96; x += 24) pen.line([x, -80, x * 0.88, 0], 1.4, shade(wall, -0.16))
      for (const x of [-42, 0, 42]) {
        pen.box(x - 12, -84, 24, 12, shade(wall, -0.3))
        pen.shapeFlat([x - 9, -74, x + 9, -74, x + 13, -4, x + 18, 0, x - 18, 0, x - 13, -4], '#f4fafd')
        pen.line([x - 4, -70, x - 6, -6], 2, '#c3dfee')
        pen.line([x + 4, -70, x + 7, -6], 2, '#c3dfee')
      }
    },
  },
}
