/** The common interface of all drawings, used by the layout and the composition. The drawings are
 *  emoji, rigs (people and animals that can take poses), trees, and other things that a function
 *  draws. */
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import type { Facing } from '../art/entry.ts'

/** Bounds of a drawing in units; 100 units are the nominal height of the thing
 *  (`Subject.heightMetres`). The origin is the middle of the feet on the ground; x grows to the
 *  right, y downwards, so a standing thing has a negative `top`, and a `bottom` near 0. */
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

/** Points of a drawing to which other things can be attached, in units. All are optional; when one
 *  is missing, the layout derives a point from the bounds. */
export interface Anchors {
  /** The near hand, in which a thing is held. */
  hand?: Point
  /** The far hand, for holding a second thing. */
  otherHand?: Point
  /** Point where a bird or another small being perches. */
  shoulder?: Point
  lap?: Point
  /** Point where a rider sits. */
  seat?: Point
  /** The point of this thing that rests on a seat: a rider's hips. */
  hips?: Point
  /** Top of the head, and the width of the head there. */
  head?: Point & { width: number }
  /** Upper edge of things that are worn around the neck, and the width of the neck there. When it
   *  is absent, such things are placed right below the head. */
  neck?: Point & { width: number }
  /** Middle of a surface on which things can stand, and its usable width. */
  top?: Point & { width: number }
  /** Middle of a container's opening, and its width. The part of the contents below this point is
   *  hidden. `height` is the free height above the opening; it is given only for things with a
   *  roof. */
  opening?: Point & { width: number; height?: number }
  /** Middle and size of a panel on which text can be written. */
  panel?: Point & { width: number; height: number; tilt?: number }
}

/** One drawing, ready to be rendered at any size. */
export interface Artwork {
  bounds: Bounds
  anchors: Anchors
  /** The side to which the drawing faces. */
  facing: Facing
  /** True for things that give light (moon, lamp, fire), which the night does not darken. */
  isLuminous: boolean
  /** True when only the upper part of the thing is drawn. The lower edge of the drawing is a
   *  straight cut, so the drawing must be placed at the lower edge of the picture, where the cut is
   *  not noticed. */
  isCropped?: boolean
  /** Returns the drawing within its bounds as pixels, `pixelsPerUnit` pixels for each unit; the
   *  canvas is at least one pixel wide and high. */
  render(pixelsPerUnit: number): Promise<Canvas>
  /** Returns the drawing at the moment `phase` of its movement, from 0 (the beginning of one cycle)
   *  to 1 (its end), with the same origin. The function is absent for drawings without movement. */
  atPhase?(phase: number): Artwork
  /** Returns only the parts that shine at night (lit windows, lamps), on a canvas of the same size
   *  as the one from `render`. The caller draws them over the darkened picture. */
  renderGlow?(pixelsPerUnit: number): Canvas
  /** Paints the light that extends beyond the bounds of the drawing; lengths are in units. The
   *  caller paints it behind the drawing. Lamps give light only with `isNight`. */
  paintAura?(context: SKRSContext2D, isNight: boolean): void
}

export type Painter = (context: SKRSContext2D) => void

export function boundsWidth(bounds: Bounds): number {
  return bounds.right - bounds.left
}

export function boundsHeight(bounds: Bounds): number {
  return bounds.bottom - bounds.top
}
