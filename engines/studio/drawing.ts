/** What environment painters, subject painters and the composer share while one picture is drawn. Lengths are in pixels of the picture unless a name says otherwise. */
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import type { Scene } from './scene.ts'

/** One seeded generator per purpose, so that a change in one layer leaves the others as they were. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform in [low, high). */
  between(low: number, high: number): number
  /** An integer, both ends included. */
  integer(low: number, high: number): number
  /** One of the list. */
  pick<T>(list: readonly T[]): T
  /** A generator of its own for a named part: independent of how many numbers this one has given out. */
  fork(name: string): Random
}

/** Linear light values are not used; colours are 8-bit sRGB. */
export interface Rgb {
  r: number
  g: number
  b: number
}

export interface Light {
  /** Where the light comes from on the picture: -1 far left to 1 far right. */
  side: number
  /** Height of the sun or lamp: 0 at the horizon to 1 overhead. Cast shadows get longer as it falls. */
  height: number
  /** Tint of lit surfaces. */
  key: Rgb
  /** Tint that everything is multiplied with; white leaves colours alone. */
  ambient: Rgb
  /** 0 (no visible cast shadow: overcast, underwater) to 1 (hard sun). */
  shadow: number
  /** 0 to 1: strength of the bright edge on the light's side. */
  rim: number
}

/** A painted place: the picture behind and in front of the subjects, and where things can stand in it. */
export interface Environment {
  /** Pixel row of the horizon (or of the back edge of the floor or table). */
  horizonY: number
  /** The rows subjects' feet may stand on: `near` is the bottom-most baseline, `far` the top-most one. */
  ground: { farY: number; nearY: number }
  /** Pixels that one metre measures at baseline row `y`; falls towards the horizon. */
  pixelsPerMetre(y: number): number
  light: Light
  /** Colour that distance fades things into, and how strongly at the horizon (0 to 1). */
  haze: { colour: Rgb; strength: number }
  /** Rows of open water subjects can float on or be reflected in; absent where there is none. */
  water?: { topY: number; bottomY: number }
  /** Material under the feet: decides tufts, foam, dust, table reflection. */
  floor: 'grass' | 'sand' | 'snow' | 'soil' | 'stone' | 'asphalt' | 'wood' | 'tile' | 'cloth' | 'water' | 'void' | 'none'
  /** True for a sheet of plain paper: no light or shade of a place on it. */
  isPaper?: boolean
  /** Paints everything behind the subjects over the whole canvas. */
  paintBack(context: SKRSContext2D): void
  /** Paints what is in front of the subjects: near grass, rain, snow, window frame, fog. */
  paintFront(context: SKRSContext2D): void
  /** The last light over the back, which `paintBack` has in it unless the place is taken apart. */
  paintFinish(context: SKRSContext2D): void
}

/** How a part of a place moves before a camera: `air` and `clouds` are infinitely far, `ground` and `water` lie flat from the horizon to the lower edge, `upright` stands at one distance. */
export type PartKind = 'air' | 'clouds' | 'ground' | 'water' | 'upright'

/** Takes a place apart while it is painted, far to near. */
export interface PartKeeper {
  /** What was painted since the last call is a part of its own; `nearness` of what stands: 0 at the horizon to 1 at the lower edge. */
  part(context: SKRSContext2D, kind: PartKind, nearness?: number): void
  /** All parts so far, for painters that read the picture: water mirrors it. */
  soFar(context: SKRSContext2D): Canvas
}

export interface Frame {
  width: number
  height: number
  scene: Scene
  random: Random
  /** Present for a film: weather and flashes of light are left to it. */
  parts?: PartKeeper
}
