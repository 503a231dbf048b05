import { pairs } from '../../pairs.ts'
import { polygon } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** Draws the foot that all chess pieces share. */
function chessFoot(pen: Pen, colour: string): void {
  pen.shape([-24, 0, -24, -8, -15, -14, 15, -14, 24, -8, 24, 0], colour, 4)
  pen.box(-17, -20, 34, 7, colour, 3)
}

function chessStem(pen: Pen, top: number, colour: string): void {
  pen.poly([-13, -19, -6.5, top, 6.5, top, 13, -19], colour, 4)
  pen.box(-13, top - 6, 26, 7, colour, 3)
}

const ivory = '#ead9b8'

export const boardGames: Record<string, Drawing> = {
  'chess-king': {
    paint: pen => {
      const colour = pen.main(ivory)
      chessFoot(pen, colour)
      chessStem(pen, -58, colour)
      pen.poly([-8, -64, -15, -86, 15, -86, 8, -64], colour, 4)
      pen.shape([-15, -86, 0, -92, 15, -86, 0, -83], shade(colour, -0.1), 1)
      pen.box(-2, -102, 4, 13, colour)
      pen.box(-6, -99, 12, 4, colour)
    },
  },
  'chess-queen': {
    paint: pen => {
      const colour = pen.main(ivory)
      chessFoot(pen, colour)
      chessStem(pen, -58, colour)
      pen.poly([-8, -64, -18, -91, -9, -83, -5, -94, 0, -84, 5, -94, 9, -83, 18, -91, 8, -64], colour, 4)
      for (const [x, y] of pairs([-18, -92, -6, -95, 6, -95, 18, -92, 0, -98])) pen.oval(x, y, 3, 3, colour)
    },
  },
  'chess-bishop': {
    paint: pen => {
      const colour = pen.main(ivory)
      chessFoot(pen, colour)
      chessStem(pen, -54, colour)
      pen.shape([-8, -60, -14, -72, -8, -88, 0, -96, 8, -88, 14, -72, 8, -60], colour, 4)
      pen.line([3, -86, -3, -74], 2.4, shade(colour, -0.45))
      pen.oval(0, -97, 3.6, 3.6, colour)
    },
  },
  'chess-rook': {
    paint: pen => {
      const colour = pen.main(ivory)
      chessFoot(pen, colour)
      pen.poly([-15, -19, -11, -62, 11, -62, 15, -19], colour, 4)
      pen.poly([-18, -62, -18, -86, -10, -86, -10, -79, -4, -79, -4, -86, 4, -86, 4, -79, 10, -79, 10, -86, 18, -86, 18, -62], colour, 4)
    },
  },
  'chess-knight': {
    paint: pen => {
      const colour = pen.main(ivory)
      chessFoot(pen, colour)
      pen.shape(
        [
          -16, -19, -14, -40, -18, -66, -10, -84, -2, -90, -2, -98, 6, -90, 16, -82, 30, -66, 29, -58, 20, -56, 10, -62, 4, -54, 16, -34,
          16, -19,
        ],
        colour,
        5,
      )
      pen.ovalFlat(9, -77, 2.4, 2.8, '#3a2a20')
      pen.line([22, -61, 26, -62], 1.8, shade(colour, -0.5))
      for (let i = 0; i < 5; i++) pen.line([-16 + i * 1.4, -46 - i * 9, -8 + i * 1.6, -44 - i * 9], 2.6, shade(colour, -0.22))
    },
    isSided: true,
  },
  'chess-pawn': {
    paint: pen => {
      const colour = pen.main(ivory)
      chessFoot(pen, colour)
      chessStem(pen, -56, colour)
      pen.oval(0, -76, 15, 15, colour)
    },
  },
  domino: {
    paint: pen => {
      pen.box(-26, -100, 52, 100, pen.main('#2b2e36'), 6)
      pen.line([-20, -50, 20, -50], 2, '#f4f6f8')
      for (const [x, y] of pairs([-12, -86, 12, -64, 0, -75, -12, -36, 12, -36, -12, -14, 12, -14])) pen.oval(x, y, 4.6, 4.6, '#f4f6f8')
    },
  },
  'playing-card': {
    paint: pen => {
      pen.box(-35, -100, 70, 100, '#fbfaf6', 6)
      const red = pen.main('#d02f36')
      pen.shape([0, -32, -20, -52, -16, -66, -6, -66, 0, -58, 6, -66, 16, -66, 20, -52], red, 2)
      for (const [x, y] of pairs([-26, -90, 26, -10]))
        pen.clip(polygon([-35, -100, 35, -100, 35, 0, -35, 0]), () =>
          pen.shape([x, y + 7, x - 6, y, x - 4, y - 5, x, y - 2, x + 4, y - 5, x + 6, y], red, 0.6),
        )
    },
  },
}
