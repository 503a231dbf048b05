/** The positions of things in a picture, as plain data that is the same at every size with the same
 *  aspect ratio. */

/** A rectangle in fractions of the picture (0 to 1 in both directions, origin top left). */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The part of the picture in which a subject is. The part decides on which line the subject
 *  stands, and how its shadow and reflection are drawn. */
export type Lane = 'ground' | 'air' | 'water' | 'underwater' | 'sky' | 'wall'

/** How a subject is attached to another subject, its host. `none` means that it stands alone,
 *  `aloft` that it hovers above the host. */
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
  /** Length of one unit of the drawing, as a share of the picture's height. A renderer multiplies
   *  it by the height in pixels to get the pixels per unit. */
  unit: number
  /** Clockwise rotation in degrees around the middle of the box. */
  tilt: number
}
