import type { Random } from '../../drawing.ts'
import { glowDisc, moonOf } from '../celestial.ts'
import { clamp, mix, rgb, smooth } from '../colour.ts'
import type { GroundPoint, Terrain } from '../land.ts'
import type { Noise } from '../noise.ts'
import { screened } from '../screened.ts'
import { greensOf } from '../season.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, overlay, type Surface, sandSurface, snowSurface, soilSurface } from '../surfaces.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

interface Peak {
  x: number
  z: number
  height: number
  reach: number
}

/** Distance of the high range in metres, and the smallest factor by which one of its summits is
 *  nearer. */
const [highRange, nearest] = [6200, 0.86]
/** Largest factor by which the shape of the ground raises a summit above its height. */
const steepest = 1.16

/** Returns the peaks of two mountain ranges: a near, lower one and a far, high one. The number of
 *  peaks depends on the width of the picture, so that every picture shows several summits. */
function placePeaks(stage: Stage, tallest: number, random: Random): Peak[] {
  const peaks: Peak[] = []
  for (const range of [
    { z: highRange, count: 4.6, low: 0.5, high: 1 },
    { z: 3300, count: 3.2, low: 0.16, high: 0.36 },
  ]) {
    const count = Math.ceil((range.count * stage.width) / stage.unit) + 1
    for (let i = 0; i < count; i++) {
      const column = ((i + random.between(0.1, 0.9)) / count) * 1.3 - 0.15
      const z = range.z * random.between(nearest, 1.14)
      const x = ((column - 0.5) * stage.width * z) / stage.view.focal
      // Summits in the middle of the picture are lower, so that there is sky behind the subject.
      const open = 0.72 + 0.28 * Math.min(1, Math.abs(column - 0.5) * 3.2)
      const height = tallest * random.between(range.low, range.high) * open
      peaks.push({ x, z, height, reach: height * random.between(1.5, 2.1) })
    }
  }
  return peaks
}

/** Returns the height in metres that summits may have without hiding a moon that the prompt
 *  names. It is at least 400 m, so that there are mountains in any case. */
function belowMoon(stage: Stage): number {
  if (!stage.has('moon')) return Number.POSITIVE_INFINITY
  const { y, radius } = moonOf(stage)
  const room = stage.view.horizonY - y - 1.3 * radius
  return Math.max(400, ((room / stage.view.focal) * highRange * nearest) / steepest)
}

function massif(peaks: readonly Peak[], x: number, z: number): number {
  let best = 0
  for (const peak of peaks) {
    const dx = x - peak.x
    const dz = (z - peak.z) * 0.8
    if (dx > peak.reach || dx < -peak.reach || dz > peak.reach || dz < -peak.reach) continue
    const d = 1 - Math.sqrt(dx * dx + dz * dz) / peak.reach
    if (d <= 0) continue
    const h = peak.height * d * (0.55 + 0.45 * d)
    if (h > best) best = h
  }
  return best
}

interface Range {
  /** Height of the highest summit of the range in metres. */
  height: number
  /** Share of the height of the highest summit (`height`) above which there is snow. */
  snowLine: number
  /** Distance in metres; the ground begins to rise at a fifth of this distance from the camera. */
  start: number
  lowland: Surface
}

/** Returns mountains behind a meadow. Height and slope decide whether the ground is rock, scree or
 *  snow; the lower slopes have woods. */
export function mountainTerrain(stage: Stage, noise: Noise, wanted: Range): Terrain {
  const range = { ...wanted, height: Math.min(wanted.height, belowMoon(stage)) }
  const peaks = placePeaks(stage, range.height, stage.random.fork('peaks'))
  const height = (x: number, z: number): number => {
    if (z < range.start * 0.2) return noise.at(x * 0.1, z * 0.1) * 0.06
    const hills = Math.max(0, noise.fbm(x * 0.0021 + 3, z * 0.0017, 3) + 0.12) * 210 * smooth(range.start * 0.2, range.start * 1.5, z)
    const warpX = noise.at(x * 0.0011 + 40, z * 0.0011) * 260
    const mass = massif(peaks, x + warpX, z + warpX * 0.7)
    if (mass <= 0) return hills
    return hills * 0.4 + mass * (0.66 + 0.5 * noise.ridge(x * 0.00095 + 9, z * 0.00095, 5))
  }
  return { height, far: 9500, clearness: 5600, relief: 1.05, finest: 0.011, paint: alpineSurface(stage, noise, range) }
}

