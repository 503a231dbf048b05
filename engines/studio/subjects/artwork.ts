/** The common interface of all drawings (emoji, rigs, trees, things drawn by code), used by the
 *  layout and the composition. */
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

/** Points of a drawing to which other things can be attached, in units. All are optional; the
 *  layout uses the bounds in place of a missing one. */
export interface Anchors {
  /** Point where a held thing is gripped. */
  hand?: Point
  /** The far hand, for holding a second thing. */
  otherHand?: Point
  /** Point where a small being sits or perches. */
  shoulder?: Point
  lap?: Point
  /** Point where a rider sits. */
  seat?: Point
  /** The point of this thing that rests on a seat: a rider's hips. */
  hips?: Point
  /** Top of the head, and the width of the head there. */
  head?: Point & { width: number }
  /** Upper edge of things worn around the neck, and the width of the neck there; when absent, they
   *  are worn right below the head. */
  neck?: Point & { width: number }
  /** Middle of a surface on which things can stand, and its usable width. */
  top?: Point & { width: number }
  /** Middle of a container's opening; contents are hidden below it. `height` is the available
   *  height above it, if there is a roof. */
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
  /** True when only the upper part is drawn, with a straight cut at the lower edge of the bounds;
   *  it must be placed at the lower edge of the picture. */
  isCropped?: boolean
  /** Returns the pixels within the bounds at `pixelsPerUnit`; the canvas is at least one pixel wide
   *  and high. */
  render(pixelsPerUnit: number): Promise<Canvas>
  /** Returns the drawing at a moment of its movement, 0 to 1, with the same origin; absent for
   *  drawings without movement. */
  atPhase?(phase: number): Artwork
  /** Returns the parts that shine at night (lit windows, lamps), with the same size as from
   *  `render`; they are drawn over the darkened picture. */
  renderGlow?(pixelsPerUnit: number): Canvas
  /** Paints light that extends beyond the bounds, in units, behind the drawing; at night, lamps are
   *  included. */
  paintAura?(context: SKRSContext2D, isNight: boolean): void
}

export type Painter = (context: SKRSContext2D) => void

export function boundsWidth(bounds: Bounds): number {
  return bounds.right - bounds.left
}

export function boundsHeight(bounds: Bounds): number {
  return bounds.bottom - bounds.top
}
