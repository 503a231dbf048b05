import { smooth } from '../colour.ts'
import { paintGrass } from '../grass.ts'
import { grassSurface, overlay, soilSurface } from '../surfaces.ts'
import { bench, lampPost } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

/** Paints a park: lawns, a winding path, lamp posts, and benches under big trees. */
export const park: PlacePainter = stage => {
  const noise = stage.noise('park')
  const near = stage.view.depth(stage.view.nearY)
  const half = near * 0.28
  const path = (z: number) => Math.sin(z / near / 3.6 + 0.5) * near * 0.7 * smooth(near * 0.8, near * 5, z) - near * 0.1
  const away = (x: number, z: number) => Math.abs(x - path(z)) / half
  const paving = soilSurface(stage, noise, ['#cfc6b6', '#a89f90'])
  return scenery(stage, {
    floor: 'grass',
    terrain: {
      height: (x, z) =>
        noise.at(x * 0.05, z * 0.05) * Math.min(1.2, z * 0.01) + smooth(near * 30, near * 90, z) * 6 * (1 + noise.at(x * 0.01, z * 0.01)),
      far: near * 120,
      clearness: 520,
      paint: overlay(grassSurface(stage, noise), paving, ({ x, z }) => (z > near * 40 ? 0 : smooth(1.05, 0.95, away(x, z)))),
    },
    plantings: [
      {
        kinds: ['broad', 'tall', 'broad', 'bush'],
        count: 56,
        near: near * 5.2,
        far: near * 45,
        height: [5, 10],
        clearness: 420,
        layers: 4,
        allow: (x, z) => away(x, z) > 1.9,
      },
    ],
    paintThings: context => {
      const things = [near * 9, near * 5.4, near * 3.3].flatMap(z => [
        { z, draw: () => lampPost(context, stage, { x: path(z) + half * 1.35, z }) },
        ...(stage.isSubject(/bench/) ? [] : [{ z: z * 1.05, draw: () => bench(context, stage, { x: path(z) - half * 2.1, z: z * 1.05 }) }]),
      ])
      paintGrass(context, stage, { height: 0.1, density: 0.9, flowers: 7, things, allow: (x, z) => away(x, z) > 1.06 })
    },
  })
}
