import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import { glowDisc } from '../celestial.ts'
import { clamp, css, mix, rgb } from '../colour.ts'
import { fieldScale } from '../field.ts'
import { dabClump, leafTones } from '../foliage.ts'
import { type GrassObject, paintGrass } from '../grass.ts'
import type { Terrain } from '../land.ts'
import { createMarks } from '../marks.ts'
import { lit } from '../palette.ts'
import { type Planting, plantThings } from '../scatter.ts'
import { screened } from '../screened.ts'
import { type Greens, greensOf } from '../season.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, type Surface, soilSurface } from '../surfaces.ts'
import type { TreeKind } from '../trees.ts'
import { drawTrunk } from '../trunks.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

interface Wood {
  kinds: readonly TreeKind[]
  winterKinds: readonly TreeKind[]
  height: readonly [number, number]
  undergrowth: readonly TreeKind[]
  bark: readonly string[]
  floor: readonly [string, string]
  grass: number
}

const woods: Record<'forest' | 'jungle', Wood> = {
  forest: {
    kinds: ['tall', 'conifer', 'broad', 'birch', 'conifer'],
    winterKinds: ['conifer', 'bare', 'conifer'],
    height: [12, 22],
    undergrowth: ['bush'],
    bark: ['#7a5c46', '#6b5444', '#80694f'],
    floor: ['#8a7a4c', '#54562f'],
    grass: 0.14,
  },
  jungle: {
    kinds: ['tall', 'palm', 'broad', 'palm'],
    winterKinds: ['palm', 'broad'],
    height: [8, 20],
    undergrowth: ['bush', 'palm', 'bush'],
    bark: ['#6f6148', '#5f5a42', '#7d6f54'],
    floor: ['#6c7a3c', '#3f5a2c'],
    grass: 0.24,
  },
}

interface Glade {
  plan: Wood
  kinds: readonly TreeKind[]
  greens: Greens
  path: (z: number) => number
  isEvergreen: boolean
}

/** Returns a painter for a path through a forest. Layers of whole trees stand in the mist behind;
 *  in front, there are trunks whose tops are above the picture. Light comes from above, through the
 *  leaves. */
export function wood(kind: 'forest' | 'jungle'): PlacePainter {
  return stage => {
    const glade = gladeOf(stage, woods[kind])
    const noise = stage.noise('wood')
    const fromAbove = stage.view.angle === 'aerial' || stage.view.angle === 'top'
    const terrain: Terrain = {
      height: (x, z) => noise.fbm(x * 0.06, z * 0.05, 2) * Math.min(1.2, z * 0.03),
      paint: pathSurface(stage, glade.plan, glade.path),
      far: fromAbove ? 2400 : 260,
      clearness: fromAbove ? 320 : 80,
    }
    const crowns: Planting = { ...treesBetween(glade, 7, 150, 420, 0.6), clearness: 160, layers: 4, height: [3.5, 6] }
    return scenery(stage, {
      floor: 'grass',
      terrain,
      plantings: fromAbove ? [crowns] : [treesBetween(glade, 46, 150, 84, 0), treesBetween(glade, 22, 46, 24, 1.6)],
      paintThings: context => {
        if (!fromAbove) paintGlade(context, stage, glade, terrain)
      },
      nearGrass: true,
      detail: 0.55,
    })
  }
}

/** Draws the part of a forest that is near the path. */
function paintGlade(context: SKRSContext2D, stage: Stage, glade: Glade, terrain: Terrain): void {
  const { plan, greens, path } = glade
  const noise = stage.noise('wood')
  const hasCanopy = !glade.isEvergreen && !stage.has('bamboo')
  paintClearing(context, stage)
  if (hasCanopy) paintCanopy(context, stage, greens, [3, 2])
  paintGrass(context, stage, {
    height: plan.grass,
    density: greens.snow > 0.9 ? 0.08 : 0.85,
    flowers: greens.snow > 0 ? 0 : 12,
    things: nearTrees(context, stage, glade, terrain),
    allow: (x, z) => Math.abs(x - path(z)) > 0.75 + 0.3 * noise.at(x, z),
  })
  if (greens.snow === 0) paintFallenLeaves(context, stage, glade)
  paintShafts(context, stage)
  if (hasCanopy) paintCanopy(context, stage, greens, [1, 0])
}

/** Returns the undergrowth and the nearest plants as things that stand in the grass: bamboo canes,
 *  firs or trunks. */
