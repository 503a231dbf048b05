import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mix, rgb, smooth } from '../colour.ts'
import { paintField } from '../field.ts'
import { lit } from '../palette.ts'
import type { Planting } from '../scatter.ts'
import { greensOf } from '../season.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, soilSurface } from '../surfaces.ts'
import { hazeLine, roughness } from './coast.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'
import { mountainTerrain } from './wild.ts'

const lakeDeep = rgb('#1d4f5e')

export const lake: PlacePainter = stage => {
  const { view } = stage
  const noise = stage.noise('lake')
  const nearZ = view.depth(view.horizonY < 0 ? stage.height * 0.4 : view.horizonY + (view.nearY - view.horizonY) * 0.5)
  const farZ = nearZ * 13
  const near = (x: number) =>
    nearZ * (1 + 0.3 * noise.at((x / nearZ) * 0.7, 2) + 0.05 * noise.at((x / nearZ) * 4, 6)) - x * 0.22 * stage.sun.side
  const far = (x: number) => farZ * (1 + 0.25 * noise.at((x / farZ) * 1.6, 9))
  const depth = (x: number, z: number) => Math.min((z - near(x)) * 0.12, (far(x) - z) * 0.05)
  const surface = grassSurface(stage, stage.noise('grass'))
  const mud = soilSurface(stage, noise, ['#8d7d5c', '#5f5a45'])
  const peaks = mountainTerrain(stage, noise, { height: 2100, snowLine: 0.36, start: 1300, lowland: surface })
  const kept = new Float64Array(4)
  return scenery(stage, {
    floor: 'grass',
    terrain: {
      ...peaks,
      height: (x, z) => {
        const wet = depth(x, z)
        if (wet > 0) return -0.4
        const bank = Math.min(1, -wet * 0.8)
        return z < farZ * 0.7
          ? noise.at(x * 0.1, z * 0.1) * 0.05 * bank
          : peaks.height(x, z) + Math.min(22, Math.max(0, z - far(x)) * 0.07) * bank
      },
      paint: (point, out) => {
        peaks.paint(point, out)
        const shore = smooth(-0.12, 0, depth(point.x, point.z)) * (point.z < farZ ? 1 : 0)
        if (shore <= 0) return
        kept.set(out)
        mud(point, out)
        for (let i = 0; i < 3; i++) out[i] = kept[i]! + (out[i]! - kept[i]!) * shore
      },
    },
    plantings: [
      {
        kinds: ['conifer', 'conifer', 'broad'],
        count: 130,
        near: farZ * 0.95,
        far: farZ * 2.6,
        height: [9, 19],
        clearness: 900,
        layers: 3,
        allow: (x, z) => depth(x, z) < -0.1 && noise.at(x * 0.012, z * 0.01) > -0.25,
      },
    ],
    water: {
      top: view.horizonY,
      bottom: stage.height,
      depth,
      rough: roughness(stage, 0.14),
      deep: lakeDeep,
      shallow: rgb('#5f9a8e'),
      clarity: 1.1,
    },
    grass: { height: 0.17, density: 0.9, flowers: 9, allow: (x, z) => depth(x, z) < -0.05 },
    nearGrass: true,
  })
}

