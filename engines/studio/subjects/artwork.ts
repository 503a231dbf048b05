/** The common form of all drawings (emoji art, rigs, trees, drawn things) for the layout and the
 *  composer. */
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import type { Facing } from '../art/entry.ts'

/** Lengths in "units": 100 units are the nominal height of the thing (`Subject.heightMetres`). x
 *  grows to the right from the middle of the feet, y grows downwards from the ground line, so that
 *  a standing thing has a negative `top` and a `bottom` near 0. */
export interface Bounds {
  left: number
  top: number
  right: number
  bottom: number
}

export interface Point {
  x: number
  y: number
}

/** Points to which other things are attached, in units. All optional: the layout uses the box when
 *  one is missing. */
export interface Anchors {
  /** Point at which a held thing is gripped. */
  hand?: Point
  /** The far hand, for a second thing. */
  otherHand?: Point
  /** Point on which a small being sits or perches. */
  shoulder?: Point
  lap?: Point
  /** Point on which a rider sits. */
  seat?: Point
  /** The point of this thing that rests on a seat (a rider's hips). */
  hips?: Point
  /** Middle of the crown of the head, and the width of the head there. */
  head?: Point & { width: number }
  /** Upper edge of things worn around the neck, and the width of the neck there; absent: below the
   *  head. */
  neck?: Point & { width: number }
  /** Middle of a surface things can stand on, and its usable width. */
  top?: Point & { width: number }
  /** Middle of the opening of a container; the contents are hidden below it. `height` is the room
   *  above it where there is a roof. */
  opening?: Point & { width: number; height?: number }
  /** Middle and size of a panel that can carry lettering. */
  panel?: Point & { width: number; height: number; tilt?: number }
}

/** One drawing, ready to be rendered at any size. */
export interface Artwork {
  bounds: Bounds
  anchors: Anchors
  /** The side to which the drawing looks. */
  facing: Facing
  /** True for things that give light (moon, lamp, fire): they are not darkened by the night. */
  isLuminous: boolean
  /** True when only the upper part is shown, cut straight at the lower edge of the bounds: it
   *  belongs at the lower edge of the picture. */
  isCropped?: boolean
  /** Draws the pixels of the bounds at `pixelsPerUnit`; the canvas is at least one pixel a side. */
  render(pixelsPerUnit: number): Promise<Canvas>
  /** Returns the drawing at a moment of its movement, 0 to 1, about the same origin; absent for
   *  drawings without movement. */
  atPhase?(phase: number): Artwork
  /** Draws the parts that shine at night (lit windows, lamps), same size as `render`; they are
   *  drawn over the relit sprite. */
  renderGlow?(pixelsPerUnit: number): Canvas
  /** Paints light that reaches beyond the bounds, in units, behind the sprite; at night lamps shine
   *  as well. */
  paintAura?(context: SKRSContext2D, isNight: boolean): void
}

export type Painter = (context: SKRSContext2D) => void

export function boundsWidth(bounds: Bounds): number {
  return bounds.right - bounds.left
}

export function boundsHeight(bounds: Bounds): number {
  return bounds.bottom - bounds.top
}
