/** Types that environment painters, subject painters and the composer share while a picture is
 *  drawn. Lengths are in pixels of the picture unless a name says otherwise. */
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import type { Scene } from './scene.ts'

/** A seeded random number generator. Each layer of a picture uses a generator of its own, so that a
 *  change in one layer does not change the random numbers of the others. */
export interface Random {
  /** Returns a number, uniform in [0, 1). */
  next(): number
  /** Returns a number, uniform in [low, high). */
  between(low: number, high: number): number
  /** Returns an integer, both ends included. */
  integer(low: number, high: number): number
  /** Returns one element of the list. */
  pick<T>(list: readonly T[]): T
  /** Returns an independent generator for a named purpose; it does not depend on how many numbers
   *  this one has returned. */
  fork(name: string): Random
}

/** An 8-bit sRGB colour; linear light is not used. */
export interface Rgb {
  r: number
  g: number
  b: number
}

export interface Light {
  /** Direction of the light in the picture: -1 far left to 1 far right. */
  side: number
  /** Height of the sun or lamp: 0 at the horizon to 1 overhead. The lower it is, the longer are the
   *  cast shadows. */
  height: number
  /** Tint of lit surfaces. */
  key: Rgb
  /** Colour that the colours of the whole scene are multiplied by; white changes nothing. */
  ambient: Rgb
  /** Strength of cast shadows: 0 (none: overcast, underwater) to 1 (hard sunlight). */
  shadow: number
  /** Strength of the bright outline on the lit side of subjects, 0 to 1. */
  rim: number
}

/** A painted place: the picture behind and in front of the subjects, and where subjects can stand
 *  in it. */
export interface Environment {
  /** Pixel row of the horizon (or of the back edge of the floor or table). */
  horizonY: number
  /** Pixel rows on which the feet of subjects can stand: `nearY` is the lowest row in the picture,
   *  `farY` the highest one. */
  ground: { farY: number; nearY: number }
  /** Returns the pixels per metre for a subject whose feet are at pixel row `y`. The number
   *  decreases towards the horizon. */
  pixelsPerMetre(y: number): number
  light: Light
  /** Colour into which distant things fade, and how strongly they fade at the horizon (0 to 1). */
  haze: { colour: Rgb; strength: number }
  /** Pixel rows of open water, on which subjects float and are reflected; absent for a place
   *  without water. */
  water?: { topY: number; bottomY: number }
  /** Material of the ground. Painters use it to choose what to draw around the feet of subjects:
   *  grass tufts, foam, dust, or a reflection on a table. */
  floor: 'grass' | 'sand' | 'snow' | 'soil' | 'stone' | 'asphalt' | 'wood' | 'tile' | 'cloth' | 'water' | 'void' | 'none'
  /** True when the scene is drawn on a plain sheet of paper; it then has no light and no
   *  shadows. */
  isPaper?: boolean
  /** Paints everything behind the subjects over the whole canvas. */
  paintBack(context: SKRSContext2D): void
  /** Paints everything in front of the subjects: near grass, rain, snow, window frame, fog. */
  paintFront(context: SKRSContext2D): void
  /** Paints the final light over the background. `paintBack` already does this, except when
   *  `parts` is set (for a film). The caller then uses this function to paint the light over
   *  each part. */
  paintFinish(context: SKRSContext2D): void
}

/** How a part of a place moves relative to a camera: `air` and `clouds` are infinitely far;
 *  `ground`, `water` (a sea or lake) and `river` lie flat between the horizon and the lower edge;
 *  `upright` stands at one distance. */
export type PartKind = 'air' | 'clouds' | 'ground' | 'water' | 'river' | 'upright'

/** Collects the parts of a place while it is painted, from far to near. */
export interface PartKeeper {
  /** Makes everything painted since the last call a separate part. `nearness` is for upright parts:
   *  0 at the horizon to 1 at the lower edge. */
  part(context: SKRSContext2D, kind: PartKind, nearness?: number): void
  /** Returns all parts so far as one picture, for painters that need the pixels painted so far,
   *  such as the one that paints reflections in water. */
  soFar(context: SKRSContext2D): Canvas
}

export interface Frame {
  width: number
  height: number
  scene: Scene
  random: Random
  /** Set for films: the painters pass each part of the place to it. Weather and flashes of light
   *  are then left out, because the film engine draws them. */
  parts?: PartKeeper
}
