import { smooth } from '../colour.ts'
import { grassSurface, overlay, type Surface, soilSurface } from '../surfaces.ts'
import { rollingTerrain } from './open-land.ts'
import type { PlacePainter } from './place.ts'
import { paintParked } from './rows-of-cars.ts'
import { scenery } from './scenery.ts'

const bay = 2.7

/** Paints a car park: asphalt with marked parking bays, and trees behind it. With the detail
 *  `parked`, nearly every bay has a car. */
export const carPark: PlacePainter = stage => {
  const noise = stage.noise('car park')
  const near = stage.view.depth(stage.view.nearY)
  const end = near * 7
  // Distances in metres of the front ends of the bays. Between two rows of bays there is room for a
  // lane.
  const rows = [near * 1.7, near * 2.6, near * 3.6, near * 4.8, near * 6.2]
  const lot = overlay(grassSurface(stage, noise), bays(soilSurface(stage, noise, ['#7a7b80', '#5c5e64']), rows), ({ z }) =>
    smooth(end * 1.02, end, z),
  )
  return scenery(stage, {
    floor: 'asphalt',
    terrain: rollingTerrain(noise, lot, { hills: 16, ridges: 300, start: near * 14 }),
    plantings: [
      { kinds: ['broad', 'tall', 'bush'], count: 60, near: end * 1.08, far: near * 40, height: [5, 10], clearness: 560, layers: 2 },
    ],
    ...(stage.has('parked') ? { paintThings: context => paintParked(context, stage, { rows, bay }) } : {}),
  })
}

/** Returns asphalt with white lines between the bays. */
function bays(asphalt: Surface, rows: readonly number[]): Surface {
  return (point, out) => {
    asphalt(point, out)
    const row = rows.find(z => point.z > z - 0.4 && point.z < z + 4.2)
    if (row === undefined) return
    const across = Math.abs(point.x / bay - Math.round(point.x / bay)) * bay
    if (across > 0.055 + point.z * 0.001) return
    for (let i = 0; i < 3; i++) out[i] = 228
  }
}
