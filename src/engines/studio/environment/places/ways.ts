import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mix, rgb, smooth } from '../colour.ts'
import { paintGrass } from '../grass.ts'
import { fillRects, levelPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, type Surface, sandSurface, soilSurface } from '../surfaces.ts'
import { rollingTerrain } from './open-land.ts'
import { outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

/** Lays a strip of another surface along a line over a ground surface. */
function strip(ground: Surface, over: Surface, shape: { line: (z: number) => number; half: number; far: number }): Surface {
  const kept = new Float64Array(4)
  return (point, out) => {
    ground(point, out)
    const off = Math.abs(point.x - shape.line(point.z))
    const share = smooth(shape.half * 1.06, shape.half * 0.97, off) * (point.z < shape.far ? 1 : 0)
    if (share <= 0) return
    kept.set(out)
    over(point, out)
    for (let i = 0; i < 3; i++) out[i] = kept[i]! + (out[i]! - kept[i]!) * share
  }
}

export const road: PlacePainter = stage => {
  const noise = stage.noise('road')
  const near = stage.view.depth(stage.view.nearY)
  const half = near * 0.62
  const line = (z: number) => Math.sin(z / near / 9) * near * 1.5 * smooth(near * 3, near * 22, z)
  const asphalt = soilSurface(stage, noise, ['#76777c', '#585a60'])
  const marked: Surface = (point, out) => {
    asphalt(point, out)
    const off = point.x - line(point.z)
    const edge = Math.abs(Math.abs(off) - half * 0.93) < half * 0.022
    const middle = Math.abs(off) < half * 0.022 && (point.z / near) % 1.5 < 0.75
    if (!edge && !middle) return
    const c = middle ? 236 : 228
    out[0] = c
    out[1] = middle ? 205 : 226
    out[2] = middle ? 110 : 218
  }
  const desertRoad = stage.has('desert')
  const land = desertRoad ? sandSurface(stage, noise) : grassSurface(stage, noise)
  const terrain = rollingTerrain(noise, strip(land, marked, { line, half, far: near * 60 }), { hills: 30, ridges: 420, start: near * 22 })
  return scenery(stage, {
    floor: 'asphalt',
    terrain,
    ...(desertRoad
      ? {}
      : {
          plantings: [
            {
              kinds: ['broad', 'tall', 'conifer', 'bush'] as const,
              count: 64,
              near: near * 3,
              far: near * 60,
              height: [5, 11] as const,
              clearness: 620,
              layers: 4,
              allow: (x: number, z: number) => Math.abs(x - line(z)) > half * 1.7,
            },
          ],
        }),
    paintThings: context => {
      if (!desertRoad)
        paintGrass(context, stage, { height: 0.16, density: 0.9, flowers: 7, allow: (x, z) => Math.abs(x - line(z)) > half * 1.02 })
    },
  })
}

export const railway: PlacePainter = stage => {
  const noise = stage.noise('railway')
  const near = stage.view.depth(stage.view.nearY)
  const gravel = soilSurface(stage, noise, ['#a29888', '#6f675c'])
  const centre = near * 0.42 * Math.sign(stage.sun.side)
  const half = 1.7
  const terrain = rollingTerrain(noise, strip(grassSurface(stage, noise), gravel, { line: () => centre, half, far: 900 }), {
    hills: 22,
    ridges: 360,
    start: near * 30,
  })
  return scenery(stage, {
    floor: 'grass',
    terrain,
    plantings: [
      {
        kinds: ['broad', 'tall', 'conifer', 'bush'],
        count: 60,
        near: near * 4,
        far: near * 60,
        height: [4, 9],
        clearness: 560,
        layers: 4,
        allow: (x, z) => Math.abs(x - centre) > 4 + z * 0.01,
      },
    ],
    paintThings: context => {
      paintGrass(context, stage, { height: 0.17, density: 0.9, flowers: 9, allow: x => Math.abs(x - centre) > half })
      paintTrack(context, stage, centre)
    },
  })
}

function paintTrack(context: SKRSContext2D, stage: Stage, centre: number): void {
  const { view } = stage
  const shine = outdoorShine(stage)
  const from = Math.max(0.4, view.depth(stage.height) * 0.9)
  const top = levelPlane(view, 0.06)
  const sleepers: (readonly [number, number, number, number])[] = []
  for (let z = Math.ceil(from / 0.62) * 0.62; z < 60; z += 0.62) sleepers.push([centre - 1.25, z, centre + 1.25, z + 0.25])
  fillRects(
    context,
    levelPlane(view, 0.01),
    sleepers.map(([a, b, c, d]) => [a, b - 0.05, c, d] as const),
    css(shine.tone(rgb('#3b322b'), 0.3)),
  )
  fillRects(context, top, sleepers, css(shine.tone(rgb('#7d6a58'), 0.7)))
  for (const u of [centre - 0.72, centre + 0.72]) {
    fillRects(context, levelPlane(view, 0.07), [[u - 0.06, from, u + 0.06, 700]], css(shine.tone(rgb('#4c4642'), 0.4)))
    fillRects(
      context,
      levelPlane(view, 0.2),
      [[u - 0.035, from, u + 0.035, 900]],
      css(mix(shine.tone(rgb('#c3c6ca'), 0.9), stage.palette.sky[2], 0.4)),
    )
  }
}
