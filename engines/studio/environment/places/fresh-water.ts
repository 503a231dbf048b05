import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mix, rgb, smooth } from '../colour.ts'
import { tabulate } from '../noise.ts'
import { lit } from '../palette.ts'
import type { Planting } from '../scatter.ts'
import { greensOf } from '../season.ts'
import type { Stage } from '../stage.ts'
import { dryOnly, grassSurface, overlay, soilSurface } from '../surfaces.ts'
import { hazeLine, roughness } from './coast.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'
import { mountainTerrain } from './wild.ts'

const tones = {
  lake: { deep: rgb('#1d4f5e'), shallow: rgb('#5f9a8e'), clarity: 1.1 },
  river: { deep: rgb('#1f5a66'), shallow: rgb('#7aa996') },
}

interface Shore {
  depth: (x: number, z: number) => number
  farZ: number
  far: (x: number) => number
}

function lakeShore(stage: Stage): Shore {
  const { view, sun } = stage
  const noise = stage.noise('lake')
  const nearZ = view.depth(view.horizonY < 0 ? stage.height * 0.4 : view.horizonY + (view.nearY - view.horizonY) * 0.5)
  const farZ = nearZ * 13
  const near = (x: number) => nearZ * (1 + 0.3 * noise.at((x / nearZ) * 0.7, 2) + 0.05 * noise.at((x / nearZ) * 4, 6)) - x * 0.22 * sun.side
  const far = (x: number) => farZ * (1 + 0.25 * noise.at((x / farZ) * 1.6, 9))
  const span = farZ * 2
  const nearLine = tabulate(near, -span, span, 2048)
  const farLine = tabulate(far, -span, span, 2048)
  return { depth: (x, z) => Math.min((z - nearLine(x)) * 0.12, (farLine(x) - z) * 0.05), farZ, far: farLine }
}

/** Paints a lake with a grassy shore in front and mountains behind. */
export const lake: PlacePainter = stage => {
  const noise = stage.noise('lake')
  const { depth, farZ, far } = lakeShore(stage)
  const mud = soilSurface(stage, noise, ['#8d7d5c', '#5f5a45'])
  const lowland = grassSurface(stage, stage.noise('grass'))
  const peaks = mountainTerrain(stage, noise, { height: 2100, snowLine: 0.34, start: 1300, lowland })
  const shore = overlay(peaks.paint, mud, ({ x, z }) => (z > farZ ? 0 : smooth(-0.12, 0, depth(x, z))))
  const height = (x: number, z: number): number => {
    const wet = depth(x, z)
    if (wet > 0) return -0.4
    const bank = Math.min(1, -wet * 0.8)
    if (z < farZ * 0.7) return noise.at(x * 0.1, z * 0.1) * 0.05 * bank
    return peaks.height(x, z) + Math.min(22, Math.max(0, z - far(x)) * 0.07) * bank
  }
  const trees: Planting = {
    kinds: ['conifer', 'conifer', 'broad'],
    count: 130,
    near: farZ * 0.95,
    far: farZ * 2.6,
    height: [9, 19],
    clearness: 900,
    allow: (x, z) => depth(x, z) < -0.1 && noise.at(x * 0.012, z * 0.01) > -0.25,
  }
  return scenery(stage, {
    floor: 'grass',
    terrain: { ...peaks, height, paint: dryOnly(stage, shore, depth) },
    plantings: [trees],
    water: {
      ...tones.lake,
      top: stage.view.horizonY,
      bottom: stage.height,
      depth,
      rough: roughness(stage, 0.14),
    },
    grass: { height: 0.17, density: 0.9, flowers: 9, allow: (x, z) => depth(x, z) < -0.05 },
    nearGrass: true,
  })
}

/** Returns a function for the depth of a river in metres, negative on land. The river winds beside
 *  the place where subjects stand. */
function riverBed(stage: Stage, reach: number): (x: number, z: number) => number {
  const noise = stage.noise('river')
  const side = -Math.sign(stage.sun.side)
  const half = reach * 0.26
  const centre = (z: number) => {
    const beside = side * (reach * 0.34 + 0.6 * reach * noise.at(z / reach / 6, 7)) * Math.min(1.6, 0.6 + z / reach / 9)
    return beside + Math.sin(z / reach / 3.4) * reach * 0.9 * smooth(reach, reach * 8, z)
  }
  const middle = tabulate(centre, 0, reach * 60, 4096)
  return (x, z) => {
    const off = half - Math.abs(x - middle(z))
    // The bank has small bays. The bays are computed only near the bank, because they change
    // nothing farther away.
    return (Math.abs(off) > half ? off : off + half * 0.22 * noise.at(z / reach, x / reach)) * 0.4
  }
}

/** Returns the height of the ground, in metres, where the river is `depth` metres deep (negative on
 *  land). */
function bank(depth: number, hasWater: boolean): number {
  return depth > 0 && hasWater ? -0.3 : Math.min(0.3, -depth * 0.3) * 0.5
}

/** Paints a river between banks with trees. */
export const river: PlacePainter = stage => {
  const { view } = stage
  const noise = stage.noise('river')
  const reach = view.depth(view.nearY)
  const depth = riverBed(stage, reach)
  const end = reach * 30
  const wet = (x: number, z: number) => (z > end ? 0 : depth(x, z))
  const shore = overlay(grassSurface(stage, stage.noise('grass')), soilSurface(stage, noise, ['#a08a62', '#6b5f46']), ({ x, z }) =>
    z > end ? 0 : smooth(-0.25, -0.02, depth(x, z)),
  )
  const hill = (x: number, z: number) =>
    z < reach * 12 ? 0 : smooth(reach * 12, reach * 60, z) * (20 + 36 * noise.fbm(x * 0.006, z * 0.004, 3))
  const height = (x: number, z: number) => bank(depth(x, z), z < end) + hill(x, z)
  const trees: Planting = {
    kinds: ['broad', 'tall', 'conifer', 'bush'],
    count: 95,
    near: reach * 4,
    far: reach * 45,
    height: [5, 13],
    clearness: 520,
    layers: 4,
    allow: (x, z) => depth(x, z) < -reach * 0.1 && Math.abs(x / z) > 0.06,
  }
  return scenery(stage, {
    floor: 'grass',
    terrain: { height, far: 2200, clearness: 1000, relief: 1.4, paint: dryOnly(stage, shore, wet) },
    plantings: [trees],
    water: {
      isRiver: true,
      top: view.horizonY + 2,
      bottom: stage.height,
      depth: wet,
      rough: roughness(stage, 0.3),
      ...tones.river,
      clarity: reach * 0.078,
    },
    grass: { height: 0.17, density: 0.9, flowers: 9, allow: (x, z) => depth(x, z) < -0.08 },
    nearGrass: true,
  })
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
