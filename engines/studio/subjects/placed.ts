/** The positions of things in a picture, as plain data that is the same at every size with the same
 *  aspect ratio. */

/** A rectangle in fractions of the picture (0 to 1 in both directions, origin top left). */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The layer of a subject, which decides its baseline, shadow and reflection. */
export type Lane = 'ground' | 'air' | 'water' | 'underwater' | 'sky' | 'wall'

/** How a subject is attached to another one: `none` when it stands alone, `aloft` when it is in the
 *  air above the other one. */
export type Attachment = 'none' | 'aloft' | 'resting' | 'inside' | 'riding' | 'held' | 'worn' | 'printed'

/** One copy of a subject in the picture; edits also use it to find the subject at a point. */
export interface PlacedSubject {
  /** Subject id. */
  subject: string
  copy: number
  /** Box of the painted part. */
  box: Box
  /** Vertical position of the feet or the water line (0 top to 1 bottom). */
  baseline: number
  /** Distance: 0 nearest to 1 at the horizon. */
  depth: number
  /** True when the drawing is mirrored. */
  flip: boolean
  lane: Lane
  attachment: Attachment
  /** Id and copy number of the subject to which it is attached. */
  host?: { subject: string; copy: number }
  /** Drawing order; higher is drawn later. */
  order: number
  /** Length of a unit of the drawing, such that a renderer needs no arithmetic on boxes: units per
   *  picture height. */
  unit: number
  /** Clockwise rotation in degrees around the middle of the box. */
  tilt: number
}
