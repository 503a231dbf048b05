import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import { drawStreetHouse } from '../buildings.ts'
import { glowDisc } from '../celestial.ts'
import { clamp, css, hsl, mix, rgb, shift, smooth } from '../colour.ts'
import type { FacadeStyle } from '../facade.ts'
import { farTone } from '../far-tone.ts'
import { fieldScale, type Pixel, paintField } from '../field.ts'
import type { Noise } from '../noise.ts'
import { plantTrees } from '../scatter.ts'
import { screened } from '../screened.ts'
import { greensOf } from '../season.ts'
import { paintSky } from '../sky.ts'
import { fillRects, frontPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { snowSurface } from '../surfaces.ts'
import { paintWater } from '../water.ts'
import { paintNeon } from './neon.ts'
import type { PlacePainter } from './place.ts'
import { paintSkyline } from './skyline.ts'

interface StreetPlan {
  /** Half the width of the roadway (`road`) and the width of the pavement beside it, in metres. */
  road: number
  pavement: number
  height: readonly [number, number]
  plot: readonly [number, number]
  length: number
  clearness: number
  glass: number
  skyline: boolean
  cobbled: boolean
  /** Distance of the zebra crossing in metres. */
  crossing: number
}

const plans: Record<'street' | 'city', StreetPlan> = {
  street: {
    road: 3.4,
    pavement: 2.2,
    height: [7, 15],
    plot: [7, 12],
    length: 130,
    clearness: 210,
    glass: 0,
    skyline: false,
    cobbled: true,
    crossing: 0,
  },
  city: {
    road: 7,
    pavement: 5,
    height: [26, 95],
    plot: [15, 30],
    length: 520,
    clearness: 620,
    glass: 0.6,
    skyline: true,
    cobbled: false,
    crossing: 17,
  },
}

/** Returns a painter of a street between two rows of houses that run towards the horizon. */
export function street(kind: 'street' | 'city'): PlacePainter {
  return stage => {
    const plan = plans[kind]
    const wet = stage.weather('rain', 'storm') || stage.has('wet', 'rainy')
    return {
      floor: greensOf(stage).snow > 0.9 ? 'snow' : 'asphalt',
      paintBack: context => {
        paintSky(context, stage)
        if (plan.skyline) paintSkyline(context, stage, { row: stage.view.horizonY, height: 0.34, clearness: 0.55 })
        stage.part(context, 'upright', 0.04)
        paintRoad(context, stage, plan)
        stage.part(context, 'ground')
        paintHouses(context, stage, plan)
        const neon = stage.has('neon', 'futuristic', 'cyberpunk')
        if (neon || (kind === 'city' && stage.palette.isNight)) paintNeon(context, stage, plan, neon)
        paintLamps(context, stage, plan)
        if (kind === 'street' && !stage.has('neon', 'futuristic', 'cyberpunk')) paintStreetTrees(context, stage, plan)
        if (wet || neon)
          paintWater(context, stage, {
            top: stage.view.horizonY,
            bottom: stage.height,
            rough: 0.1,
            deep: rgb('#2a2f38'),
            shallow: rgb('#2a2f38'),
            depth: puddles(stage, plan, wet ? 1 : 0.4),
          })
      },
    }
  }
}

/** Returns a function for the depth of puddles on the road in metres, negative where the road is
 *  dry. Puddles are only a few centimetres deep, so that the road is visible through them. */
function puddles(stage: Stage, plan: StreetPlan, amount: number): (x: number, z: number) => number {
  const noise = stage.noise('puddles')
  return (x, z) => (Math.abs(x) > plan.road + plan.pavement ? 0 : (noise.fbm(x * 0.35, z * 0.16, 2) - 0.22 + amount * 0.3) * 0.12)
}

function paintRoad(context: SKRSContext2D, stage: Stage, plan: StreetPlan): void {
  const { view, height, width, palette } = stage
  const noise = stage.noise('road')
  const { shade, key, haze } = palette
  const top = Math.max(0, view.horizonY)
  const ground = roadGround(noise, plan)
  const snow = roadSnow(stage, plan)
  paintField(context, { x: 0, y: top, width, height: height - top }, fieldScale(width, height, 1.1), (px, py, out) => {
    const z = view.depth(py)
    const x = ((px - view.centreX) / view.focal) * z
    const patch = noise.fbm(x * 0.4, z * 0.2, 3)
    ground(x, z, patch, out)
    snow(x, z, patch, out)
    const light = 0.72 + patch * 0.1
    const fade = palette.hazeStrength * (1 - Math.exp(-z / plan.clearness))
    out[0] = shadeChannel(out[0]!, shade.r, key.r, light) * (1 - fade) + haze.r * fade
    out[1] = shadeChannel(out[1]!, shade.g, key.g, light) * (1 - fade) + haze.g * fade
    out[2] = shadeChannel(out[2]!, shade.b, key.b, light) * (1 - fade) + haze.b * fade
  })
}

type RoadShader = (x: number, z: number, patch: number, out: Pixel) => void

/** Returns a shader of the road: cobblestones, or asphalt with markings. Pavements consist of
 *  slabs. */
function roadGround(noise: Noise, plan: StreetPlan): RoadShader {
  return (x, z, patch, out) => {
    const away = Math.abs(x)
    const near = 9 / (9 + z)
    const grit = noise.fbm(x * 6, z * 4, 2) * 12 * near
    const isPavement = away > plan.road
    let base = 92 + patch * 16 + grit
    if (isPavement) {
      const isJoint = (away - plan.road) % 0.9 < 0.04 || ((z % 0.9) + 0.9) % 0.9 < 0.04
      base = 158 + patch * 14 + grit * 0.6 - (isJoint ? 26 * near : 0) + (away < plan.road + 0.25 ? 18 : 0)
    } else if (plan.cobbled) base = 128 + patch * 18 + grit + cobble(noise, x, z) * Math.min(1, near * 1.6)
    else base += (marking(x, z, plan) - base) * (marking(x, z, plan) > 0 ? Math.max(0.6, near ** 0.4) : 0)
    const warm = isPavement ? 8 : plan.cobbled ? 12 : 0
    out[0] = base + warm
    out[1] = base + warm * 0.5
    out[2] = base + (isPavement ? -4 : 6)
  }
}

/** Returns the brightness of the road markings (0 to 255) at a position; 0 where there is no
 *  marking. */
function marking(x: number, z: number, plan: StreetPlan): number {
  const isZebra = z > plan.crossing && z < plan.crossing * 1.42 && Math.floor(x / 0.75 + 100) % 2 === 0
  if (isZebra) return 212
  return Math.abs(x) < 0.09 && ((z % 4) + 4) % 4 < 2.2 ? 225 : 0
}

/** Returns a shader that covers the road with snow; in wheel tracks, the snow is thin. Without snow
 *  in the scene, it changes nothing. */
function roadSnow(stage: Stage, plan: StreetPlan): RoadShader {
  const amount = greensOf(stage).snow
  if (amount < 0.6) return () => {}
  const snow = snowSurface(stage, stage.noise('road'))
  const point = { x: 0, z: 0, height: 0, light: 0.7, steep: 0 }
  const kept = new Float64Array(4)
  return (x, z, patch, out) => {
    const away = Math.abs(x)
    point.x = x
    point.z = z
    point.light = 0.7
    snow(point, kept)
    const more = away > plan.road ? 0.35 : Math.abs(away - plan.road * 0.5) < 0.5 ? -0.25 : 0.1
    const cover = amount * smooth(-0.3, 0.15, patch + more)
    for (let i = 0; i < 3; i++) out[i] = out[i]! + (kept[i]! - out[i]!) * cover
  }
}

/** Returns how much lighter or darker than the road the cobblestones are at a position. Each row is
 *  shifted by half a stone against the one before. */
function cobble(noise: Noise, x: number, z: number): number {
  const row = Math.floor(z / 0.2)
  const u = x / 0.26 + (row & 1) * 0.5
  const column = Math.floor(u)
  const fu = u - column
  const fv = z / 0.2 - row
  const edge = Math.min(fu, 1 - fu, fv, 1 - fv)
  return (noise.cell(column, row) - 0.5) * 34 - 30 * smooth(0.14, 0.02, edge) + 12 * smooth(0.1, 0.4, edge) * (0.7 - fv)
}

function shadeChannel(base: number, shade: number, key: number, light: number): number {
  return (base * (shade + (key - shade) * light)) / 255
}

function facadeStyle(stage: Stage, plan: StreetPlan, random: Random): FacadeStyle {
  const own = stage.scene.setting.colour
  const isGlass = random.next() < plan.glass || (stage.has('futuristic') && plan.glass > 0)
  if (isGlass) {
    const wall = mix(
      hsl(random.between(195, 228), 0.24, random.between(0.34, 0.56)),
      rgb(own?.hex ?? '#6d8aa4'),
      own === undefined ? 0.2 : 0.5,
    )
    return {
      wall,
      trim: shift(wall, 0.25),
      window: { width: 2.5, height: 2.5, pitchX: 3, pitchY: 3.5, sill: 4.6 },
      litShare: 0.46,
      glass: true,
    }
  }
  const walls =
    plan.glass > 0
      ? ['#b9a692', '#a98d7a', '#c9bda8', '#8f8880', '#9c6f5c', '#bcb4a8']
      : ['#d9b48f', '#c9836a', '#e3cfa4', '#a9b8a6', '#d49c94', '#e8dcc8', '#9db1c2', '#c7a06e']
  const wall = mix(rgb(random.pick(walls)), rgb(own?.hex ?? '#ffffff'), own === undefined ? 0 : 0.6)
  const shop = rgb(random.pick(['#b8433c', '#2f6f62', '#d39b3a', '#35577c', '#7d4a6a', '#4f7f3f']))
  return {
    wall,
    trim: rgb('#f2eadc'),
    window: { width: 1.05, height: 1.65, pitchX: 2.3, pitchY: 3.1, sill: 4.2 },
    litShare: 0.5,
    glass: false,
    shop,
  }
}

function paintHouses(context: SKRSContext2D, stage: Stage, plan: StreetPlan): void {
  const random = stage.random.fork('houses')
  const edge = plan.road + plan.pavement
  for (const side of [-1, 1] as const) {
    const houses: { z0: number; z1: number; height: number; seed: number }[] = []
    for (let z = -4 - random.next() * 4; z < plan.length; ) {
      const wide = random.between(plan.plot[0], plan.plot[1])
      houses.push({ z0: z, z1: z + wide, height: random.between(plan.height[0], plan.height[1]), seed: houses.length })
      z += wide
    }
    for (const house of houses.reverse()) {
      const own = random.fork(`house ${side} ${house.seed}`)
      if (house.z1 < 0.8) continue
      drawStreetHouse(
        context,
        stage,
        { side, x: side * edge, depth: 40, ...house, style: facadeStyle(stage, plan, own), clearness: plan.clearness },
        own,
      )
    }
  }
}

/** Draws young trees along both edges of the roadway. */
function paintStreetTrees(context: SKRSContext2D, stage: Stage, plan: StreetPlan): void {
  const spots = Array.from({ length: 9 }, (_, i) => i).flatMap(i =>
    [-1, 1].map(side => ({ x: side * (plan.road + 0.8), z: 7.5 + i * 9.5 + (side > 0 ? 4 : 0) })),
  )
  plantTrees(
    context,
    stage,
    { height: () => 0 },
    { kinds: ['tall', 'broad'], count: 0, spots, near: 6, far: 100, height: [3.9, 5.2], clearness: plan.clearness, layers: 3 },
    'street',
  )
}

function paintLamps(context: SKRSContext2D, stage: Stage, plan: StreetPlan): void {
  const { view, palette } = stage
  const tall = plan.skyline ? 8 : 4.4
  const step = plan.skyline ? 26 : 13
  const post = (z: number) => farTone(stage, rgb('#3a4048'), 0.4, z, plan.clearness)
  for (let z = step * 5.4; z > 3; z -= step) {
    for (const side of [-1, 1]) {
      const x = side * (plan.road + 0.5)
      const plane = frontPlane(view, z)
      const top = plane(x - side * 0.5, tall)
      fillRects(
        context,
        plane,
        [
          [x - 0.06, 0, x + 0.06, tall],
          [Math.min(x, x - side * 0.9), tall - 0.08, Math.max(x, x - side * 0.9), tall],
        ],
        css(post(z)),
      )
      if (!palette.isDim) continue
      const size = (view.focal / z) * (plan.skyline ? 2.4 : 1.4)
      screened(context, () => {
        glowDisc(context, { x: top.x, y: top.y, radius: size }, rgb('#ffcf85'), clamp(0.9, 0, 1))
        glowDisc(context, { x: top.x, y: view.row(0, z), radius: size * 0.9 }, rgb('#ffb866'), 0.22)
      })
    }
  }
}
