import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, rgb, smooth } from '../colour.ts'
import { paintField } from '../field.ts'
import { lit } from '../palette.ts'
import type { Planting } from '../scatter.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, overlay, type Surface, soilSurface } from '../surfaces.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

const tones = { deep: rgb('#19606a'), shallow: rgb('#6fbcae'), clarity: 0.7 }

interface Gorge {
  reach: number
  cliffZ: number
  /** Height of the cliff in metres. */
  top: number
  pool: (x: number, z: number) => number
}

function gorgeOf(stage: Stage): Gorge {
  const { view, unit } = stage
  const noise = stage.noise('falls')
  const reach = view.depth(view.nearY)
  const cliffZ = reach * 5
  const pool = (x: number, z: number) => {
    const near = z - reach * (1.75 + 0.3 * noise.at(x / reach, 3))
    const sides = reach * 2.6 * (1 + 0.3 * noise.at(z / reach, 8)) - Math.abs(x)
    return Math.min(near, cliffZ - z, sides) * 0.25
  }
  return { reach, cliffZ, top: view.eye + (cliffZ * 0.36 * unit) / view.focal, pool }
}

/** Paints a waterfall: water falls over a cliff with trees into a pool. */
export const waterfall: PlacePainter = stage => {
  const { view } = stage
  const noise = stage.noise('falls')
  const { reach, cliffZ, top, pool } = gorgeOf(stage)
  const half = reach * 0.55
  const wall = (x: number, z: number) => {
    const u = x / reach
    const edge = cliffZ + reach * (noise.fbm(u / 1.2, 5, 3) * 0.7 - Math.exp(-(u ** 2)) * 0.15 + Math.abs(u) * 0.1)
    return smooth(edge, edge + reach * 0.9, z) * top * (1 + noise.fbm(u / 1.6, z / reach / 2, 3) * 0.35)
  }
  const trees: Planting = {
    kinds: stage.has('jungle') ? ['palm', 'broad', 'bush'] : ['conifer', 'broad', 'tall'],
    count: stage.has('jungle') ? 90 : 60,
    near: cliffZ + reach * 0.9,
    far: cliffZ + reach * 6,
    height: [reach * 0.7, reach * 1.5],
    clearness: reach * 30,
    allow: x => Math.abs(x) > half * 1.2,
  }
  return scenery(stage, {
    floor: 'grass',
    terrain: {
      height: (x, z) => (pool(x, z) > 0 ? -0.3 : wall(x, z) * (1 - 0.12 * noise.ridge((x / reach) * 2, (z / reach) * 1.4, 3))),
      far: reach * 14,
      clearness: reach * 26,
      relief: 0.8,
      paint: gorgeSurface(stage, reach, pool),
    },
    plantings: [trees],
    water: { ...tones, top: view.horizonY, bottom: stage.height, depth: pool, rough: 0.34 },
    paintThings: context => paintFall(context, stage, { cliffZ: cliffZ - reach * 0.05, top: top * 1.04, half }),
    grass: { height: 0.17, density: 0.9, flowers: 6, allow: (x, z) => pool(x, z) < -0.3 },
    nearGrass: true,
  })
}

/** Returns the surface of the gorge: grass on level ground; on steep or wet ground, cracked rock
 *  with moss. */
function gorgeSurface(stage: Stage, reach: number, pool: Gorge['pool']): Surface {
  const noise = stage.noise('falls')
  const stone = soilSurface(stage, noise, ['#8f8a80', '#4d4c50'])
  const rock: Surface = (point, out) => {
    stone(point, out)
    const crack = noise.ridge((point.x / reach) * 1.7, (point.height / reach) * 2.6 + noise.at(point.x / reach, 4) * 0.8, 4)
    point.light = Math.min(1.15, point.light * (0.5 + 0.8 * crack) + 0.12)
  }
  return overlay(grassSurface(stage, stage.noise('grass')), rock, ({ x, z, height, steep }) => {
    const moss = 0.25 * smooth(0, 0.4, noise.fbm((x / reach) * 3, (height / reach) * 3, 2))
    return Math.max(smooth(0.5, 1.3, steep), smooth(-0.5, -0.05, pool(x, z))) * (1 - moss)
  })
}

/** Draws the falling water as vertical streaks, with a cloud of spray at its foot. */
function paintFall(context: SKRSContext2D, stage: Stage, fall: { cliffZ: number; top: number; half: number }): void {
  const { view, unit, palette } = stage
  const noise = stage.noise('fall')
  const topY = view.row(fall.top, fall.cliffZ)
  const footY = view.row(0, fall.cliffZ)
  const halfPx = (fall.half * view.focal) / fall.cliffZ
  const white = lit(palette, rgb('#ffffff'), 1)
  const blue = lit(palette, rgb('#9fc4d8'), 0.5)
  paintField(context, { x: view.centreX - halfPx * 1.3, y: topY, width: halfPx * 2.6, height: footY - topY }, 0.7, (x, y, out) => {
    const t = (y - topY) / (footY - topY)
    const u = (x - view.centreX) / halfPx / (0.72 + 0.28 * t)
    const streak = noise.fbm(u * 7, t * 1.6 - u * 0.3, 3) * 0.6 + noise.at(u * 22, t * 2.6) * 0.35
    const edge = 1 - smooth(0.72, 1, Math.abs(u) + noise.at(u * 3, t * 5) * 0.16)
    const l = Math.min(1, Math.max(0, 0.62 + streak))
    out[0] = blue.r + (white.r - blue.r) * l
    out[1] = blue.g + (white.g - blue.g) * l
    out[2] = blue.b + (white.b - blue.b) * l
    out[3] = 255 * edge * (0.72 + 0.28 * l) * smooth(-0.01, 0.03, t)
  })
  const random = stage.random.fork('spray')
  for (let i = 0; i < 26; i++) {
    const radius = unit * random.between(0.03, 0.09)
    const x = view.centreX + random.between(-1.3, 1.3) * halfPx
    const y = footY + random.between(-0.03, 0.02) * unit
    const gradient = context.createRadialGradient(x, y, 0, x, y, radius)
    gradient.addColorStop(0, css(white, 0.3))
    gradient.addColorStop(1, css(white, 0))
    context.fillStyle = gradient
    context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
  }
}