function alpineSurface(stage: Stage, noise: Noise, range: Range): Surface {
  const greens = greensOf(stage)
  const snowLine = greens.snow > 0.6 ? 0 : range.snowLine
  const level = (point: GroundPoint) => point.height / range.height + noise.fbm(point.x * 0.009, point.z * 0.009, 3) * 0.06
  const woods: Surface = (point, out) => {
    const crown = 0.8 + 0.3 * noise.at(point.x * 0.05, point.z * 0.03)
    out[0] = greens.conifer.r * crown
    out[1] = greens.conifer.g * crown
    out[2] = greens.conifer.b * crown
  }
  const wooded = overlay(range.lowland, woods, point => {
    if (point.z < 60) return 0
    return smooth(0.015, 0.07, level(point) + noise.at(point.x * 0.004, point.z * 0.004) * 0.05) * smooth(60, 260, point.z)
  })
  const slopes = overlay(wooded, rockSurface(noise), point =>
    point.z < 60 ? 0 : smooth(0.13, 0.27, level(point) + Math.max(0, point.steep - 0.5) * 0.16),
  )
  return overlay(slopes, snowSurface(stage, noise), point => {
    if (point.z < 60) return 0
    const rough = noise.at(point.x * 0.009, point.z * 0.009)
    return smooth(snowLine - 0.05, snowLine + 0.12, level(point) + rough * 0.06) * smooth(2.2, 1, point.steep - rough * 0.5)
  })
}

function rockSurface(noise: Noise): Surface {
  const light = rgb('#b3a89c')
  const dark = rgb('#74737f')
  return (point, out) => {
    const rough = noise.fbm(point.x * 0.009, point.z * 0.009, 3)
    const strata = clamp(0.5 + 0.55 * noise.at(point.x * 0.0025, point.height * 0.016 + rough * 2) + rough * 0.5, 0, 1)
    out[0] = dark.r + (light.r - dark.r) * strata
    out[1] = dark.g + (light.g - dark.g) * strata
    out[2] = dark.b + (light.b - dark.b) * strata
  }
}

export const mountains: PlacePainter = stage => {
  const noise = stage.noise('mountains')
  const terrain = mountainTerrain(stage, noise, {
    height: 2300,
    snowLine: 0.52,
    start: 1500,
    lowland: grassSurface(stage, stage.noise('grass')),
  })
  const near = stage.view.depth(stage.view.farY)
  return scenery(stage, {
    floor: 'grass',
    terrain,
    plantings: [
      {
        kinds: ['conifer'],
        count: 150,
        near: near * 1.6,
        far: near * 16,
        height: [8, 19],
        clearness: 1500,
        layers: 4,
        allow: (x, z) => noise.at(x * 0.012 + 4, z * 0.006) + 0.25 * Math.abs(x / z) > 0.06,
      },
    ],
    grass: { height: 0.16, density: 0.9, flowers: 10 },
    nearGrass: true,
  })
}

export const desert: PlacePainter = stage => {
  const noise = stage.noise('dunes')
  const side = Math.sign(stage.sun.side)
  const height = (x: number, z: number): number => {
    const flat = smooth(stage.view.depth(stage.view.farY) * 0.8, stage.view.depth(stage.view.farY) * 5, z)
    const warp = noise.fbm(x * 0.0032, z * 0.0026, 2) * 1.5
    const phase = x * 0.0088 * side + z * 0.0042 + warp
    const saw = phase - Math.floor(phase)
    const crest = saw < 0.7 ? smooth(0, 0.7, saw) : smooth(1, 0.7, saw)
    const size = 0.5 + 0.9 * noise.at(x * 0.0019 + 8, z * 0.0019)
    return (
      flat * (crest * 44 * Math.max(0.45, size) + noise.fbm(x * 0.008, z * 0.008, 2) * 3 - 6) +
      (1 - flat) * noise.fbm(x * 0.05, z * 0.05, 2) * 0.3
    )
  }
  const surface = sandSurface(stage, noise)
  return scenery(stage, {
    floor: 'sand',
    terrain: { height, paint: surface, far: 2600, clearness: 1900, relief: 2.3 },
    ...(stage.has('cactus', 'oasis')
      ? { plantings: [{ kinds: ['palm'] as const, count: 10, near: 30, far: 90, height: [5, 9] as const, clearness: 900 }] }
      : {}),
  })
}

