import { smooth } from '../colour.ts'
import { paintGrass } from '../grass.ts'
import { grassSurface, soilSurface } from '../surfaces.ts'
import { bench, lampPost } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

/** Lawns, a winding path, lamp posts and benches under big trees. */
export const park: PlacePainter = stage => {
  const noise = stage.noise('park')
  const grass = grassSurface(stage, noise)
  const paving = soilSurface(stage, noise, ['#cfc6b6', '#a89f90'])
  const near = stage.view.depth(stage.view.nearY)
  const path = (z: number) => Math.sin(z / near / 3.6 + 0.5) * near * 0.7 * smooth(near * 0.8, near * 5, z) - near * 0.1
  const half = near * 0.28
  const kept = new Float64Array(4)
  return scenery(stage, {
    floor: 'grass',
    terrain: {
      height: (x, z) =>
        noise.at(x * 0.05, z * 0.05) * Math.min(1.2, z * 0.01) + smooth(near * 30, near * 90, z) * 6 * (1 + noise.at(x * 0.01, z * 0.01)),
      far: near * 120,
      clearness: 520,
      paint: (point, out) => {
        grass(point, out)
        const trail = smooth(half * 1.05, half * 0.95, Math.abs(point.x - path(point.z)))
        if (trail <= 0 || point.z > near * 40) return
        kept.set(out)
        paving(point, out)
        for (let i = 0; i < 3; i++) out[i] = kept[i]! + (out[i]! - kept[i]!) * trail
      },
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
        allow: (x, z) => Math.abs(x - path(z)) > half * 1.9,
      },
    ],
    paintThings: context => {
      const things = [near * 9, near * 5.4, near * 3.3].flatMap(z => [
        { z, draw: () => lampPost(context, stage, { x: path(z) + half * 1.35, z }) },
        { z: z * 1.05, draw: () => bench(context, stage, { x: path(z) - half * 2.1, z: z * 1.05 }) },
      ])
      paintGrass(context, stage, { height: 0.1, density: 0.9, flowers: 7, things, allow: (x, z) => Math.abs(x - path(z)) > half * 1.06 })
    },
  })
}
