import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mix, rgb, smooth } from '../colour.ts'
import { paintGrass } from '../grass.ts'
import type { Planting } from '../scatter.ts'
import { fillRects, levelPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, overlay, type Surface, sandSurface, soilSurface } from '../surfaces.ts'
import { rollingTerrain } from './open-land.ts'
import { outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { paintTraffic } from './rows-of-cars.ts'
import { scenery } from './scenery.ts'

/** Paints a road that winds away through meadows. With the detail `desert` it leads through sand;
 *  with `runway` it is straight, for aircraft. */
export const road: PlacePainter = stage => {
  const noise = stage.noise('road')
  const near = stage.view.depth(stage.view.nearY)
  const isBusy = stage.has('traffic')
  const half = near * (isBusy ? 1.25 : 0.62)
  const isRunway = stage.has('runway')
  const centre = (z: number) => Math.sin(z / near / 9) * near * 1.5 * smooth(near * 3, near * 22, z)
  const off = (x: number, z: number) => (isRunway ? x / 1.5 : x - centre(z)) / half
  const isDesert = stage.has('desert')
  const land = isDesert ? sandSurface(stage, noise) : grassSurface(stage, noise)
  const ground = overlay(land, roadSurface(stage, off, near), ({ x, z }) => (z > near * 60 ? 0 : smooth(1.06, 0.97, Math.abs(off(x, z)))))
  const trees: Planting = {
    kinds: ['broad', 'tall', 'conifer', 'bush'],
    count: 64,
    near: near * (isRunway ? 14 : 3),
    far: near * 60,
    height: [5, 11],
    clearness: 620,
    layers: 4,
    allow: (x, z) => Math.abs(off(x, z)) > 1.7,
  }
  return scenery(stage, {
    floor: 'asphalt',
    terrain: rollingTerrain(noise, ground, { hills: 30, ridges: 420, start: near * 22 }),
    plantings: isDesert ? [] : [trees],
    paintThings: context => {
      if (!isDesert) paintGrass(context, stage, { height: 0.16, density: 0.9, flowers: 7, allow: (x, z) => Math.abs(off(x, z)) > 1.02 })
      if (isBusy) paintTraffic(context, stage, { centre, half, near })
    },
  })
}

/** Returns asphalt with white lines at the edges and a broken line in the middle, yellow or (on a
 *  runway) white. `off` returns the position across the road, -1 at its left to 1 at its right
 *  edge. */
function roadSurface(stage: Stage, off: (x: number, z: number) => number, near: number): Surface {
  const asphalt = soilSurface(stage, stage.noise('road'), ['#76777c', '#585a60'])
  const white = rgb('#e4e2da')
  const yellow = rgb(stage.has('runway') ? '#f2f0ea' : '#eccd6e')
  return (point, out) => {
    asphalt(point, out)
    const across = Math.abs(off(point.x, point.z))
    const isMiddle = across < (stage.has('runway') ? 0.04 : 0.022) && (point.z / near) % 1.5 < 0.75
    if (!isMiddle && Math.abs(across - 0.93) > 0.022) return
    const paint = isMiddle ? yellow : white
    out[0] = paint.r
    out[1] = paint.g
    out[2] = paint.b
  }
}

/** Paints a straight railway track that leads to the horizon beside the place where subjects stand.
 *  With the detail `broadside`, the track crosses the picture below them. */
export const railway: PlacePainter = stage => {
  const noise = stage.noise('railway')
  const near = stage.view.depth(stage.view.nearY)
  const gravel = soilSurface(stage, noise, ['#a29888', '#6f675c'])
  const centre = near * 0.42 * Math.sign(stage.sun.side)
  const half = 1.7
  const isBroadside = stage.has('broadside')
  const across = stage.view.depth(stage.view.farY + (stage.view.nearY - stage.view.farY) * 0.62)
  const offTrack = (x: number, z: number) => (isBroadside ? Math.abs(z - across) * 1.25 : Math.abs(x - centre))
  const terrain = rollingTerrain(
    noise,
    overlay(grassSurface(stage, noise), gravel, ({ x, z }) => (z > 900 ? 0 : smooth(half * 1.06, half * 0.97, offTrack(x, z)))),
    {
      hills: 22,
      ridges: 360,
      start: near * 30,
    },
  )
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
        allow: (x, z) => offTrack(x, z) > 4 + z * 0.01,
      },
    ],
    paintThings: context => {
      paintGrass(context, stage, { height: 0.17, density: 0.9, flowers: 9, allow: (x, z) => offTrack(x, z) > half })
      if (isBroadside) paintCrossingTrack(context, stage, across)
      else paintTrack(context, stage, centre)
    },
  })
}

/** Draws a railway track from side to side of the picture, at a distance of `z` metres. */
function paintCrossingTrack(context: SKRSContext2D, stage: Stage, z: number): void {
  const { view } = stage
  const shine = outdoorShine(stage)
  const reach = 1.2 + (stage.width / view.focal) * z
  const sleepers: (readonly [number, number, number, number])[] = []
  for (let x = -Math.ceil(reach / 0.5) * 0.5; x < reach; x += 0.5) sleepers.push([x, z - 0.95, x + 0.24, z + 0.95])
  fillRects(
    context,
    levelPlane(view, 0.01),
    sleepers.map(([a, b, c, d]) => [a, b - 0.06, c, d] as const),
    css(shine.tone(rgb('#3b322b'), 0.3)),
  )
  fillRects(context, levelPlane(view, 0.05), sleepers, css(shine.tone(rgb('#7d6a58'), 0.7)))
  for (const v of [z + 0.55, z - 0.55]) {
    fillRects(context, levelPlane(view, 0.06), [[-reach, v - 0.07, reach, v + 0.07]], css(shine.tone(rgb('#4c4642'), 0.4)))
    fillRects(context, levelPlane(view, 0.12), [[-reach, v - 0.05, reach, v + 0.05]], css(shine.tone(rgb('#c3c6ca'), 0.9)))
  }
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