export const river: PlacePainter = stage => {
  const { view } = stage
  const noise = stage.noise('river')
  const side = -Math.sign(stage.sun.side)
  const reach = view.depth(view.nearY)
  const centre = (z: number) =>
    side * (reach * 0.34 + 0.6 * reach * noise.at(z / reach / 6, 7)) * Math.min(1.6, 0.6 + z / reach / 9) +
    Math.sin(z / reach / 3.4) * reach * 0.9 * smooth(reach, reach * 8, z)
  const half = reach * 0.26
  const depth = (x: number, z: number) => (half * (1 + 0.22 * noise.at(z / reach, x / reach)) - Math.abs(x - centre(z))) * 0.4
  const grass = grassSurface(stage, stage.noise('grass'))
  const mud = soilSurface(stage, noise, ['#a08a62', '#6b5f46'])
  const kept = new Float64Array(4)
  const hill = (x: number, z: number) => smooth(reach * 12, reach * 60, z) * (20 + 36 * noise.fbm(x * 0.006, z * 0.004, 3))
  return scenery(stage, {
    floor: 'grass',
    terrain: {
      height: (x, z) => (depth(x, z) > 0 && z < reach * 30 ? -0.3 : Math.min(0.3, -depth(x, z) * 0.3) * 0.5 + hill(x, z)),
      far: 2200,
      clearness: 1000,
      relief: 1.4,
      paint: (point, out) => {
        grass(point, out)
        const shore = smooth(-0.25, -0.02, depth(point.x, point.z))
        if (shore <= 0 || point.z > reach * 30) return
        kept.set(out)
        mud(point, out)
        for (let i = 0; i < 3; i++) out[i] = kept[i]! + (out[i]! - kept[i]!) * shore
      },
    },
    plantings: [
      {
        kinds: ['broad', 'tall', 'conifer', 'bush'],
        count: 95,
        near: reach * 4,
        far: reach * 45,
        height: [5, 13],
        clearness: 520,
        layers: 4,
        allow: (x, z) => depth(x, z) < -reach * 0.1 && Math.abs(x / z) > 0.06,
      },
    ],
    water: {
      top: view.horizonY + 2,
      bottom: stage.height,
      depth: (x, z) => (z > reach * 30 ? 0 : depth(x, z)),
      rough: roughness(stage, 0.3),
      deep: rgb('#1f5a66'),
      shallow: rgb('#7aa996'),
      clarity: half * 0.3,
    },
    grass: { height: 0.17, density: 0.9, flowers: 9, allow: (x, z) => depth(x, z) < -0.08 },
    nearGrass: true,
  })
}

export const waterfall: PlacePainter = stage => {
  const { view, unit } = stage
  const noise = stage.noise('falls')
  const reach = view.depth(view.nearY)
  const cliffZ = reach * 5
  const top = view.eye + (cliffZ * 0.36 * unit) / view.focal
  const pool = (x: number, z: number) =>
    Math.min(
      z - reach * (1.75 + 0.3 * noise.at(x / reach, 3)),
      cliffZ - z,
      reach * 2.6 * (1 + 0.3 * noise.at(z / reach, 8)) - Math.abs(x),
    ) * 0.25
  const wall = (x: number, z: number) => {
    const edge = cliffZ + noise.fbm(x / reach / 1.2, 5, 3) * reach * 0.7 - Math.exp(-((x / reach) ** 2)) * reach * 0.15 + Math.abs(x) * 0.1
    return smooth(edge, edge + reach * 0.9, z) * (top + noise.fbm(x / reach / 1.6, z / reach / 2, 3) * top * 0.35)
  }
  const grass = grassSurface(stage, stage.noise('grass'))
  const rock = soilSurface(stage, noise, ['#8f8a80', '#4d4c50'])
  const kept = new Float64Array(4)
  const half = reach * 0.55
  return scenery(stage, {
    floor: 'grass',
    terrain: {
      height: (x, z) => (pool(x, z) > 0 ? -0.3 : wall(x, z) * (1 - 0.12 * noise.ridge((x / reach) * 2, (z / reach) * 1.4, 3))),
      far: reach * 14,
      clearness: reach * 26,
      relief: 0.8,
      paint: (point, out) => {
        grass(point, out)
        const stone = Math.max(smooth(0.5, 1.3, point.steep), smooth(-0.5, -0.05, pool(point.x, point.z)))
        kept.set(out)
        rock(point, out)
        const moss = 0.25 * smooth(0, 0.4, noise.fbm((point.x / reach) * 3, (point.height / reach) * 3, 2))
        for (let i = 0; i < 3; i++) out[i] = kept[i]! + (out[i]! - kept[i]!) * stone * (1 - moss)
      },
    },
    plantings: [
      {
        kinds: ['conifer', 'broad', 'tall'],
        count: 60,
        near: cliffZ + reach * 0.9,
        far: cliffZ + reach * 6,
        height: [reach * 0.7, reach * 1.5],
        clearness: reach * 30,
        allow: x => Math.abs(x) > half * 1.2,
      },
      {
        kinds: ['bush'],
        count: 30,
        near: reach * 1.6,
        far: cliffZ,
        height: [0.5, 1.6],
        clearness: 200,
        allow: (x, z) => pool(x, z) < -0.15,
      },
    ],
    water: {
      top: view.horizonY,
      bottom: stage.height,
      depth: pool,
      rough: 0.34,
      deep: rgb('#19606a'),
      shallow: rgb('#6fbcae'),
      clarity: 0.7,
    },
    paintThings: context => paintFall(context, stage, { cliffZ: cliffZ - reach * 0.05, top: top * 1.04, half }),
    grass: { height: 0.17, density: 0.9, flowers: 6, allow: (x, z) => pool(x, z) < -0.3 },
    nearGrass: true,
  })
}

