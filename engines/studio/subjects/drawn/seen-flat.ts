import { shade } from '../colour.ts'
import type { Drawing } from './pen.ts'

/** Drawings of flat things, seen straight from the side that carries the decoration: a skateboard
 *  deck, a button, the surface of a latte. */
export const seenFlat: Record<string, Drawing> = {
  'skateboard-deck': {
    paint: pen => {
      const deck = pen.main('#d8582f')
      for (const y of [-24, -78]) for (const x of [-18, 18]) pen.oval(x, y, 4.4, 6.2, '#f2e6c8')
      pen.box(-15, -100, 30, 100, shade(deck, -0.3), 15)
      pen.box(-14, -99, 28, 98, deck, 14)
      for (const y of [-24, -78]) pen.box(-10, y - 3, 20, 6, '#8d97a4', 2)
    },
    anchors: { panel: { x: 0, y: -51, width: 26, height: 34 } },
  },
  button: {
    paint: pen => {
      const colour = pen.main('#c8503c')
      pen.oval(0, -50, 50, 50, shade(colour, -0.2))
      pen.oval(0, -52, 46, 46, colour)
      pen.ring(0, -52, 34, 34, 3, shade(colour, -0.25))
      for (const x of [-10, 10]) for (const y of [-62, -42]) pen.ovalFlat(x, y, 5.4, 5.4, shade(colour, -0.6))
    },
  },
  'latte-top': {
    paint: pen => {
      const china = pen.main('#fbf8f2')
      pen.oval(0, -50, 62, 50, shade(china, -0.08))
      pen.oval(0, -50, 50, 40.5, china)
      pen.shape([38, -62, 60, -66, 64, -54, 58, -46, 38, -48, 40, -53, 54, -54, 54, -58, 40, -57], china, 2)
      pen.oval(0, -53, 43, 35, shade(china, -0.05))
      pen.ovalFlat(0, -52, 39.5, 31.5, '#8a5530')
      pen.ovalFlat(0, -52, 35, 27.5, '#b97f4c')
    },
    anchors: { panel: { x: 0, y: -52, width: 50, height: 42 } },
  },
}
