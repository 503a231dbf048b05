import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../drawing.ts'
import { clamp, css, mix } from './colour.ts'
import type { Terrain } from './land.ts'
import { lit } from './palette.ts'
import { type Greens, greensOf } from './season.ts'
import type { Stage } from './stage.ts'
import { drawTree, fadeTree, type TreeKind, type TreeSprite } from './trees.ts'

export interface Planting {
  kinds: readonly TreeKind[]
  /** Number of trees on a stretch of the picture that is as wide as the picture's short side. */
  count: number
  /** Nearest and farthest distance in metres. */
  near: number
  far: number
  /** Height range in metres. */
  height: readonly [number, number]
  /** Returns true where a plant may grow. `x` and `z` are in metres; `column` is the position
   *  across the picture, 0 to 1. */
  allow?: (x: number, z: number, column: number) => boolean
  /** Distance in metres at which the fading into the haze reaches about 63 % of `hazeStrength`. */
  clearness: number
  /** Positions of the plants in metres. When present, they replace random positions, and `count` is
   *  not used. */
  spots?: readonly { x: number; z: number }[]
  /** Number of layers by distance. The plants of a layer share their drawings, which are faded for
   *  that distance. */
  layers?: number
}

/** Returns the height of a kind of plant as a factor: 0.36 for bushes among trees, else 1. */
function shareOf(planting: Pick<Planting, 'kinds'>, kind: TreeKind): number {
  return kind === 'bush' && planting.kinds.some(other => other !== 'bush') ? 0.36 : 1
}

interface Plant {
  x: number
  y: number
  z: number
  size: number
  pick: number
  flip: boolean
}

/** Draws single trees on the ground, from far to near. A tree behind a hill is not drawn. */
export function plantTrees(context: SKRSContext2D, stage: Stage, terrain: Pick<Terrain, 'height'>, planting: Planting, name: string): void {
  for (const plant of plantThings(context, stage, terrain, planting, name)) plant.draw()
}

/** Returns the trees that `plantTrees` would draw, from far to near, as things that are drawn
 *  between rows of grass. */
export function plantThings(
  context: SKRSContext2D,
  stage: Stage,
  terrain: Pick<Terrain, 'height'>,
  planting: Planting,
  name: string,
): { z: number; draw(): void }[] {
  const random = stage.random.fork(`plants ${name}`)
  const plants = placePlants(stage, terrain, planting, random.fork('places'))
  const layers = planting.layers ?? 3
  const greens = greensOf(stage)
  const shadow = softShadow(stage)
  return Array.from({ length: layers }, (_, i) => layers - 1 - i).flatMap(layer => {
    const low = planting.near * (planting.far / planting.near) ** (layer / layers)
    const high = planting.near * (planting.far / planting.near) ** ((layer + 1) / layers)
    const group = plants.filter(plant => plant.z >= low && plant.z < high)
    if (group.length === 0) return []
    const size = { middle: Math.sqrt(low * high), largest: Math.max(...group.map(p => p.size)) }
    const sprites = layerSprites(stage, planting, greens, size, random.fork(`layer ${layer}`))
    return group.map(plant => ({
      z: plant.z,
      draw: () => {
        const sprite = sprites[plant.pick % sprites.length]!
        drawPlant(context, stage, { ...plant, size: plant.size * shareOf(planting, sprite.kind) }, sprite, shadow)
      },
    }))
  })
}

/** Returns a blurred dark spot, which is drawn below each tree as its shadow. */
function softShadow(stage: Stage): Canvas {
  const canvas = createCanvas(64, 64)
  const ink = canvas.getContext('2d')
  const colour = mix(lit(stage.palette, { r: 34, g: 44, b: 40 }, 0.1), stage.palette.haze, 0.1)
  const strength = 0.24 + 0.3 * stage.palette.sharpness
  const gradient = ink.createRadialGradient(32, 32, 2, 32, 32, 32)
  gradient.addColorStop(0, css(colour, strength))
  gradient.addColorStop(0.5, css(colour, strength * 0.55))
  gradient.addColorStop(1, css(colour, 0))
  ink.fillStyle = gradient
  ink.fillRect(0, 0, 64, 64)
  return canvas
}

function placePlants(stage: Stage, terrain: Pick<Terrain, 'height'>, planting: Planting, random: Random): Plant[] {
  const { view, unit } = stage
  const { spots } = planting
  const total = spots?.length ?? Math.min(900, Math.round((planting.count * stage.width) / unit))
  const plants: Plant[] = []
  for (let i = 0; i < total; i++) {
    const spot = spots?.[i]
    const z = spot?.z ?? planting.near * (planting.far / planting.near) ** random.next()
    const column = spot === undefined ? random.between(-0.04, 1.04) : view.column(spot.x, z) / stage.width
    const metres = random.between(planting.height[0], planting.height[1])
    const pick = random.integer(0, 11)
    const flip = random.next() < 0.5
    const x = ((column * stage.width - view.centreX) / view.focal) * z
    if (planting.allow !== undefined && !planting.allow(x, z, column)) continue
    const ground = terrain.height(x, z)
    if (isHidden(stage, terrain, { x, z, top: ground + metres * 0.7 })) continue
    plants.push({ x: column * stage.width, y: view.row(ground, z), z, size: (metres * view.focal) / z, pick, flip })
  }
  return plants.sort((a, b) => b.z - a.z)
}

function isHidden(stage: Stage, terrain: Pick<Terrain, 'height'>, at: { x: number; z: number; top: number }): boolean {
  const eye = stage.view.eye
  for (let i = 1; i < 8; i++) {
    const t = i / 8
    if (terrain.height(at.x * t, at.z * t) > eye + (at.top - eye) * t + 0.2) return true
  }
  return false
}

function layerSprites(
  stage: Stage,
  planting: Planting,
  greens: Greens,
  layer: { middle: number; largest: number },
  random: Random,
): TreeSprite[] {
  const size = clamp(layer.largest, 6, Math.max(48, stage.unit * 0.5))
  const fade = stage.palette.hazeStrength * (1 - Math.exp(-layer.middle / planting.clearness))
  const variants = Math.max(planting.kinds.length, 4)
  return Array.from({ length: variants }, (_, i) => {
    const kind = planting.kinds[i % planting.kinds.length]!
    const tree = drawTree(stage, kind, greens, size * shareOf(planting, kind), random.fork(`tree ${i}`))
    if (fade >= 0.02) fadeTree(tree, stage.palette.haze, fade)
    return tree
  })
}

function drawPlant(context: SKRSContext2D, stage: Stage, plant: Plant, sprite: TreeSprite, shadow: Canvas): void {
  const { size } = plant
  // Mirroring the drawing would give more variety, but would light the tree from the wrong side.
  // The width is varied instead.
  const width = size * sprite.aspect * (plant.flip ? 0.86 : 1.08)
  if (size > stage.unit * 0.02) {
    const wide = width * (sprite.kind === 'palm' || sprite.kind === 'birch' ? 0.5 : 0.95)
    const tall = Math.min(wide * 0.22, size * 0.12)
    context.drawImage(shadow, plant.x - wide / 2 - stage.sun.side * wide * 0.2, plant.y - tall * 0.5, wide, tall)
  }
  context.drawImage(sprite.canvas, plant.x - width / 2, plant.y + size * 0.01 - size, width, size)
}
