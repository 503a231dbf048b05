import type { Rgb } from '../drawing.ts'
import type { Plane } from './solid.ts'

export interface FacadeStyle {
  wall: Rgb
  trim: Rgb
  /** Window size and spacing in metres. */
  window: { width: number; height: number; pitchX: number; pitchY: number; sill: number }
  /** Share of the windows that are lit after dark, 0 to 1. */
  litShare: number
  /** True for a glass facade: its windows have no frames, bars and ledges. */
  glass: boolean
  shop?: Rgb
}

export interface FacadePlace {
  plane: Plane
  /** Left and right end on the wall's plane, and the height, in metres. */
  from: number
  to: number
  height: number
  /** Distance from the camera in metres. The farther away a wall is, the more it fades into the
   *  haze. */
  z: number
  light: number
  clearness: number
}
