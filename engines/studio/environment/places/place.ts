import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Environment, Light } from '../../drawing.ts'
import type { Stage } from '../stage.ts'

/** The result of a place painter; the shared parts (sky light, weather, grain) are added around
 *  it. */
export interface Place {
  floor: Environment['floor']
  water?: { topY: number; bottomY: number }
  /** Row of the back edge of the floor or table where it is not the true horizon. */
  edgeY?: number
  light?: Partial<Light>
  haze?: Environment['haze']
  /** True under a roof, where no weather is drawn. */
  isIndoors?: boolean
  /** See `Environment.isPaper`. */
  isPaper?: boolean
  paintBack(context: SKRSContext2D): void
  paintFront?(context: SKRSContext2D): void
}

export type PlacePainter = (stage: Stage) => Place