function nearTrees(context: SKRSContext2D, stage: Stage, glade: Glade, terrain: Terrain): GrassObject[] {
  const low: Planting = {
    kinds: glade.plan.undergrowth,
    count: 60,
    near: 6.5,
    far: 44,
    height: [0.6, 1.7],
    clearness: 60,
    allow: beside(glade.path, 1.5, 0.03),
  }
  const things: GrassObject[] = plantThings(context, stage, terrain, low, 'undergrowth')
  if (stage.has('bamboo')) {
    const canes: Planting = { ...treesBetween(glade, 6, 20, 40, 1.4), height: [7, 10] }
    return [...things, ...plantThings(context, stage, terrain, canes, 'bamboo')]
  }
  const firs: Planting = { ...treesBetween(glade, 9, 22, 16, 2.4), height: [7, 13] }
  if (glade.isEvergreen) things.push(...plantThings(context, stage, terrain, firs, 'near'))
  return [...things, ...trunks(context, stage, glade)]
}

function gladeOf(stage: Stage, plan: Wood): Glade {
  const greens = greensOf(stage)
  const noise = stage.noise('path')
  const special: readonly TreeKind[] | undefined = stage.has('bamboo')
    ? ['bamboo']
    : stage.has('pine', 'conifer', 'spruce', 'fir')
      ? ['conifer']
      : stage.has('birch')
        ? ['birch']
        : stage.has('spooky', 'dead', 'haunted')
          ? ['dead', 'bare']
          : undefined
  const kinds = special ?? (greens.snow > 0.6 ? plan.winterKinds : plan.kinds)
  const isEvergreen = greens.snow > 0.6 || (special !== undefined && !stage.has('birch'))
  return { plan, kinds, greens, path: z => noise.at(3.3, z * 0.05) * 2.2, isEvergreen }
}

function beside(path: (z: number) => number, margin: number, grow: number): (x: number, z: number) => boolean {
  return (x, z) => Math.abs(x - path(z)) > margin + z * grow
}

function treesBetween(glade: Glade, near: number, far: number, count: number, margin: number): Planting {
  return {
    kinds: glade.kinds,
    count,
    near,
    far,
    height: glade.plan.height,
    clearness: 54,
    layers: 2,
    allow: beside(glade.path, margin, 0.035),
  }
}

function pathSurface(stage: Stage, plan: Wood, path: (z: number) => number): Surface {
  const noise = stage.noise('floor')
  const soil = soilSurface(stage, noise, plan.floor)
  const grass = grassSurface(stage, noise)
  const trail = soilSurface(stage, noise, ['#bfa478', '#8f7850'])
  const kept = new Float64Array(4)
  return (point, out) => {
    const moss = 0.5 + noise.fbm(point.x * 0.2, point.z * 0.15, 2)
    soil(point, kept)
    grass(point, out)
    for (let i = 0; i < 3; i++) out[i] = out[i]! + (kept[i]! - out[i]!) * clamp(moss * 0.7, 0, 1)
    const off = Math.abs(point.x - path(point.z)) + noise.at(point.x * 1.3, point.z) * 0.25
    const share = clamp(1.3 - off, 0, 1) * 0.85
    if (share > 0) {
      trail(point, kept)
      for (let i = 0; i < 3; i++) out[i] = out[i]! + (kept[i]! - out[i]!) * share
    }
    const dapple = noise.fbm(point.x * 0.45 + 20, point.z * 0.4, 3)
    point.light = clamp(point.light * 0.8 + dapple * 1.1 * stage.palette.sharpness, 0.1, 1.2)
  }
}

/** Returns trunks as things that stand in the grass. The trunks are so near that the leaves of
 *  their trees are above the picture. */
function trunks(context: SKRSContext2D, stage: Stage, glade: Glade): GrassObject[] {
  const { view, unit, width } = stage
  const random = stage.random.fork('trunks')
  const count = Math.ceil((width / unit) * (glade.isEvergreen ? 7 : 17))
  const isOpen = beside(glade.path, 1.5, 0.05)
  const things: GrassObject[] = []
  for (let i = 0; i < count; i++) {
    const z = 5.4 * (24 / 5.4) ** random.next()
    const x = ((random.between(-0.06, 1.06) * width - view.centreX) / view.focal) * z
    const radius = random.between(0.13, 0.36)
    const bark = rgb(random.pick(glade.kinds.includes('birch') && random.next() < 0.4 ? ['#d9d4c8'] : glade.plan.bark))
    const own = random.fork(`trunk ${i}`)
    if (isOpen(x, z))
      things.push({
        z,
        draw: () => drawTrunk(context, stage, { x, z, radius, bark, moss: glade.greens.snow > 0.6 ? rgb('#eef3fb') : rgb('#6f8a3c') }, own),
      })
  }
  return things
}

/** Draws a bright area at the place where the path leaves the forest. */
function paintClearing(context: SKRSContext2D, stage: Stage): void {
  const { palette, unit, view } = stage
  screened(context, () => {
    glowDisc(
      context,
      { x: view.centreX + stage.sun.side * 0.1 * unit, y: view.horizonY - unit * 0.16, radius: unit * 0.52 },
      palette.isNight ? palette.glow : palette.sun,
      palette.isNight ? 0.16 : 0.3 + 0.2 * palette.sharpness,
    )
  })
}

