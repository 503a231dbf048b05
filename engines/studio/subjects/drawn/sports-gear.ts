import { pairs } from '../../pairs.ts'
import { ellipse } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { ballShade } from './solids.ts'

function ball(pen: Pen, colour: string, marks?: () => void): void {
  const path = ellipse(0, -50, 50, 50)
  pen.ovalFlat(0, -50, 50, 50, colour)
  if (marks) pen.clip(path, marks)
  ballShade(pen, 0, -50, 50)
}

function strung(pen: Pen, y: number, radius: { x: number; y: number }, frame: string): void {
  pen.clip(ellipse(0, y, radius.x, radius.y), () => {
    for (let i = -8; i <= 8; i++) {
      pen.line([i * radius.x * 0.14, y - radius.y, i * radius.x * 0.14, y + radius.y], 0.5, '#f4f6f8')
      pen.line([-radius.x, y + i * radius.y * 0.12, radius.x, y + i * radius.y * 0.12], 0.5, '#f4f6f8')
    }
  })
  pen.ring(0, y, radius.x, radius.y, 3.4, frame)
}

export const sportsGear: Record<string, Drawing> = {
  'plain-ball': {
    paint: pen => ball(pen, pen.main('#d8342b')),
    anchors: { top: { x: 0, y: -99, width: 30 } },
  },
  'tennis-ball': {
    paint: pen =>
      ball(pen, pen.main('#cfe03a'), () => {
        pen.ring(-62, -50, 46, 50, 4, '#fbfdf0')
        pen.ring(62, -50, 46, 50, 4, '#fbfdf0')
      }),
  },
  'golf-ball': {
    paint: pen =>
      ball(pen, pen.main('#f6f6f4'), () => {
        for (let row = -5; row <= 5; row++)
          for (let i = -5; i <= 5; i++) pen.ovalFlat(i * 10 + (row % 2) * 5, -50 + row * 9, 3, 3, '#d6d8da')
      }),
  },
  'ping-pong-ball': { paint: pen => ball(pen, pen.main('#f7f3ea')) },
  'cue-ball': { paint: pen => ball(pen, pen.main('#f4efe2')) },
  marble: {
    paint: pen =>
      ball(pen, pen.main('#8fc8e0'), () => {
        pen.shapeFlat([-30, -20, -10, -58, 20, -80, 34, -76, 14, -50, -8, -16], '#2f6fc4')
        pen.shapeFlat([-16, -14, 4, -48, 30, -66, 40, -54, 20, -36, 4, -8], '#f2c230')
      }),
  },
  'bowling-ball': {
    paint: pen =>
      ball(pen, pen.main('#2f3a6a'), () => {
        for (const [x, y] of pairs([4, -74, 20, -70, 10, -56])) pen.ovalFlat(x, y, 5, 5.4, '#12141e')
      }),
  },
  'bowling-pin': {
    paint: pen => {
      const white = pen.main('#fbfaf6')
      const body = pen.shape(
        [-8, 0, -17, -22, -16, -40, -7, -64, -7, -74, -11, -86, -7, -98, 0, -101, 7, -98, 11, -86, 7, -74, 7, -64, 16, -40, 17, -22, 8, 0],
        white,
        5,
      )
      pen.clip(body, () => {
        for (const y of [-74, -67]) pen.boxFlat(-20, y, 40, 3.6, '#d8342b')
      })
    },
  },
  'badminton-racket': {
    paint: pen => {
      pen.box(-1, -58, 2, 34, '#aab4c0')
      pen.box(-2, -28, 4, 28, '#2a2e38', 2)
      strung(pen, -78, { x: 16, y: 21 }, pen.main('#3f7fc4'))
    },
  },
  shuttlecock: {
    paint: pen => {
      pen.poly([-44, -100, 44, -100, 17, -32, -17, -32], '#fbfaf6', 3)
      for (let i = -3; i <= 3; i++) pen.line([i * 5, -34, i * 13, -98], 1.8, '#c9cdd2')
      pen.line([-27, -58, 27, -58], 2, '#c9cdd2')
      pen.shape([-18, -34, -17, -12, 0, 0, 17, -12, 18, -34], pen.main('#d9b98a'), 3)
    },
  },
  'ping-pong-paddle': {
    paint: pen => {
      pen.poly([-8, -36, 8, -36, 9, 0, -9, 0], '#c9985c', 2)
      pen.shape([-10, -30, -34, -50, -34, -82, -14, -100, 14, -100, 34, -82, 34, -50, 10, -30], pen.main('#d8342b'), 4)
      pen.polyFlat([-17, -36, 17, -36, 8, -24, -8, -24], '#d9b98a')
    },
  },
  'golf-club': {
    paint: pen => {
      pen.line([-14, -100, 4, -12], 2, '#9aa6b4')
      pen.line([-14, -100, -8, -70], 4, '#2a2e38')
      pen.shape([0, -14, 6, -14, 26, -8, 28, -1, 8, 0, 0, -4], pen.main('#8d97a6'), 2)
    },
  },
  'hockey-stick': {
    paint: pen => {
      pen.line([-34, -98, 8, -10, 14, -4, 46, -3], 6, pen.main('#c9985c'))
      pen.line([12, -6, 44, -3], 8, '#2a2e38')
      pen.line([-34, -98, -24, -76], 7, '#2a2e38')
    },
  },
  puck: {
    paint: pen => {
      pen.barrel(ellipse(0, -34, 96, 34), pen.main('#26282e'))
      pen.boxFlat(-96, -66, 192, 32, '#26282e')
      pen.ovalFlat(0, -66, 96, 34, '#3a3d46')
    },
  },
  kettlebell: {
    paint: pen => {
      const iron = pen.main('#3a3d46')
      pen.ring(0, -74, 24, 22, 12, iron)
      pen.shape([-34, -8, -42, -34, -28, -58, 28, -58, 42, -34, 34, -8, 0, 0], iron, 8)
      pen.ovalFlat(0, -32, 14, 14, shade(iron, 0.2))
    },
  },
  'yoga-mat': {
    paint: pen => {
      const mat = pen.main('#8a6ac4')
      pen.polyFlat([0, -30, 196, -30, 176, 0, 0, 0], shade(mat, 0.12))
      pen.box(-100, -90, 120, 90, mat, 40)
      pen.oval(-60, -45, 40, 45, shade(mat, 0.1))
      for (const radius of [30, 20, 10]) pen.ring(-60, -45, radius * 0.9, radius, 3, shade(mat, -0.3))
    },
  },
  'hula-hoop': {
    paint: pen => {
      const pink = pen.main('#e0609a')
      pen.ring(0, -50, 47, 47, 6, pink)
      for (let i = 0; i < 8; i++)
        pen.line(
          [Math.cos(i * 0.785) * 47, -50 + Math.sin(i * 0.785) * 47, Math.cos(i * 0.785 + 0.2) * 47, -50 + Math.sin(i * 0.785 + 0.2) * 47],
          6,
          '#fbfaf6',
        )
    },
  },
  dart: {
    paint: pen => {
      pen.line([-96, -50, -60, -50], 3, '#8d97a6')
      pen.box(-62, -60, 76, 20, '#d9b25a', 8)
      pen.box(14, -54, 40, 8, '#33363f')
      pen.poly([46, -54, 62, -100, 104, -100, 88, -54], pen.main('#d8342b'), 2)
      pen.poly([46, -46, 62, 0, 104, 0, 88, -46], shade(pen.main('#d8342b'), -0.15), 2)
    },
    isSided: false,
  },
  arrow: {
    paint: pen => {
      pen.line([-150, -50, 130, -50], 9, '#9a6b3c')
      pen.poly([120, -84, 190, -50, 120, -16], '#8d97a6', 3)
      for (const side of [-1, 1]) pen.poly([-160, -50, -190, -50 + side * 46, -130, -50 + side * 46, -100, -50], pen.main('#d8342b'), 2)
    },
    isSided: true,
  },
  dartboard: {
    paint: pen => {
      pen.oval(0, -50, 50, 50, '#26282e')
      for (let i = 0; i < 20; i++) {
        const [a, b] = [i * 0.314, i * 0.314 + 0.314]
        const at = (angle: number, radius: number) => [Math.cos(angle) * radius, -50 + Math.sin(angle) * radius]
        pen.polyFlat([0, -50, ...at(a, 42), ...at(b, 42)], i % 2 ? '#f4ecd8' : '#26282e')
        for (const [low, high] of pairs([38, 42, 22, 26]))
          pen.polyFlat([...at(a, low), ...at(a, high), ...at(b, high), ...at(b, low)], i % 2 ? '#2f8a4f' : '#d8342b')
      }
      pen.oval(0, -50, 6, 6, '#2f8a4f')
      pen.oval(0, -50, 3, 3, '#d8342b')
    },
  },
  'basketball-hoop': {
    paint: pen => {
      pen.box(-2.4, -66, 4.8, 66, '#6a7482')
      pen.box(-26, -101, 52, 36, pen.main('#f4f6f8'), 2)
      pen.context.lineWidth = 1.6
      pen.context.strokeStyle = '#d8342b'
      pen.context.strokeRect(-10, -90, 20, 16)
      for (let i = -4; i <= 4; i++) pen.line([i * 3, -70, i * 2.2, -54], 0.8, '#f4f6f8')
      for (const y of [-65, -60]) pen.line([-11, y, 11, y], 0.8, '#f4f6f8')
      pen.ring(0, -70, 13, 3, 2.4, '#e8641e')
    },
  },
  oar: {
    paint: pen => {
      const wood = pen.main('#b98a54')
      pen.box(-1.2, -100, 2.4, 72, wood, 1)
      pen.shape([-1.6, -34, -5, -26, -5.4, -4, 0, 0, 5.4, -4, 5, -26, 1.6, -34], wood, 1.4)
    },
  },
  'punching-bag': {
    paint: pen => {
      for (const side of [-1, 1]) pen.line([0, -100, side * 9, -80], 1.6, '#6a7482')
      pen.box(-14, -82, 28, 82, pen.main('#b3322a'), 8)
      for (const y of [-68, -14]) pen.boxFlat(-14, y, 28, 4, '#26282e')
    },
  },
  treadmill: {
    paint: pen => {
      pen.poly([-60, -8, 56, -16, 62, 0, -60, 0], '#33363f', 3)
      pen.line([44, -10, 32, -90], 7, pen.main('#8d97a6'))
      pen.line([34, -78, 2, -70], 5, '#33363f')
      pen.poly([14, -90, 40, -101, 46, -92, 20, -80], '#26282e', 2)
      pen.line([20, -88, 36, -95], 3, '#6af08a')
    },
    isSided: true,
  },
  'jump-rope': {
    paint: pen => {
      pen.line([-60, -74, -76, -40, -40, -6, 20, -4, 50, -30, 20, -56, -10, -30, 10, -6, 56, -8, 84, -50, 62, -76], 4, pen.main('#e0566b'))
      for (const x of [-66, 55]) pen.box(x, -100, 12, 30, '#3f7fc4', 5)
    },
  },
  'pool-cue': {
    paint: pen => {
      pen.poly([-1, -100, 1, -100, 3, 0, -3, 0], pen.main('#c9985c'), 0.8)
      pen.poly([-2.2, -34, 2.2, -34, 3, 0, -3, 0], '#4a2418', 0.8)
    },
  },
  scoreboard: {
    paint: pen => {
      for (const x of [-60, 54]) pen.box(x, -30, 7, 30, '#5a6472')
      pen.box(-90, -100, 180, 72, pen.main('#23303a'), 4)
      pen.context.font = 'bold 30px sans-serif'
      for (const [x, text] of [
        [-62, '2'],
        [44, '1'],
      ] as const) {
        pen.box(x - 14, -76, 46, 38, '#0f161c', 3)
        pen.context.fillStyle = '#ffb03a'
        pen.context.fillText(text, x, -46)
      }
      pen.boxFlat(-40, -94, 80, 9, '#fbfaf6')
    },
  },
}
