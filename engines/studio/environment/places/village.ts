import type { SKRSContext2D } from '@napi-rs/canvas'
import { clamp, rgb } from '../colour.ts'
import { drawCottage } from '../cottage.ts'
import { type GrassObject, paintGrass } from '../grass.ts'
import { greensOf } from '../season.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, overlay, type Surface, soilSurface } from '../surfaces.ts'
import { rollingTerrain } from './open-land.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

interface Lane {
  path: (z: number) => number
  reach: number
  half: number
}

/** Paints a village: cottages along a lane, with hills behind. */
export const village: PlacePainter = stage => {
  const noise = stage.noise('village')
  const reach = stage.view.depth(stage.view.nearY)
  const lane: Lane = { path: z => noise.at(4.4, z / reach / 7) * reach * 0.9, reach, half: reach * 0.34 }
  const greens = greensOf(stage)
  const away = (x: number, z: number) => Math.abs(x - lane.path(z)) / lane.half
  return scenery(stage, {
    floor: 'grass',
    terrain: rollingTerrain(noise, laneSurface(stage, lane), { hills: 34, ridges: 420, start: reach * 12 }),
    plantings: [
      {
        kinds: ['broad', 'conifer', 'tall', 'bush'],
        count: 50,
        near: reach * 9,
        far: reach * 40,
        height: [6, 13],
        clearness: 520,
        layers: 3,
        allow: (x, z) => away(x, z) > 1.6,
      },
    ],
    paintThings: context => {
      paintGrass(context, stage, {
        height: 0.2,
        density: greens.snow > 0.9 ? 0.06 : 0.8,
        flowers: greens.snow > 0 ? 0 : 12,
        allow: (x, z) => away(x, z) > 1.02,
        things: cottages(context, stage, lane),
      })
    },
  })
}

function laneSurface(stage: Stage, lane: Lane): Surface {
  const noise = stage.noise('village')
  return overlay(grassSurface(stage, noise), soilSurface(stage, noise, ['#c8b08a', '#9a8262']), ({ x, z }) => {
    const off = Math.abs(x - lane.path(z)) + noise.at(x * 0.8, z * 0.5) * lane.half * 0.15
    return z > lane.reach * 16 ? 0 : clamp((lane.half - off) / (lane.half * 0.25), 0, 1)
  })
}

function cottages(context: SKRSContext2D, stage: Stage, lane: Lane): GrassObject[] {
  const random = stage.random.fork('cottages')
  const own = stage.scene.setting.colour
  const walls = own === undefined ? ['#f0e4cc', '#e6c9a0', '#d9b3a0', '#eadfd2', '#c9d2cf', '#f2ddb0'].map(rgb) : [rgb(own.hex)]
  const roofs = ['#a8503c', '#8a4436', '#6d5a52', '#b3653f', '#5d6470'].map(rgb)
  const snow = greensOf(stage).snow > 0.6
  const houses: { x: number; z: number }[] = []
  for (let z = lane.reach * 3.3; z < lane.reach * 22; z *= random.between(1.16, 1.3)) {
    for (const side of [-1, 1]) {
      for (let row = 0; row < 1 + Math.round(stage.width / stage.unit); row++)
        houses.push({
          x: lane.path(z) + side * (lane.half * 1.15 + 4.6 + row * random.between(9, 13) + z * 0.045 + random.between(0, 3)),
          z: z * random.between(0.95, 1.08) + row * 2,
        })
    }
  }
  return houses.map(house => {
    const looks = { width: random.between(5.4, 7.4), height: random.between(2.7, 3.8), wall: random.pick(walls), roof: random.pick(roofs) }
    const own = random.fork(`house ${house.x}`)
    return { z: house.z, draw: () => drawCottage(context, stage, { ...house, ...looks, base: 0, snow }, own) }
  })
}