/** Draws fallen leaves on the ground: many in autumn, a few otherwise. */
function paintFallenLeaves(context: SKRSContext2D, stage: Stage, glade: Glade): void {
  const { view, unit, width, height, palette } = stage
  const random = stage.random.fork('fallen')
  const autumn = stage.scene.season === 'autumn' || stage.has('autumn', 'fall')
  const count = Math.min(6000, ((autumn ? 900 : 130) * width) / unit)
  const colours = autumn ? glade.greens.leaves : [rgb('#a08850'), rgb('#8a6f42')]
  for (const colour of colours) {
    const marks = createMarks(context)
    for (let i = 0; i < count / colours.length; i++) {
      const y = view.horizonY + unit * 0.07 + random.next() ** 1.5 * (height - view.horizonY)
      const size = view.metre(y) * random.between(0.018, 0.042)
      marks.oval(random.next() * width, y, size, size * random.between(0.3, 0.6))
    }
    marks.fill(css(lit(palette, colour, random.between(0.55, 0.95)), 0.9))
  }
}

/** Draws blurred, slanting rays of light from the side of the sun. */
function paintShafts(context: SKRSContext2D, stage: Stage): void {
  const { palette, unit, width, height, sun } = stage
  if (palette.sharpness < 0.45) return
  const random = stage.random.fork('shafts')
  const scale = fieldScale(width, height, 0.2)
  const layer = createCanvas(Math.ceil(width * scale), Math.ceil(height * scale))
  const ink = layer.getContext('2d')
  ink.scale(scale, scale)
  const count = Math.ceil((width / unit) * 7)
  const slant = -Math.sign(sun.side) * 0.5
  for (let i = 0; i < count; i++) {
    const x = width * random.next() - slant * unit * 0.3
    const wide = unit * random.between(0.015, 0.07)
    const length = height * random.between(0.6, 0.95)
    const gradient = ink.createLinearGradient(0, 0, 0, length)
    gradient.addColorStop(0, css(palette.sun, random.between(0.1, 0.34)))
    gradient.addColorStop(1, css(palette.sun, 0))
    ink.fillStyle = gradient
    ink.beginPath()
    ink.moveTo(x, 0)
    ink.lineTo(x + wide, 0)
    ink.lineTo(x + wide * 1.9 + slant * length, length)
    ink.lineTo(x + slant * length, length)
    ink.fill()
  }
  screened(context, () => {
    context.globalAlpha = palette.isNight ? 0.4 : 0.85
    context.filter = `blur(${unit * 0.012}px)`
    context.drawImage(layer, 0, 0, width, height)
  })
}

/** Draws leaves that hang into the picture from above. Layer 3 is far away, bright, and reaches far
 *  down. Layer 0 is near and dark, and reaches down only at the left and right edges. */
function paintCanopy(context: SKRSContext2D, stage: Stage, greens: Greens, layers: readonly number[]): void {
  const { unit, width } = stage
  for (const layer of layers) {
    const random = stage.random.fork(`canopy ${layer}`)
    const stamps = Array.from({ length: 4 }, () => leafStamp(stage, greens, layer, random))
    const count = Math.ceil((width / unit) * [15, 14, 20, 20][layer]!)
    for (let i = 0; i < count; i++) {
      const across = (i + random.next()) / count
      const edge = Math.abs(across * 2 - 1)
      const low = [0.02 + 0.1 * edge ** 2, 0.03 + 0.15 * edge ** 1.5, 0.12 + 0.16 * edge, 0.19 + 0.16 * edge][layer]!
      const wide = unit * random.between(0.2, 0.3)
      const tall = wide * random.between(0.46, 0.6)
      context.drawImage(random.pick(stamps), across * width - wide / 2, random.between(-0.03, low) * unit - tall / 2, wide, tall)
    }
  }
}

/** Returns one bunch of leaves on a canvas of its own, which is twice as wide as high. */
function leafStamp(stage: Stage, greens: Greens, layer: number, random: Random): Canvas {
  const { unit, palette, sun } = stage
  const size = Math.max(8, Math.ceil(unit * 0.13))
  const canvas = createCanvas(size * 2, size)
  const bright = mix(random.pick(greens.leaves), layer > 1 ? rgb('#e2e58a') : rgb('#16241c'), layer > 1 ? 0.2 : 0.24)
  const fade = palette.hazeStrength * layer * 0.16
  const tones = leafTones(palette, bright).map(c => mix(c, palette.haze, fade))
  const clump = { x: size, y: size * 0.5, radiusX: size * 0.86, radiusY: size * 0.4 }
  dabClump(
    canvas.getContext('2d'),
    clump,
    layer > 1 ? tones : tones.slice(0, 4),
    { dab: unit * [0.0105, 0.009, 0.0072, 0.006][layer]!, side: Math.sign(sun.side), density: 0.5 },
    random,
  )
  return canvas
}
