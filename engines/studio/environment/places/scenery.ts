import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Environment } from '../../drawing.ts'
import { type GrassOptions, paintGrass, paintNearGrass } from '../grass.ts'
import { paintLand, type Terrain } from '../land.ts'
import { type Planting, plantTrees } from '../scatter.ts'
import { greensOf } from '../season.ts'
import { paintSky } from '../sky.ts'
import type { Stage } from '../stage.ts'
import { paintWater, type WaterOptions } from '../water.ts'
import type { Place } from './place.ts'

interface Scenery {
  floor: Environment['floor']
  terrain: Terrain
  plantings?: readonly Planting[]
  grass?: GrassOptions
  /** Water. It is drawn after the trees, because it mirrors everything that has been painted before
   *  it. */
  water?: WaterOptions & { isRiver?: boolean }
  /** Draws buildings, fences and roads. Called after the trees and before the grass. */
  paintThings?: (context: SKRSContext2D) => void
  /** Draws things that stand behind the trees. Called between the land and the trees. */
  paintFar?: (context: SKRSContext2D) => void
  nearGrass?: boolean
  clouds?: boolean
  /** Factor for the resolution of sky and land. It is below 1 in places where trees hide most of
   *  the sky and the land. */
  detail?: number
}

/** Returns an outdoor place that is painted in this order: sky, land, trees, water, other things,
 *  grass. */
export function scenery(stage: Stage, parts: Scenery): Place {
  const snowy = greensOf(stage).snow > 0.9
  const { angle } = stage.view
  const upright = angle !== 'top' && angle !== 'aerial'
  return {
    floor: snowy && ['grass', 'soil', 'sand'].includes(parts.floor) ? 'snow' : parts.floor,
    ...(parts.water === undefined ? {} : { water: { topY: Math.max(0, parts.water.top), bottomY: parts.water.bottom } }),
    paintBack: context => {
      paintSky(context, stage, { clouds: parts.clouds ?? true, detail: parts.detail ?? 1 })
      paintLand(context, stage, parts.terrain, parts.detail ?? 1)
      parts.paintFar?.(context)
      stage.part(context, 'ground')
      parts.plantings?.forEach((planting, i) => void plantTrees(context, stage, parts.terrain, planting, `planting ${i}`))
      stage.part(context, 'upright', 0.1)
      if (parts.water !== undefined) paintWater(context, stage, parts.water)
      stage.part(context, parts.water?.isRiver ? 'river' : 'water')
      parts.paintThings?.(context)
      stage.part(context, 'upright', 0.3)
      if (parts.grass !== undefined)
        paintGrass(context, stage, { ...parts.grass, ...(snowy ? { density: parts.grass.density * 0.12, flowers: 0 } : {}) })
    },
    paintFront: context => {
      if ((parts.nearGrass ?? false) && !snowy && upright) paintNearGrass(context, stage)
    },
  }
}
