import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Environment, Light } from '../../drawing.ts'
import type { Stage } from '../stage.ts'

/** The result of painting one kind of place. `paintEnvironment` adds the things that all places
 *  share: the light of the sky, the weather, and the final light over the picture. */
export interface Place {
  floor: Environment['floor']
  water?: { topY: number; bottomY: number }
  /** Pixel row of the back edge of the floor or table; absent when it is the horizon. */
  edgeY?: number
  light?: Partial<Light>
  haze?: Environment['haze']
  /** True for a place under a roof, where no weather is drawn. */
  isIndoors?: boolean
  /** See `Environment.isPaper`. */
  isPaper?: boolean
  paintBack(context: SKRSContext2D): void
  paintFront?(context: SKRSContext2D): void
}

export type PlacePainter = (stage: Stage) => Place
