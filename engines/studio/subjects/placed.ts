/** The positions of things in a picture: plain data, the same at every size of one ratio. */

/** A rectangle in fractions of the picture (0 to 1 in both directions, origin top left). */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The layer of a subject in the picture: decides its baseline, shadow and reflection. */
export type Lane = 'ground' | 'air' | 'water' | 'underwater' | 'sky' | 'wall'

/** The way in which a subject is joined to another one; `none` when it stands alone, `aloft` when
 *  it hangs over the other in the air. */
export type Attachment = 'none' | 'aloft' | 'resting' | 'inside' | 'riding' | 'held' | 'worn' | 'printed'

/** One copy of a subject in the picture; also used for hit tests of edits. */
export interface PlacedSubject {
  /** Subject id. */
  subject: string
  copy: number
  /** Box of the painted part. */
  box: Box
  /** Row of the feet or water line (0 to 1). */
  baseline: number
  /** Distance: 0 nearest to 1 at the horizon. */
  depth: number
  /** True when the drawing is mirrored. */
  flip: boolean
  lane: Lane
  attachment: Attachment
  /** Id and copy of the subject to which it is attached. */
  host?: { subject: string; copy: number }
  /** Drawing order: higher is drawn later. */
  order: number
  /** Units of the artwork per picture height, so that a renderer needs no arithmetic on boxes. */
  unit: number
  /** Clockwise tilt in degrees about the middle of the box. */
  tilt: number
}