export const snowfield: PlacePainter = stage => {
  const noise = stage.noise('snow')
  const snow = snowSurface(stage, noise)
  const terrain = mountainTerrain(stage, noise, { height: 1300, snowLine: 0, start: 900, lowland: snow })
  const near = stage.view.depth(stage.view.farY)
  const winter = { ...stage, scene: { ...stage.scene, season: 'winter' as const, weather: [...stage.scene.weather, 'snow' as const] } }
  winter.weather = (...words) => words.includes('snow') || stage.weather(...words)
  return scenery(winter, {
    floor: 'snow',
    terrain: { ...terrain, relief: 1.5 },
    plantings: [
      {
        kinds: ['conifer', 'conifer', 'bare'],
        count: 46,
        near: near * 1.4,
        far: near * 12,
        height: [6, 14],
        clearness: 700,
        layers: 3,
        allow: (x, z) => noise.at(x * 0.02 + 4, z * 0.012) + 0.3 * Math.abs(x / z) > 0.1,
      },
    ],
  })
}

/** Distance from the camera to the middle of the volcano, in metres. */
const coneZ = 1750

/** Paints a volcano with a glowing crater and streams of glowing lava. */
export const volcano: PlacePainter = stage => {
  const noise = stage.noise('volcano')
  const { view, unit } = stage
  const centre = stage.random.fork('cone').between(-180, 180)
  const height = (x: number, z: number): number => {
    const d = Math.hypot(x - centre, z - coneZ)
    const cone = 900 * Math.exp(-d / 430) - 190 * smooth(105, 30, d)
    const gully = noise.ridge(Math.atan2(x - centre, coneZ - z) * 5, d * 0.002, 3) * 0.14 * cone
    return Math.max(-3, cone - gully - 26) + noise.fbm(x * 0.02, z * 0.02, 3) * Math.min(8, z * 0.012)
  }
  const soil = soilSurface(stage, noise, ['#5d524c', '#2c2628'])
  const flow = ({ x, z, height: h }: GroundPoint) => {
    if (z < 240) return 0
    const d = Math.hypot(x - centre, z - coneZ)
    return smooth(0.6, 0.86, noise.ridge(Math.atan2(x - centre, coneZ - z) * 2.4 + 8, d * 0.0011, 3)) * smooth(60, 340, h)
  }
  return scenery(stage, {
    floor: 'soil',
    terrain: {
      height,
      far: 3200,
      clearness: 3800,
      relief: 1.3,
      paint: overlay(soil, lavaSurface(stage, flow), point => Math.min(1, flow(point) * 1.7)),
    },
    paintFar: context => {
      const top = { x: view.column(centre, coneZ), y: view.row(640, coneZ) }
      screened(context, () => glowDisc(context, { ...top, radius: unit * 0.34 }, rgb('#ff7a2a'), stage.palette.isDim ? 0.75 : 0.3))
    },
  })
}

/** Returns a surface of glowing lava, which looks the same in any light. Surface colours are later
 *  multiplied by the colour of the light, so the lava's colour is divided by it here. */
function lavaSurface(stage: Stage, flow: (point: GroundPoint) => number): Surface {
  const { key } = stage.palette
  const hot = rgb('#ff5a14')
  const bright = rgb('#ffd873')
  return (point, out) => {
    const glow = mix(hot, bright, flow(point))
    out[0] = (glow.r * 255) / key.r
    out[1] = (glow.g * 255) / key.g
    out[2] = (glow.b * 255) / key.b
    point.light = 1
  }
}
