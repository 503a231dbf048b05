/** What a template is made of: colours, faces, places and the art behind the text. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Box, Ground } from '../model/page.ts'
import type { Face, Weight } from '../type/faces.ts'

/** Colours of one kind of ground, #rrggbb. Text of `ink`, `muted` and `accent` is read on
 *  `paper` and, `ink` and `muted`, on `panel`; `onAccent` on `accentFill`. */
export interface Tones {
  paper: string
  ink: string
  muted: string
  /** Of text and fine marks. */
  accent: string
  /** Of areas. */
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
  /** Of charts, in order: each is told from its neighbours, and 3 to 1 from the paper. */
  series: readonly string[]
  look: {
    /** What marks the head of a page. */
    header: 'bar' | 'rule' | 'dot' | 'plain' | 'block'
    /** How things are set off from the paper. */
    card: 'filled' | 'outlined' | 'ruled'
    /** Inches. */
    radius: number
    cover: 'left' | 'center'
    bullet: string
  }
  /** Where the words of these pages stand. */
  frames: Record<'title' | 'section' | 'closing', Box>
  /** Paints a whole ground; the context counts in inches. */
  paint(context: SKRSContext2D, ground: Ground): void
  /** Paints a panel of this size in inches, in place of a picture: the motif of the template.
   *  The same seed gives the same panel. */
  ornament(context: SKRSContext2D, size: { w: number; h: number }, seed: number): void
}
