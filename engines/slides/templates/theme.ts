/** The definition of a template: its colours, typefaces and positions, and the functions that paint
 *  its backgrounds and ornaments. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Box, Ground } from '../model/page.ts'
import type { Face, Weight } from '../type/faces.ts'

/** Colours of one kind of background, as #rrggbb. Text is readable in these pairs only: `ink`,
 *  `muted` and `accent` on `paper`; `ink` and `muted` on `panel`; `onAccent` on `accentFill`. */
export interface Tones {
  paper: string
  ink: string
  muted: string
  /** Accent colour for text and thin marks. */
  accent: string
  /** Accent colour for filled areas. */
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
  /** Colours of chart series, in order. Each colour differs clearly from the one before and the one
   *  after, and has a contrast of at least 3:1 to the paper. */
  series: readonly string[]
  look: {
    /** Kind of mark beside or below the title of a page. */
    header: 'bar' | 'rule' | 'dot' | 'plain' | 'block'
    /** How cards contrast with the page. */
    card: 'filled' | 'outlined' | 'ruled'
    /** Radius of rounded corners, in inches. */
    radius: number
    cover: 'left' | 'center'
    bullet: string
  }
  /** Boxes of the text on title, section and closing pages. */
  frames: Record<'title' | 'section' | 'closing', Box>
  /** Paints the background of one kind of page; the unit of the context is the inch. */
  paint(context: SKRSContext2D, ground: Ground): void
  /** Paints an ornament of this size (inches), which a page shows in place of a picture. The same
   *  seed gives the same ornament. */
  ornament(context: SKRSContext2D, size: { w: number; h: number }, seed: number): void
}
