import type { Terrain } from '../land.ts'
import type { Noise } from '../noise.ts'
import type { Planting } from '../scatter.ts'
import { greensOf } from '../season.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, type Surface } from '../surfaces.ts'
import type { TreeKind } from '../trees.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

/** Returns ground with the given surface: flat where subjects stand, hilly behind, with mountain
 *  ridges in the distance, which the haze makes blue. */
export function rollingTerrain(noise: Noise, surface: Surface, shape: { hills: number; ridges: number; start: number }): Terrain {
  const height = (x: number, z: number): number => {
    if (z < shape.start * 0.5) return noise.at(x * 0.2, z * 0.2) * 0.03
    const grow = Math.min(1, (z - shape.start * 0.5) / (shape.start * 3))
    const hills = (noise.fbm(x * 0.0055 + 5, z * 0.006, 3) + 0.12) * shape.hills * grow
    const far = Math.max(0, Math.min(1, (z - 500) / 1400))
    if (far === 0) return hills
    return hills + far * far * (0.25 + 0.75 * noise.ridge(x * 0.00042 + 9, z * 0.0005, 5)) * shape.ridges
  }
  return { height, paint: surface, far: 3600, clearness: 1150, relief: 1.5 }
}

function withWoods(surface: Surface, noise: Noise, stage: Stage): Surface {
  const greens = greensOf(stage)
  const dark = greens.leaves[0]!
  const pine = greens.conifer
  return (point, out) => {
    surface(point, out)
    if (point.z < 90) return
    const wood = noise.fbm(point.x * 0.006 + 60, point.z * 0.006, 3)
    if (wood < 0.06) return
    const share = Math.min(1, (wood - 0.06) * 7) * Math.min(1, (point.z - 90) / 120)
    const crown = noise.at(point.x * 0.09, point.z * 0.05)
    const mixture = 0.5 + 0.5 * noise.at(point.x * 0.02, point.z * 0.02 + 40)
    out[0] = out[0]! + ((pine.r + (dark.r - pine.r) * mixture) * 0.8 - out[0]!) * share
    out[1] = out[1]! + ((pine.g + (dark.g - pine.g) * mixture) * 0.8 - out[1]!) * share
    out[2] = out[2]! + ((pine.b + (dark.b - pine.b) * mixture) * 0.8 - out[2]!) * share
    point.light = point.light * (1 - share * 0.25) + crown * 0.35 * share
  }
}

interface OpenLand {
  hills: number
  ridges: number
  /** Factor for the distance at which the hills begin; default 1. */
  start?: number
  trees: Partial<Planting> & { kinds: readonly TreeKind[] }
  grass: number
  flowers: number
}

/** Returns a painter for open land such as a meadow. */
export function openLand(land: OpenLand): PlacePainter {
  return stage => {
    const noise = stage.noise('land')
    const groups = stage.noise('groups')
    const snow = greensOf(stage).snow
    const flowers = stage.has('flowers', 'flower', 'flowery', 'wildflowers') ? land.flowers * 3 + 20 : land.flowers
    const edge = stage.view.depth(stage.view.farY)
    const near = edge * 2
    const surface = withWoods(grassSurface(stage, noise), stage.noise('woods'), stage)
    const trees: Planting = {
      count: 130,
      near,
      far: near * 11,
      height: [5, 11],
      clearness: 620,
      layers: 4,
      allow: (x, z) => groups.at((x / near) * 0.7, (z / near) * 0.45) + 0.3 * Math.abs(x / z) > 0.1,
      ...land.trees,
    }
    return scenery(stage, {
      floor: 'grass',
      terrain: rollingTerrain(noise, surface, { hills: land.hills, ridges: land.ridges, start: edge * 0.7 * (land.start ?? 1) }),
      plantings: [trees],
      grass: { height: land.grass, density: 1, flowers: snow > 0.5 ? 0 : flowers },
      nearGrass: true,
    })
  }
}
