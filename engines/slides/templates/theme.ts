/** A template: colours, typefaces, positions and the art behind the text. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Box, Ground } from '../model/page.ts'
import type { Face, Weight } from '../type/faces.ts'

/** Colours of one kind of background, #rrggbb. Text in `ink`, `muted` and `accent` is readable on
 *  `paper` and, in `ink` and `muted`, on `panel`; text in `onAccent` on `accentFill`. */
export interface Tones {
  paper: string
  ink: string
  muted: string
  /** Colour of text and fine marks. */
  accent: string
  /** Colour of areas. */
  accentFill: string
  onAccent: string
  panel: string
  rule: string
}

export interface Theme {
  id: number
  name: string
  title: string
  category: string
  style: string
  colour: { name: string; hex: string }
  scenes: readonly string[]
  faces: { heading: Face; headingWeight: Weight; body: Face }
  tones: Record<Ground, Tones>
  /** Colours of charts, in order: each differs clearly from its neighbours, and has a contrast of 3
   *  to 1 to the paper. */
  series: readonly string[]
  look: {
    /** Mark at the head of a page. */
    header: 'bar' | 'rule' | 'dot' | 'plain' | 'block'
    /** How areas stand out from the paper. */
    card: 'filled' | 'outlined' | 'ruled'
    /** Radius of corners, inches. */
    radius: number
    cover: 'left' | 'center'
    bullet: string
  }
  /** Boxes of the words on these pages. */
  frames: Record<'title' | 'section' | 'closing', Box>
  /** Paints a whole background; the context counts in inches. */
  paint(context: SKRSContext2D, ground: Ground): void
  /** Paints a panel of this size in inches, in place of a picture: the motif of the template.
   *  The same seed gives the same panel. */
  ornament(context: SKRSContext2D, size: { w: number; h: number }, seed: number): void
}
