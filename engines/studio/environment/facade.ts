import type { Rgb } from '../drawing.ts'
import type { Plane } from './solid.ts'

export interface FacadeStyle {
  wall: Rgb
  trim: Rgb
  /** Window size and spacing in metres. */
  window: { width: number; height: number; pitchX: number; pitchY: number; sill: number }
  /** Share of windows lit after dark. */
  litShare: number
  /** True for a glass curtain instead of single windows. */
  glass: boolean
  shop?: Rgb
}

export interface FacadePlace {
  plane: Plane
  /** Extent along the plane and height, metres. */
  from: number
  to: number
  height: number
  /** Distance by which the haze is chosen, metres. */
  z: number
  light: number
  clearness: number
}
