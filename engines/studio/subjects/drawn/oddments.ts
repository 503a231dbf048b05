import { pairs, triples } from '../../pairs.ts'
import { scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** Draws a sweater that lies spread out, with its sleeves beside its body. */
function sweater(pen: Pen, cloth: string): void {
  for (const side of [-1, 1]) {
    pen.shape(scaled([30, -90, 52, -78, 62, -30, 64, -8, 46, -6, 42, -36, 32, -60], [side, 1]), cloth, 4)
    pen.poly([side * 64, -14, side * 65, -4, side * 46, -2, side * 46, -12], shade(cloth, -0.18), 1)
  }
  pen.shape([-34, -92, -16, -98, 0, -92, 16, -98, 34, -92, 38, -50, 38, -8, 0, -4, -38, -8, -38, -50], cloth, 5)
  pen.box(-38, -9, 76, 9, shade(cloth, -0.18), 3)
}

export const oddments: Record<string, Drawing> = {
  'broad-leaf': {
    anchors: { top: { x: -14, y: -60, width: 150 } },
    paint: pen => {
      const tone = pen.main('#5f9e3c')
      pen.line([118, 0, 122, -34, 98, -66], 9, '#4d7f34')
      const under = pen.shape([104, -72, 60, -40, -20, -30, -96, -38, -126, -52, -60, -62], shade(tone, -0.3), 3)
      pen.clip(under, () => pen.line([100, -66, 0, -44, -120, -50], 3, shade(tone, -0.4)))
      const blade = pen.shape([110, -72, 70, -92, 4, -92, -70, -78, -128, -50, -70, -46, 0, -46, 66, -52], tone, 5)
      pen.clip(blade, () => {
        pen.shapeFlat([104, -74, 60, -90, 0, -90, -70, -76, -120, -54, -40, -66, 40, -74], shade(tone, 0.16))
        for (let i = 0; i < 7; i++) {
          const x = 78 - i * 27
          pen.line([x, -71 + i * 2.4, x - 16, -84 + i * 3, x - 28, -94 + i * 4], 1.6, shade(tone, 0.34))
          pen.line([x, -71 + i * 2.4, x - 18, -58 + i * 1.4, x - 30, -46], 1.6, shade(tone, -0.16))
        }
        pen.line([108, -72, 30, -70, -60, -60, -126, -50], 3.4, shade(tone, 0.4))
      })
    },
  },
  'sticky-note': {
    paint: pen => {
      const paper = pen.main('#f7e06a')
      pen.poly([-50, -100, 50, -100, 50, -18, 32, 0, -50, 0], paper, 2)
      pen.polyFlat([50, -18, 32, 0, 28, -22], shade(paper, -0.22))
      pen.boxFlat(-50, -100, 100, 13, shade(paper, -0.08))
    },
    anchors: { panel: { x: -2, y: -50, width: 82, height: 52 } },
  },
  'power-drill': {
    paint: pen => {
      const body = pen.main('#f2b52c')
      pen.poly([-40, -60, -10, -60, -16, -10, -44, -10], '#33363f', 4)
      pen.box(-56, -18, 56, 18, body, 4)
      pen.shape([-62, -62, -60, -94, -30, -100, 34, -94, 42, -80, 38, -62, -20, -58], body, 6)
      pen.poly([38, -92, 66, -86, 66, -72, 38, -66], '#4a4f5a', 2)
      pen.box(64, -82, 52, 6, '#aab4c0', 1)
      pen.poly([112, -84, 124, -79, 112, -74], '#8d97a6', 1)
      pen.oval(-4, -56, 7, 9, '#d8342b')
    },
    isSided: true,
  },
  rake: {
    paint: pen => {
      pen.box(-1.6, -100, 3.2, 84, pen.main('#b98a54'), 1)
      pen.line([-22, -14, 0, -19, 22, -14], 3, '#4a4f5a')
      for (let i = -5; i <= 5; i++) pen.line([i * 4.2, -15, i * 4.6, 0], 1.6, '#4a4f5a')
    },
  },
  chainsaw: {
    paint: pen => {
      pen.box(10, -48, 150, 26, '#aab4c0', 13)
      for (let i = 0; i < 12; i++) for (const y of [-50, -22]) pen.boxFlat(30 + i * 10, y, 5, 4, '#4a4f5a')
      pen.context.lineWidth = 9
      pen.context.strokeStyle = '#33363f'
      pen.context.beginPath()
      pen.context.arc(-40, -66, 28, 2.8, 6.1)
      pen.context.stroke()
      pen.shape([-100, -12, -104, -46, -80, -66, 10, -68, 24, -50, 22, -10, -40, 0], pen.main('#e8641e'), 7)
      pen.poly([-104, -44, -130, -38, -128, -8, -100, -12], '#33363f', 3)
    },
    isSided: true,
  },
  anvil: {
    paint: pen => {
      const iron = pen.main('#4a4f5a')
      pen.poly([-46, 0, -40, -14, -20, -22, -20, -52, 26, -52, 26, -22, 44, -14, 50, 0], shade(iron, -0.14), 4)
      pen.shape([-104, -84, -60, -100, 76, -100, 78, -66, 30, -50, -30, -50, -60, -66], iron, 5)
      pen.boxFlat(-56, -100, 130, 7, shade(iron, 0.35))
    },
  },
  'lawn-mower': {
    paint: pen => {
      pen.line([-20, -40, -70, -92, -96, -98], 6, '#4a4f5a')
      pen.poly([-60, -14, -52, -46, 40, -50, 62, -14], pen.main('#d8342b'), 5)
      pen.box(-26, -70, 44, 24, '#33363f', 5)
      for (const [x, r] of pairs([-44, 18, 44, 14])) {
        pen.oval(x, -r, r, r, '#26282e')
        pen.oval(x, -r, r * 0.45, r * 0.45, '#cfd6de')
      }
    },
    isSided: true,
  },
  'paint-can': {
    paint: pen => {
      pen.ring(0, -74, 44, 30, 2.4, '#8d97a6')
      pen.boxFlat(-42, -76, 84, 74, '#c3ccd6', 4)
      pen.box(-42, -54, 84, 40, '#f4f2ec')
      const paint = pen.main('#3f8fd0')
      pen.oval(0, -76, 43, 10, '#9aa6b4')
      pen.ovalFlat(0, -76, 37, 7.4, paint)
      pen.shape([-40, -76, -36, -44, -28, -38, -22, -54, -12, -50, -8, -30, 0, -30, 4, -56, 16, -76, -10, -68], paint, 2)
    },
  },
  stapler: {
    paint: pen => {
      pen.box(-90, -16, 184, 16, '#33363f', 5)
      pen.poly([-84, -30, -78, -54, 90, -30, 94, -16, 70, -18], '#8d97a6', 2)
      pen.shape([-92, -34, -88, -78, -70, -98, -20, -90, 92, -48, 94, -34, 60, -36], pen.main('#d8342b'), 6)
    },
    isSided: true,
  },
  calculator: {
    paint: pen => {
      pen.box(-36, -100, 72, 100, pen.main('#3a3d46'), 7)
      pen.box(-28, -92, 56, 20, '#bcd2b4', 3)
      for (let row = 0; row < 4; row++)
        for (let i = 0; i < 4; i++) pen.box(-28 + i * 15, -64 + row * 15, 11, 11, i === 3 ? '#f2962a' : '#dfe3e8', 2)
    },
  },
  'tape-roll': {
    paint: pen => {
      const tape = pen.main('#9aa6b4')
      pen.poly([20, -8, 96, -6, 96, 0, 0, 0], shade(tape, 0.1), 1)
      pen.oval(0, -50, 50, 50, tape)
      for (const radius of [44, 38]) pen.ring(0, -50, radius, radius, 1, shade(tape, -0.2))
      pen.oval(0, -50, 30, 30, '#c39a66')
      pen.ovalFlat(0, -50, 25, 25, '#5a4a3a')
    },
  },
  'knit-sweater': {
    paint: pen => {
      const cloth = pen.main('#4f8fb0')
      sweater(pen, cloth)
      pen.ring(0, -94, 15, 6, 5, shade(cloth, -0.22))
      for (const y of [-70, -62]) pen.line([-34, y, 34, y], 3, shade(cloth, 0.45))
    },
    anchors: { panel: { x: 0, y: -42, width: 60, height: 34 } },
  },
  'plain-hoodie': {
    paint: pen => {
      const cloth = pen.main('#7a8494')
      sweater(pen, cloth)
      pen.shape([-26, -88, -22, -101, 0, -104, 22, -101, 26, -88, 0, -74], shade(cloth, -0.12), 3)
      pen.shapeFlat([-15, -90, 0, -98, 15, -90, 0, -80], shade(cloth, -0.4))
      for (const x of [-6, 6]) pen.line([x, -80, x * 1.2, -60], 1.8, '#f4f6f8')
      pen.poly([-24, -36, 24, -36, 30, -14, -30, -14], shade(cloth, -0.1), 2)
    },
    anchors: { panel: { x: 0, y: -50, width: 56, height: 24 } },
  },
  'cowboy-hat': {
    paint: pen => {
      const felt = pen.main('#9a6234')
      pen.shape([-48, -28, -44, -76, -26, -98, 0, -90, 26, -98, 44, -76, 48, -28], felt, 6)
      pen.shape([-118, -46, -96, -18, -50, 0, 50, 0, 96, -18, 118, -46, 70, -24, -70, -24], shade(felt, -0.06), 6)
      pen.shapeFlat([-48, -42, 0, -34, 48, -42, 49, -28, 0, -20, -49, -28], '#4a2c18')
    },
  },
  'wool-beanie': {
    paint: pen => {
      const wool = pen.main('#d8433a')
      pen.shape([-58, -26, -50, -64, -24, -86, 24, -86, 50, -64, 58, -26], wool, 6)
      for (let i = -4; i <= 4; i++) pen.line([i * 4, -84, i * 11, -56, i * 13, -30], 2, shade(wool, -0.2))
      pen.box(-62, -30, 124, 30, shade(wool, 0.12), 10)
      pen.oval(0, -90, 17, 14, '#fbf6ea')
    },
  },
  'bow-tie': {
    paint: pen => {
      const silk = pen.main('#26282e')
      for (const side of [-1, 1]) {
        pen.shape(scaled([8, -58, 60, -96, 96, -92, 96, -8, 60, -4, 8, -42], [side, 1]), silk, 6)
        pen.line([side * 16, -50, side * 60, -52], 3, shade(silk, 0.2))
      }
      pen.box(-17, -70, 34, 40, shade(silk, 0.14), 8)
    },
  },
  'leather-belt': {
    paint: pen => {
      const leather = pen.main('#7a4a28')
      pen.ring(0, -50, 104, 36, 26, leather)
      pen.ring(0, -58, 104, 36, 2, shade(leather, 0.3))
      pen.context.lineWidth = 6
      pen.context.strokeStyle = '#d9b25a'
      pen.context.strokeRect(-22, -34, 44, 30)
      pen.line([-4, -19, 22, -19], 4, '#d9b25a')
    },
  },
  'ballet-tutu': {
    paint: pen => {
      const tulle = pen.main('#f2a9c4')
      pen.shape([-24, -100, 24, -100, 28, -62, -28, -62], shade(tulle, -0.16), 3)
      for (const [y, half, tone] of triples([0, 110, 0.1, -16, 92, 0.24, -32, 70, 0.36]))
        pen.shape(
          [
            -26,
            -66,
            -half * 0.6,
            -52 + y * 0.2,
            -half,
            -20 + y,
            -half * 0.6,
            -8 + y,
            -half * 0.2,
            -16 + y,
            half * 0.2,
            -6 + y,
            half * 0.6,
            -14 + y,
            half,
            -22 + y,
            half * 0.6,
            -52 + y * 0.2,
            26,
            -66,
          ],
          shade(tulle, tone),
          3,
        )
    },
  },
  'phone-case': {
    paint: pen => {
      const shell = pen.main('#e0708a')
      pen.box(-26, -100, 52, 100, shell, 10)
      pen.box(-22, -95, 20, 22, shade(shell, -0.4), 6)
      for (const y of [-89, -79]) pen.oval(-12, y, 4, 4, '#26282e')
      pen.boxFlat(-20, -56, 40, 40, shade(shell, 0.16), 8)
      pen.shape([0, -20, -14, -36, -10, -46, 0, -40, 10, -46, 14, -36], '#fbfaf6', 1)
    },
  },
}
