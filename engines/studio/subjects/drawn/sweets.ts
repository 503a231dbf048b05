import { pairs, triples } from '../../pairs.ts'
import { blob } from '../brush.ts'
import { shade } from '../colour.ts'
import { scatter } from './dishes.ts'
import type { Drawing } from './pen.ts'
import { turned } from './tint.ts'

export const sweets: Record<string, Drawing> = {
  macaron: {
    paint: pen => {
      const shell = pen.main('#f0a0b8')
      pen.shape([-64, -14, -58, 0, 58, 0, 64, -14, 56, -34, -56, -34], shade(shell, -0.08), 4)
      pen.box(-60, -50, 120, 18, '#fbf2e0', 8)
      pen.shape([-64, -52, -58, -82, 0, -100, 58, -82, 64, -52, 50, -46, -50, -46], shell, 6)
      for (let i = -6; i <= 6; i++) pen.oval(i * 10, -49, 6.4, 4.4, shade(shell, 0.18))
    },
  },
  'gummy-bear': {
    paint: pen => {
      const jelly = pen.main('#e0483e')
      for (const side of [-1, 1]) {
        pen.oval(side * 17, -92, 9, 9, jelly)
        pen.oval(side * 27, -48, 11, 13, jelly)
        pen.oval(side * 18, -10, 14, 11, jelly)
      }
      pen.oval(0, -36, 27, 32, jelly)
      pen.oval(0, -76, 24, 22, shade(jelly, 0.1))
      for (const x of [-8, 8]) pen.ovalFlat(x, -80, 2.4, 2.8, shade(jelly, -0.5))
      pen.ovalFlat(-8, -44, 8, 13, '#ffffff50')
    },
  },
  smore: {
    paint: pen => {
      pen.box(-60, -16, 120, 16, '#c98a4a', 3)
      pen.box(-54, -30, 108, 15, '#5a3420', 3)
      pen.shape([-58, -34, -50, -68, 50, -68, 58, -34, 40, -24, -30, -26], '#fbf6ea', 6)
      pen.box(-60, -86, 120, 18, pen.main('#d39a58'), 3)
      for (let i = 0; i < 5; i++) pen.ovalFlat(-40 + i * 20, -80, 2, 2, '#8a5a30')
    },
  },
  churro: {
    paint: pen => {
      for (const [x, turn] of pairs([-16, -0.25, 0, 0.05, 18, 0.3])) {
        turned(pen, { x: x, y: 0, angle: turn }, () => {
          pen.box(-7, -96, 14, 92, pen.main('#c48640'), 6)
          for (const at of [-3, 2]) pen.line([at, -90, at, -8], 1.6, '#9a6228')
          scatter(16, { x: 0, y: -50, rx: 5, ry: 44 }, (a, b) => pen.ovalFlat(a, b, 1, 1, '#fbfaf4'))
        })
      }
      pen.poly([-34, -44, 34, -44, 24, 0, -24, 0], '#d8433a', 4)
      for (const at of [-20, -2, 16]) pen.poly([at - 5, -44, at + 5, -44, at + 3, 0, at - 3, 0], '#fbfaf6', 0.4)
    },
  },
  jello: {
    paint: pen => {
      const jelly = pen.main('#e0483e')
      pen.oval(0, -6, 78, 7, '#f4f2ec')
      pen.poly([-58, -8, -44, -84, 44, -84, 58, -8], jelly, 7)
      for (const x of [-30, -10, 10, 30]) pen.line([x * 1.25, -12, x, -80], 3, shade(jelly, -0.16))
      pen.oval(0, -86, 44, 13, shade(jelly, 0.22))
      pen.ovalFlat(-16, -89, 12, 4, '#ffffff90')
    },
  },
  popsicle: {
    paint: pen => {
      pen.box(-6, -30, 12, 30, '#d9b98a', 4)
      pen.box(-25, -100, 50, 74, pen.main('#e0566b'), 22)
      for (const x of [-9, 9]) pen.line([x, -86, x, -36], 4, '#ffffff50')
    },
  },
  sundae: {
    paint: pen => {
      pen.poly([-40, -54, 40, -54, 14, -22, -14, -22], '#dceef4', 2)
      pen.line([0, -24, 0, -6], 5, '#b9d2dc')
      pen.oval(0, -4, 26, 4, '#cfe4ec')
      for (const [x, y, colour] of [
        [-20, -62, '#f2b0c4'],
        [20, -62, '#8a5a3a'],
        [0, -74, '#fbf3dc'],
      ] as const)
        pen.oval(x, y, 21, 19, colour)
      pen.shape([-20, -78, -8, -92, 10, -92, 22, -76, 12, -70, 6, -78, -4, -66, -10, -76], '#5a3420', 2)
      pen.oval(0, -96, 6, 6, '#d02f36')
    },
  },
  milkshake: {
    paint: pen => {
      const shake = pen.main('#f2a9bf')
      pen.line([6, -84, 18, -122], 5, '#d8342b')
      pen.poly([-30, -84, 30, -84, 18, -10, -18, -10], shake, 5)
      pen.oval(0, -5, 24, 5, '#dceef4')
      for (const [x, y] of pairs([-18, -88, 18, -88, 0, -98])) pen.oval(x, y, 17, 12, '#fbfaf4')
      pen.oval(-4, -110, 6, 6, '#d02f36')
    },
  },
  'wedding-cake': {
    paint: pen => {
      const icing = pen.main('#fbf6ee')
      pen.oval(0, -4, 60, 5, '#c9c4b8')
      for (const [half, low, high] of triples([50, -4, 32, 36, -34, 28, 22, -60, 24])) {
        pen.box(-half, low - high, half * 2, high, icing, 4)
        for (let x = -half + 6; x <= half - 5; x += 9) pen.oval(x, low - 1, 5, 4, shade(icing, -0.08))
        pen.oval(half * 0.6, low - high + 2, 6, 5, '#f0a0b8')
        pen.oval(half * 0.6 - 9, low - high + 3, 5, 4, '#f6c4d2')
      }
      pen.box(-5, -96, 4, 12, '#2a2e38', 1)
      pen.poly([1, -84, 3, -95, 8, -84], '#ffffff', 0.5)
      for (const [x, y] of pairs([-3, -98, 4, -97])) pen.oval(x, y, 2.6, 2.8, '#f0c8a8')
    },
    anchors: { top: { x: 0, y: -84, width: 40 } },
  },
  'pie-slice': {
    paint: pen => {
      pen.poly([-80, -34, 70, -60, 78, -18, -80, 0], pen.main('#c8553a'), 3)
      pen.polyFlat([-80, -44, 8, -92, 78, -66, -80, -30], '#e0a95a')
      for (const x of [-30, 6, 40]) pen.line([x, -62, x + 16, -74], 4, '#b3772e')
      pen.poly([6, -96, 84, -70, 84, -18, 74, -16, 70, -62, 2, -86], '#c98a42', 3)
    },
  },
  'fruit-tart': {
    paint: pen => {
      pen.poly([-84, -52, 84, -52, 68, 0, -68, 0], pen.main('#d6a052'), 4)
      for (let x = -72; x <= 72; x += 16) pen.line([x * 1.06, -50, x * 0.9, -2], 2, '#b3772e')
      pen.oval(0, -56, 84, 20, '#f6dc8e')
      scatter(14, { x: 0, y: -62, rx: 66, ry: 14 }, (x, y, i) =>
        pen.oval(x, y, 12, 9, ['#d8342b', '#3a4a9a', '#7fbf4a'][i % 3] ?? '#d8342b'),
      )
    },
  },
  honeycomb: {
    paint: pen => {
      for (let row = 0; row < 4; row++)
        for (let i = 0; i < 4; i++) {
          const [x, y] = [-42 + i * 28 + (row % 2) * 14, -86 + row * 24]
          const points: number[] = []
          for (let k = 0; k < 6; k++) points.push(x + Math.sin(k * 1.047) * 15, y - Math.cos(k * 1.047) * 15)
          pen.poly(points, '#c8841e', 0)
          pen.polyFlat(
            points.map((value, index) => (index % 2 ? y + (value - y) * 0.76 : x + (value - x) * 0.76)),
            pen.main((row + i) % 3 ? '#f2b52c' : '#f7cf5a'),
          )
        }
    },
  },
  'latte-cup': {
    paint: pen => {
      pen.ring(80, -54, 22, 26, 9, pen.main('#f4f2ec'))
      pen.shape([-74, -84, -66, -30, -36, -2, 36, -2, 66, -30, 74, -84, 40, -58, -40, -58], pen.main('#f4f2ec'), 7)
      pen.oval(0, -80, 74, 20, '#fbfaf6')
      pen.ovalFlat(0, -80, 66, 16, '#a9703c')
    },
    anchors: { panel: { x: 0, y: -80, width: 92, height: 22 } },
  },
  // A prompt that gives the number of candles gets this cake, which has none; the candles are then
  // separate subjects on top of the cake.
  'bare-cake': {
    paint: pen => {
      const icing = pen.main('#fbe9ee')
      const sponge = pen.part('sponge', '#e2b06c')
      pen.oval(0, -5, 104, 9, '#e8edf0')
      pen.ovalFlat(0, -7, 92, 6, shade('#e8edf0', -0.12))
      const body = blob([-84, -76, -84, -40, -83, -10, -60, -2, 0, 2, 60, -2, 83, -10, 84, -40, 84, -76, 40, -64, 0, -60, -40, -64])
      pen.context.fillStyle = pen.across(-84, 84, [
        shade(sponge, -0.28),
        shade(sponge, 0.06),
        sponge,
        shade(sponge, -0.08),
        shade(sponge, -0.34),
      ])
      pen.context.fill(body)
      pen.clip(body, () => {
        for (let i = 0; i < 46; i++)
          pen.ovalFlat(-82 + ((i * 37) % 165), -52 + ((i * 23) % 50), 1.7, 1.1, shade(sponge, i % 2 ? -0.2 : 0.12))
        pen.shapeFlat([-90, -34, 0, -20, 90, -34, 90, -28, 0, -13, -90, -28], shade(icing, -0.1))
      })
      // The icing runs down the side.
      const drips = [-83, -80, -82, -68]
      for (let i = 1; i < 14; i++) {
        const x = -82 + i * 11.7
        const sag = Math.sqrt(Math.max(0, 1 - (x / 86) ** 2)) * 14
        drips.push(x, -62 + sag + (i % 2 === 0 ? 4 + ((i * 5) % 9) : -5))
      }
      drips.push(82, -68, 83, -80)
      pen.shape(drips, shade(icing, -0.05), 3)
      pen.ovalFlat(0, -78, 85, 18, shade(icing, -0.14))
      pen.oval(0, -80, 85, 18, icing)
      for (let i = 0; i < 26; i++) {
        const turn = (i / 26) * Math.PI * 2
        const [x, y] = [Math.cos(turn) * 77, -81 + Math.sin(turn) * 14.5]
        pen.oval(x, y - 2, 8.4, 6.2, shade(icing, Math.sin(turn) > 0 ? 0.3 : 0.16))
        if (i % 2 === 0) pen.oval(x, y - 6.4, 3.4, 3.2, '#d8324a')
      }
      const sprinkles = ['#f2b630', '#4fa3d8', '#6fbf5e', '#d85fa0']
      for (let i = 0; i < 30; i++) {
        const turn = i * 2.4
        const far = Math.sqrt(i / 30) * 0.74
        pen.ovalFlat(Math.cos(turn) * 80 * far, -81 + Math.sin(turn) * 14 * far, 2.6, 1.1, sprinkles[i % 4] ?? '#f2b630', turn)
      }
    },
    anchors: { top: { x: 0, y: -79, width: 132 } },
  },
  'cake-candle': {
    paint: pen => {
      const wax = pen.main('#6fb2e6')
      const stick = pen.box(-7, -68, 14, 68, wax, 3)
      pen.clip(stick, () => {
        for (let y = -80; y < 12; y += 18) pen.polyFlat([-8, y + 10, 8, y, 8, y + 7, -8, y + 17], '#fffdf6')
      })
      pen.line([0, -68, 0.6, -75], 2, '#3a3028')
      pen.aura(0, -84, 34, '#ffd27a', 0.5)
      pen.shapeFlat([0, -102, 7, -88, 7.5, -79, 0, -72, -7.5, -79, -6, -88], '#ff9d2e')
      pen.shapeFlat([0, -95, 4, -86, 4.4, -79, 0, -74, -4.4, -79, -3.6, -86], '#fff0a0')
    },
  },
}
