import { pairs } from '../../pairs.ts'
import { ellipse } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { block } from './solids.ts'
import { turned } from './tint.ts'

/** Draws a toy wheel with a dark tyre and a yellow hub, which stands on the ground at `x`. */
function wheel(pen: Pen, x: number, radius: number): void {
  pen.oval(x, -radius, radius, radius, '#2a2e38')
  pen.oval(x, -radius, radius * 0.5, radius * 0.5, '#f2c230')
}

export const toys: Record<string, Drawing> = {
  'toy-car': {
    paint: pen => {
      const red = pen.main('#e0483e')
      pen.shape([-88, -22, -90, -50, -66, -58, -46, -94, 26, -96, 56, -60, 88, -50, 92, -22], red, 7)
      pen.poly([-38, -62, -30, -86, -8, -86, -8, -62], '#cfe6f4', 2)
      pen.poly([2, -62, 2, -86, 20, -86, 40, -62], '#cfe6f4', 2)
      pen.boxFlat(-88, -40, 178, 7, '#fbfaf6')
      wheel(pen, -50, 24)
      wheel(pen, 50, 24)
      pen.oval(86, -44, 6, 7, '#f6e07a')
    },
    isSided: true,
  },
  'toy-plane': {
    paint: pen => {
      const red = pen.main('#e0483e')
      pen.shape([-90, -52, -84, -70, -10, -74, 60, -66, 72, -48, 56, -32, -10, -30, -80, -44], red, 6)
      pen.poly([-90, -62, -104, -98, -80, -98, -62, -66], '#f2c230', 3)
      pen.poly([-24, -46, -44, -10, -14, -10, 26, -44], '#3f7fc4', 3)
      pen.shape([6, -70, 14, -84, 32, -82, 36, -68], '#cfe6f4', 2)
      pen.oval(74, -49, 5, 26, '#c9985c')
      pen.oval(74, -49, 6, 6, '#f2c230')
    },
    isSided: true,
  },
  'rocking-horse': {
    paint: pen => {
      const wood = pen.main('#c08a4e')
      pen.line([-70, -18, -40, -4, 0, -1, 40, -4, 74, -20], 7, '#b3322a')
      for (const points of [
        [-34, -6, -28, -38],
        [34, -6, 26, -38],
      ])
        pen.line(points, 9, shade(wood, -0.14))
      pen.shape([-44, -40, -42, -60, -10, -58, 18, -64, 24, -86, 38, -98, 62, -80, 60, -70, 44, -72, 40, -52, 34, -36, -30, -34], wood, 6)
      pen.line([-44, -54, -60, -46, -62, -28], 8, '#e9d9a8')
      pen.line([34, -98, 20, -84, 14, -66], 8, '#e9d9a8')
      pen.shape([-20, -62, -4, -66, 12, -62, 8, -44, -16, -44], '#d8433a', 2)
      pen.ovalFlat(46, -83, 2.6, 3, '#22161a')
      pen.line([44, -70, 22, -58], 2, '#d8433a')
    },
    isSided: true,
  },
  'lego-brick': {
    paint: pen => {
      const red = pen.main('#e0352f')
      block(pen, { width: 104, height: 56, depth: 46 }, red)
      for (const row of [0, 1])
        for (let i = 0; i < 4; i++) {
          const x = -56 + i * 26 + row * 22
          const y = -62 - row * 12
          pen.boxFlat(x - 8, y - 7, 16, 8, shade(red, -0.12))
          pen.ovalFlat(x, y + 1, 8, 3.4, shade(red, -0.12))
          pen.ovalFlat(x, y - 7, 8, 3.4, shade(red, 0.34))
        }
    },
  },
  'puzzle-cube': {
    paint: pen => {
      const faces = ['#e0483e', '#f2c230', '#3f8fd0', '#4fae4a', '#f08a24', '#fbfaf6']
      block(pen, { width: 78, height: 78, depth: 40 }, '#26282e')
      for (let row = 0; row < 3; row++)
        for (let i = 0; i < 3; i++) {
          pen.boxFlat(-57 + i * 25.6, -76 + row * 25.6, 22.6, 22.6, faces[(row * 2 + i) % 6] ?? '#e0483e', 3)
          const [x, y] = [-55 + i * 25.8 + row * 13, -80 - row * 7.2]
          pen.polyFlat([x, y, x + 22, y, x + 33, y - 6, x + 11, y - 6], faces[(row + i * 2 + 3) % 6] ?? '#fbfaf6')
          const [u, v] = [21 + i * 13, -75 - i * 7.2 + row * 26]
          pen.polyFlat([u, v, u + 11, v - 6, u + 11, v + 16, u, v + 22], shade(faces[(row + i + 4) % 6] ?? '#4fae4a', -0.2))
        }
    },
  },
  'spinning-top': {
    paint: pen => {
      const red = pen.main('#e0483e')
      pen.box(-3.4, -100, 6.8, 26, '#c9985c', 3)
      const body = pen.shape([-46, -58, -30, -76, 0, -80, 30, -76, 46, -58, 20, -22, 3, 0, -3, 0, -20, -22], red, 6)
      pen.clip(body, () => {
        pen.boxFlat(-60, -64, 120, 9, '#f2c230')
        pen.boxFlat(-60, -44, 120, 8, '#3f7fc4')
      })
    },
  },
  'piggy-bank': {
    paint: pen => {
      const pink = pen.main('#f0a0b0')
      for (const x of [-40, 26]) pen.box(x, -22, 18, 22, shade(pink, -0.14), 5)
      pen.line([-66, -52, -78, -58, -74, -68], 4, shade(pink, -0.1))
      pen.oval(0, -50, 66, 40, pink)
      pen.poly([26, -84, 36, -100, 50, -78], shade(pink, -0.12), 2)
      pen.oval(62, -46, 14, 17, shade(pink, 0.12))
      for (const x of [58, 67]) pen.ovalFlat(x, -46, 2.6, 4, shade(pink, -0.5))
      pen.ovalFlat(40, -64, 4, 4.6, '#33202a')
      pen.boxFlat(-22, -90, 30, 5, '#7a3a4a', 2)
    },
    isSided: true,
  },
  pinwheel: {
    paint: pen => {
      pen.box(-1.6, -66, 3.2, 66, '#c9985c')
      const colours = [pen.main('#e0483e'), '#f2c230', '#3f8fd0', '#4fae4a']
      for (let i = 0; i < 4; i++) {
        turned(pen, { x: 0, y: -68, angle: i * Math.PI * 0.5 }, () => {
          pen.poly([0, 0, 0, -32, 22, -22], colours[i] ?? '#e0483e', 2)
          pen.polyFlat([0, 0, 0, -32, -8, -16], shade(colours[i] ?? '#e0483e', -0.28))
        })
      }
      pen.oval(0, -68, 4, 4, '#fbfaf6')
    },
  },
  'party-hat': {
    paint: pen => {
      const cone = pen.poly([0, -92, 38, -6, 0, 0, -38, -6], pen.main('#3f8fd0'), 6)
      pen.clip(cone, () => {
        for (const [x, y] of pairs([-16, -16, 4, -30, 20, -14, -8, -48, 10, -56, 0, -74])) pen.ovalFlat(x, y, 5.4, 5.4, '#f2c230')
      })
      pen.oval(0, -94, 9, 8, '#e0566b')
    },
  },
  ornament: {
    paint: pen => {
      const red = pen.main('#d02f36')
      pen.ring(0, -95, 6, 6, 2, '#d9b25a')
      pen.box(-9, -90, 18, 10, '#e2b23a', 2)
      const body = pen.oval(0, -41, 41, 41, red)
      pen.clip(body, () => {
        pen.boxFlat(-50, -50, 100, 14, '#f4ecd8')
        for (let i = -3; i <= 3; i++) pen.poly([i * 14 - 6, -43, i * 14, -50, i * 14 + 6, -43, i * 14, -36], '#e2b23a', 0.5)
      })
      pen.ovalFlat(-16, -62, 8, 6, '#ffffffa0', -0.6)
    },
  },
  'christmas-stocking': {
    paint: pen => {
      const red = pen.main('#d02f36')
      pen.shape([-26, -80, 20, -80, 18, -44, 30, -30, 50, -22, 52, -6, 36, 0, -4, -4, -24, -22], red, 6)
      pen.shape([-27, -26, -16, -28, -6, -8, -6, -4, -24, -14], '#fbfaf6', 1)
      pen.shape([36, -26, 52, -18, 50, -4, 38, 0], '#fbfaf6', 1)
      pen.box(-32, -100, 58, 24, '#fbfaf6', 10)
    },
  },
  'gingerbread-man': {
    paint: pen => {
      const dough = pen.main('#b5733a')
      pen.shape(
        [
          -12, -60, -40, -64, -46, -54, -38, -46, -16, -44, -16, -26, -34, -6, -26, 1, -14, -4, 0, -20, 14, -4, 26, 1, 34, -6, 16, -26, 16,
          -44, 38, -46, 46, -54, 40, -64, 12, -60,
        ],
        dough,
        4,
      )
      pen.oval(0, -78, 23, 22, dough)
      for (const x of [-8, 8]) pen.oval(x, -82, 3, 3, '#33202a')
      pen.line([-9, -73, 0, -68, 9, -73], 2.6, '#fbfaf6')
      for (const [y, colour] of [
        [-50, '#e0483e'],
        [-39, '#4fae4a'],
        [-28, '#e0483e'],
      ] as const)
        pen.oval(0, y, 3.6, 3.6, colour)
      for (const side of [-1, 1]) {
        pen.line([side * 38, -61, side * 36, -49], 2.6, '#fbfaf6')
        pen.line([side * 32, -10, side * 22, -16], 2.6, '#fbfaf6')
      }
    },
  },
  'gingerbread-house': {
    paint: pen => {
      const dough = pen.main('#b5733a')
      pen.poly([-56, 0, -56, -52, 0, -96, 56, -52, 56, 0], dough, 5)
      pen.line([-66, -48, 0, -98, 66, -48], 9, '#fbfaf6')
      for (let i = 0; i < 7; i++)
        pen.oval(-60 + i * 20, -50 - (3 - Math.abs(i - 3)) * 16, 6, 6, ['#e0483e', '#4fae4a', '#f2c230'][i % 3] ?? '#e0483e')
      pen.box(-13, -36, 26, 36, '#7a4020', 12)
      pen.line([-13, 0, -13, -26, 0, -37, 13, -26, 13, 0], 3, '#fbfaf6')
      for (const x of [-36, 36]) {
        pen.box(x - 9, -38, 18, 18, '#ffe9a8', 2)
        pen.line([x, -38, x, -20], 2.4, '#fbfaf6')
        pen.line([x - 9, -29, x + 9, -29], 2.4, '#fbfaf6')
      }
      pen.box(-70, -5, 140, 8, '#fbfaf6', 4)
    },
  },
  dollhouse: {
    paint: pen => {
      const wall = pen.main('#e79ab4')
      pen.poly([-62, -66, 0, -101, 62, -66], shade(wall, -0.3), 4)
      pen.box(-54, -66, 108, 66, wall, 1)
      for (const [x, y, tone] of [
        [-48, -62, '#fbf0d0'],
        [3, -62, '#d6ecf4'],
        [-48, -30, '#dcefd2'],
        [3, -30, '#f6dfe8'],
      ] as const)
        pen.boxFlat(x, y, 45, 27, tone)
      pen.box(-44, -44, 24, 8, '#8a6ac4', 2)
      pen.box(-44, -50, 6, 14, '#a5713f', 1)
      pen.box(12, -47, 4, 11, '#a5713f')
      pen.box(8, -49, 26, 4, '#a5713f')
      pen.box(-42, -17, 26, 13, '#4f8fb0', 4)
      pen.poly([-12, -22, -6, -22, -4, -16, -14, -16], '#f2c230', 1)
      pen.line([-9, -16, -9, -4], 1.4, '#8a5a32')
      pen.box(10, -24, 14, 20, '#f4f6f8', 2)
      pen.box(28, -16, 16, 12, '#c9985c', 1)
      pen.oval(0, -80, 8, 8, '#cfe6f4')
    },
  },
  'jack-in-the-box': {
    paint: pen => {
      pen.box(-34, -44, 68, 44, pen.main('#3f7fc4'), 2)
      pen.poly([-34, -44, -56, -66, -48, -70, -26, -48], '#e0483e', 2)
      pen.line([-10, -44, 12, -50, -10, -55, 12, -60, -8, -64], 3, '#f2c230')
      pen.oval(2, -78, 14, 14, '#f3d3bc')
      pen.poly([-14, -86, 2, -108, 20, -86], '#e0483e', 2)
      for (const x of [-4, 8]) pen.ovalFlat(x, -80, 1.8, 2.2, '#22161a')
      pen.oval(2, -75, 3, 3, '#d8342b')
      pen.poly([-14, -34, 0, -26, 14, -34, 8, -20, 12, -6, 0, -12, -12, -6, -8, -20], '#f2c230', 1)
    },
  },
  sandbox: {
    paint: pen => {
      pen.polyFlat([-92, -80, 92, -80, 120, -24, -120, -24], '#e6cc92')
      pen.shape([-30, -52, -10, -84, 16, -84, 36, -52], '#dcbf85', 3)
      pen.poly([50, -66, 76, -66, 72, -42, 54, -42], '#e0483e', 2)
      pen.poly([-92, -80, 92, -80, 98, -72, -98, -72], '#a5713f', 1)
      pen.poly([-122, -30, 122, -30, 126, 0, -126, 0], pen.main('#b98a54'), 3)
    },
  },
  'arcade-machine': {
    paint: pen => {
      const body = pen.main('#3a3f9a')
      pen.poly([-26, 0, -26, -100, 26, -100, 26, 0], body, 4)
      pen.box(-26, -101, 52, 13, '#e0483e', 2)
      pen.boxFlat(-18, -97, 36, 5, '#ffe27a')
      pen.box(-20, -84, 40, 32, '#12141e', 2)
      for (const [x, y, colour] of [
        [-12, -74, '#6af08a'],
        [0, -70, '#f2c230'],
        [10, -62, '#e0566b'],
        [-6, -60, '#7fb0ff'],
      ] as const)
        pen.boxFlat(x, y, 6, 4, colour)
      pen.poly([-28, -50, 28, -50, 32, -38, -32, -38], shade(body, 0.2), 2)
      pen.line([-14, -44, -14, -51], 2, '#22161a')
      pen.oval(-14, -52, 3, 3, '#e0483e')
      for (const x of [4, 13]) pen.oval(x, -44, 3, 2, '#f2c230')
      pen.box(-8, -24, 16, 14, '#26282e', 1)
    },
    isLuminous: false,
  },
  'action-figure': {
    paint: pen => {
      pen.poly([-14, -66, -30, -14, 30, -14, 14, -66], '#c8282e', 3)
      for (const x of [-11, 3]) pen.box(x, -36, 8, 34, '#2f4fa0', 2)
      for (const x of [-13, 3]) pen.box(x, -8, 11, 8, '#c8282e', 3)
      for (const side of [-1, 1]) pen.line([side * 14, -64, side * 25, -52, side * 18, -42], 7, pen.main('#2f6fc4'))
      pen.poly([-15, -70, 15, -70, 11, -34, -11, -34], pen.main('#2f6fc4'), 3)
      pen.poly([-6, -62, 6, -62, 0, -52], '#f2c230', 0.6)
      pen.boxFlat(-11, -39, 22, 4, '#f2c230')
      pen.oval(0, -84, 12, 14, '#f0c8a8')
      pen.shape([-12, -86, -8, -98, 8, -98, 12, -86, 0, -92], '#3a2a20', 1)
      for (const x of [-4, 4]) pen.ovalFlat(x, -84, 1.6, 1.8, '#22161a')
    },
  },
  wreath: {
    paint: pen => {
      const green = pen.main('#3f7a44')
      for (let i = 0; i < 34; i++) {
        const angle = i * 0.37
        pen.oval(
          Math.cos(angle) * (36 + (i % 3) * 4),
          -52 + Math.sin(angle) * (36 + (i % 3) * 4),
          13,
          6,
          shade(green, (i % 4) * 0.1 - 0.16),
          angle + 0.9,
        )
      }
      for (let i = 0; i < 9; i++) pen.oval(Math.cos(i * 0.7 + 0.3) * 38, -52 + Math.sin(i * 0.7 + 0.3) * 38, 4, 4, '#d02f36')
      for (const side of [-1, 1]) {
        pen.poly([0, -12, side * 24, -22, side * 22, -2], '#d02f36', 2)
        pen.poly([0, -12, side * 14, 6, side * 4, 6], '#b3202c', 1)
      }
      pen.oval(0, -12, 6, 6, '#d02f36')
    },
  },
  'game-console': {
    paint: pen => {
      pen.box(-110, -76, 220, 60, pen.main('#3a3d46'), 8)
      pen.boxFlat(-110, -50, 220, 4, '#5ab0ff')
      pen.box(-90, -68, 70, 9, '#22252c', 4)
      pen.oval(84, -64, 6, 6, '#6af08a')
      pen.shape([10, 0, 16, -26, 34, -34, 76, -34, 94, -26, 100, 0, 84, 2, 70, -12, 40, -12, 26, 2], '#f4f6f8', 4)
      for (const x of [34, 76]) pen.oval(x, -22, 5, 5, '#33363f')
    },
  },
  'origami-crane': {
    paint: pen => {
      const paper = pen.main('#f0a0b0')
      pen.poly([-10, -30, -64, -86, -30, -14], shade(paper, -0.1), 1)
      pen.poly([6, -30, 62, -76, 76, -72, 30, -12], shade(paper, -0.2), 1)
      pen.polyFlat([-30, -14, 0, -100, 8, -26], shade(paper, 0.2))
      pen.polyFlat([8, -26, 34, -98, 30, -12], paper)
      pen.polyFlat([-30, -14, 8, -26, 30, -12, 0, 0], shade(paper, -0.28))
    },
    isSided: true,
  },
  yarn: {
    paint: pen => {
      const wool = pen.main('#d9607a')
      const ballPath = ellipse(0, -50, 50, 50)
      pen.oval(0, -50, 50, 50, wool)
      pen.clip(ballPath, () => {
        for (let i = -6; i <= 6; i++) {
          pen.line([-60, -50 + i * 9, 0, -60 + i * 12, 60, -50 + i * 9], 1.8, shade(wool, -0.24))
          pen.line([i * 10 - 14, -102, i * 8, -50, i * 10 + 14, 2], 1.6, shade(wool, 0.26))
        }
      })
      pen.line([40, -16, 66, -4, 90, -10, 110, -2], 3, wool)
    },
  },
}
