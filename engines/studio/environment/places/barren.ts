import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../../drawing.ts'
import { paintStars } from '../celestial.ts'
import { mix, rgb, smooth } from '../colour.ts'
import { paintLand, type Terrain } from '../land.ts'
import type { Palette } from '../palette.ts'
import { paintSky } from '../sky.ts'
import type { Stage } from '../stage.ts'
import { soilSurface } from '../surfaces.ts'
import { type Globe, paintGlobe, paintNebula } from './cosmos.ts'
import type { Place, PlacePainter } from './place.ts'

/** Returns a function for the height, in metres, of ground with craters: hollows with raised
 *  rims. */
function craters(stage: Stage, reach: number): (x: number, z: number) => number {
  const noise = stage.noise('craters')
  const bowl = (x: number, z: number, size: number, seed: number): number => {
    const ix = Math.floor(x / size)
    const iz = Math.floor(z / size)
    let sum = 0
    for (let a = -1; a <= 1; a++) {
      for (let b = -1; b <= 1; b++) {
        const cell = noise.cell(ix + a + seed, iz + b)
        if (cell < 0.5) continue
        const reachX = ix + a + 0.5 - x / size
        const reachZ = iz + b + 0.5 - z / size
        if (reachX > 0.95 || reachX < -0.95 || reachZ > 0.95 || reachZ < -0.95) continue
        const cx = (ix + a + 0.5 + (noise.cell(ix + a, iz + b + seed) - 0.5) * 0.5) * size
        const cz = (iz + b + 0.5 + (cell - 0.72) * 0.6) * size
        const radius = size * (0.16 + 0.24 * (cell - 0.45))
        const d = Math.sqrt((x - cx) * (x - cx) + (z - cz) * (z - cz)) / radius
        if (d > 1.9) continue
        sum += radius * (d < 1 ? 0.32 * (d * d - 1) + 0.13 : 0.13 * (1 - (d - 1) / 0.9) ** 2)
      }
    }
    return sum
  }
  return (x, z) => {
    const small = z > reach * 9 ? 0 : bowl(x, z, reach * 0.42, 90) * 0.8
    const middle = z < reach * 0.9 || z > reach * 40 ? 0 : bowl(x, z, reach * 1.5, 3) * smooth(reach * 0.9, reach * 1.6, z)
    const large = z < reach * 4 ? 0 : bowl(x, z, reach * 7, 40) * smooth(reach * 4, reach * 8, z)
    return small + middle + large
  }
}

interface World {
  /** Colours of the lighter and the darker ground. */
  tones: readonly [string, string]
  /** Colour of the atmosphere; absent for a world without one. */
  air?: Rgb
  globe: 'earth' | 'gas'
}

/** Paints grey ground with craters below a black sky, in which the earth is visible. */
export const moon: PlacePainter = stage => barren(stage, { tones: ['#b9b7b3', '#77757a'], globe: 'earth' })

/** Paints alien ground below a coloured sky with a large planet. A colour that the prompt gives to
 *  the place is used for ground and sky. */
export const planet: PlacePainter = stage => {
  const own = stage.scene.setting.colour?.hex
  const red = ['#c66a40', '#96452a'] as const
  const tones =
    own === undefined && stage.has('red') ? red : own === undefined ? stage.random.fork('ground').pick(grounds) : ([own, own] as const)
  return barren(stage, { tones, air: rgb(tones[0]), globe: 'gas' })
}
const grounds = [
  ['#c9703f', '#7a3a2a'],
  ['#b58a5a', '#5f4034'],
  ['#8a7aa8', '#4a3a62'],
  ['#6fa39a', '#2f5a5c'],
] as const

/** Returns a palette for a world without a blue sky. Without an atmosphere (`air`), the light is
 *  hard and neutral; with one, light and haze have its colour. */
function foreignPalette(palette: Palette, air: Rgb | undefined): Palette {
  const haze = mix(air ?? rgb('#000000'), rgb('#f2d0b0'), 0.45)
  if (air === undefined) return { ...palette, sharpness: 1, hazeStrength: 0, haze, shade: rgb('#2c2e3a'), key: rgb('#fff8ec') }
  const low = mix(air, rgb('#f6c9a0'), 0.35)
  return {
    ...palette,
    sharpness: 1,
    hazeStrength: 0.85,
    haze,
    shade: mix(palette.shade, air, 0.25),
    key: mix(palette.key, air, 0.15),
    sky: [mix(low, rgb('#1a1030'), 0.72), mix(low, rgb('#3a2450'), 0.45), low, mix(low, rgb('#fff0d8'), 0.5)],
    cloudLit: mix(low, rgb('#fff4e4'), 0.6),
    cloudShade: mix(low, rgb('#3a2840'), 0.4),
    cover: 0.35,
  }
}

function barren(stage: Stage, world: World): Place {
  const { view } = stage
  const { air } = world
  const lit: Stage = {
    ...stage,
    palette: foreignPalette(stage.palette, air),
    scene: { ...stage.scene, season: 'summer', weather: ['clear'] },
    weather: () => false,
  }
  return {
    floor: 'soil',
    light: {
      height: 0.4,
      key: rgb('#fff6e6'),
      ambient: air === undefined ? rgb('#c4c8d6') : mix(air, rgb('#ffffff'), 0.6),
      shadow: 1,
      rim: 0.8,
    },
    haze: { colour: lit.palette.haze, strength: air === undefined ? 0 : 0.7 },
    paintBack: context => {
      if (air === undefined) {
        paintNebula(context, stage, Math.min(stage.height, Math.max(1, view.horizonY + stage.unit * 0.05)), 0.22)
      } else {
        paintSky(context, lit, { bodies: false, horizon: view.horizonY })
        paintStars(context, stage, Math.max(1, view.horizonY) * 0.7, 0.5)
      }
      paintNeighbour(context, stage, world)
      paintLand(context, lit, barrenTerrain(lit, world))
    },
  }
}

function barrenTerrain(stage: Stage, world: World): Terrain {
  const noise = stage.noise('barren')
  const reach = stage.view.depth(stage.view.nearY)
  const pits = craters(stage, reach)
  const crags = world.air === undefined ? 9 : 18
  const height = (x: number, z: number) => {
    const [u, v] = [x / reach, z / reach]
    const range = smooth(8, 60, v)
    const ground = pits(x, z) + noise.fbm(u / 1.3, v / 1.3, 4) * reach * 0.05
    return range <= 0 ? ground : ground + range * reach * (2.2 + crags * noise.ridge(u / 60, v / 60, 5))
  }
  return { height, paint: soilSurface(stage, noise, world.tones), far: reach * 140, clearness: reach * 45, relief: 1.7 }
}

/** Draws the earth above the moon, or a gas planet above an alien world. */
function paintNeighbour(context: SKRSContext2D, stage: Stage, world: World): void {
  // If the prompt names the earth, it is a subject of the scene, and a second one must not be
  // drawn.
  if (world.globe === 'earth' && stage.scene.subjects.some(subject => subject.noun === 'earth')) return
  const { unit, width, view } = stage
  const side = -Math.sign(stage.sun.side)
  const globe: Globe = {
    x: width / 2 + side * Math.min(width * 0.3, unit * 0.6),
    y: Math.max(unit * 0.16, view.horizonY * 0.42),
    radius: unit * (world.air === undefined ? 0.115 : 0.15),
    kind: world.globe,
    hue: stage.random.fork('hue').between(0, 360),
    lightX: -side * 0.8,
    lightY: -0.25,
  }
  paintGlobe(context, stage, globe, 'sky')
}