/** Falling water as vertical streaks with a cloud of spray at the foot. */
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

export const swamp: PlacePainter = stage => {
  const { view, unit } = stage
  const noise = stage.noise('swamp')
  const reach = view.depth(view.nearY)
  const depth = (x: number, z: number) =>
    z > reach * 30 ? 0 : (noise.fbm(x / reach / 1.7, z / reach / 2.6, 3) + 0.16 - 0.6 * smooth(reach * 1.7, reach * 0.8, z)) * 0.5
  const greens = greensOf(stage)
  const grass = grassSurface(
    stage,
    stage.noise('grass'),
    stage.scene.setting.colour === undefined ? mix(greens.grass[0], rgb('#5c5a2c'), 0.5) : undefined,
  )
  const trees = (near: number, far: number, count: number): Planting => ({
    kinds: ['dead', 'tall', 'dead', 'bush'],
    count,
    near,
    far,
    height: [5, 13],
    clearness: reach * 16,
    layers: 3,
    allow: (x, z) => Math.abs(x / z) > 0.09,
  })
  return scenery(stage, {
    floor: 'grass',
    terrain: {
      height: (x, z) => (depth(x, z) > 0 ? -0.05 : noise.at(x * 0.5, z * 0.5) * 0.05),
      far: reach * 70,
      clearness: reach * 20,
      paint: grass,
    },
    plantings: [trees(reach * 3, reach * 34, 80)],
    water: { top: view.horizonY, bottom: stage.height, depth, rough: 0.08, deep: rgb('#25382c'), shallow: rgb('#4c5a36'), clarity: 0.25 },
    paintThings: context => {
      hazeLine(context, stage, view.horizonY + 0.02 * unit)
      paintLilies(context, stage, depth)
    },
    grass: { height: 0.26, density: 0.8, flowers: 3, allow: (x, z) => depth(x, z) < 0.01 },
    nearGrass: true,
  })
}

function paintLilies(context: SKRSContext2D, stage: Stage, depth: (x: number, z: number) => number): void {
  const { view, palette } = stage
  const random = stage.random.fork('lilies')
  const top = Math.max(0, view.horizonY) + stage.unit * 0.05
  for (let i = 0; i < (90 * stage.width) / stage.unit; i++) {
    const x = random.next() * stage.width
    const y = top + random.next() * (stage.height - top)
    const z = view.depth(y)
    const size = view.metre(y) * random.between(0.1, 0.22)
    const tone = random.next()
    if (depth(((x - view.centreX) / view.focal) * z, z) < 0.05) continue
    context.fillStyle = css(lit(palette, mix(rgb('#5d8a3c'), rgb('#8fae54'), tone), 0.55 + tone * 0.4))
    context.beginPath()
    context.ellipse(x, y, size, size * 0.32, 0, 0.4, 6.1)
    context.lineTo(x, y)
    context.fill()
  }
}
