import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { clamp, css, rgb, smooth } from '../colour.ts'
import { type Planting, plantTrees } from '../scatter.ts'
import { type Box, drawBox, fillPolygon, fillRects, frontPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, overlay, type Surface, sandSurface, soilSurface } from '../surfaces.ts'
import { hazeLine, roughness, seaColours } from './coast.ts'
import { outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

interface Isles {
  near: number
  /** Returns the height of the sandbank on which the camera stands; it is dry where the value is
   *  positive. */
  rim: (x: number, z: number) => number
  /** Returns the height in metres of the island on the other side of the water. */
  hill: (x: number, z: number) => number
}

function islesOf(stage: Stage): Isles {
  const noise = stage.noise('island')
  const near = stage.view.depth(stage.view.nearY)
  const middle = { x: -stage.sun.side * near * 22, z: near * 52 }
  return {
    near,
    rim: (x, z) => 1 - Math.hypot(x / (near * 1.7), (z - near * 1.3) / (near * 1.5)) + noise.fbm(x / near / 1.2, z / near / 1.2, 3) * 0.16,
    hill: (x, z) => {
      const cone = 1 - Math.hypot((x - middle.x) / (near * 16), (z - middle.z) / (near * 12))
      return cone <= 0 ? 0 : cone * near * 11 * (0.7 + 0.5 * noise.fbm(x / near / 6, z / near / 6, 4))
    },
  }
}

/** Paints a small sandy island with palms, and another island on the other side of the water. */
export const island: PlacePainter = stage => {
  const { view } = stage
  const noise = stage.noise('island')
  const { near, rim, hill } = islesOf(stage)
  const isFar = (z: number) => z > near * 30
  const grass = grassSurface(stage, noise, rgb('#5f9a4a'))
  const palms: Planting = {
    kinds: ['palm'],
    count: 7,
    near: near * 1.9,
    far: near * 2.6,
    height: [near * 0.8, near * 1.25],
    clearness: 900,
    layers: 1,
    allow: (x, z) => rim(x, z) > 0.12 && Math.abs(x) > near * 0.35,
  }
  return scenery(stage, {
    floor: 'sand',
    terrain: {
      height: (x, z) => (isFar(z) ? hill(x, z) - 0.2 : Math.min(0.3, rim(x, z) * 0.4)),
      far: near * 80,
      clearness: near * 90,
      relief: 1.4,
      paint: overlay(sandSurface(stage, noise), grass, ({ z, height }) => (isFar(z) && height > near * 0.3 ? 1 : 0)),
    },
    water: {
      top: view.horizonY,
      bottom: stage.height,
      depth: (x, z) => (isFar(z) ? (hill(x, z) > 0.25 ? 0 : 2) : -rim(x, z) * 3),
      rough: roughness(stage, 0.3),
      clarity: 2.2,
      ...seaColours(stage),
    },
    paintThings: context => {
      hazeLine(context, stage, view.horizonY)
      plantTrees(context, stage, { height: () => 0 }, palms, 'palms')
    },
  })
}

const tiles = { deep: rgb('#1f9fcf'), shallow: rgb('#7fe0ea'), clarity: 2.4 }

/** Paints an outdoor swimming pool with a paved edge, loungers and palms. */
export const pool: PlacePainter = stage => {
  const { view } = stage
  const near = view.depth(view.nearY)
  const [edge, end, half] = [near * 1.7, near * 6.5, near * 3.2]
  const noise = stage.noise('pool')
  const inside = (x: number, z: number) => Math.min(z - edge, end - z, half - Math.abs(x))
  return scenery(stage, {
    floor: 'tile',
    water: {
      top: view.row(0, end),
      bottom: view.row(0, edge) + 2,
      depth: (x, z) => (inside(x, z) > 0 ? 0.2 + inside(x, z) * 0.35 : 0),
      rough: 0.12,
      ...tiles,
    },
    terrain: {
      height: (x, z) => (inside(x, z) > 0 ? -0.12 : 0) + smooth(end * 1.4, end * 4, z) * 2 + noise.at(x * 0.1, z * 0.1) * 0.02,
      far: near * 90,
      clearness: 420,
      paint: overlay(deckSurface(stage, inside), grassSurface(stage, noise), ({ z }) => (z > end * 1.3 ? 1 : 0)),
    },
    plantings: [
      {
        kinds: ['palm', 'bush', 'bush', 'cypress'],
        count: 40,
        near: end * 1.35,
        far: end * 2.6,
        height: [2, 6],
        clearness: 400,
        layers: 2,
      },
    ],
    paintThings: context => paintLoungers(context, stage, { z: end * 1.1, half }),
  })
}

/** Draws two parasols and two loungers behind the water. */
function paintLoungers(context: SKRSContext2D, stage: Stage, at: { z: number; half: number }): void {
  parasol(context, stage, { x: -at.half * 0.75, z: at.z, colour: '#e2574c' })
  parasol(context, stage, { x: at.half * 0.7, z: at.z, colour: '#f2b53d' })
  for (const x of [-at.half * 0.5, at.half * 0.5]) {
    const bed: Box = { x: [x - 0.9, x + 0.9], y: [0.25, 0.4], z: [at.z * 0.97, at.z], colour: rgb('#f7f3ea') }
    drawBox(context, stage.view, bed, outdoorShine(stage))
  }
}

/** Returns a surface of square paving slabs with a light strip along the water. */
function deckSurface(stage: Stage, inside: (x: number, z: number) => number): Surface {
  const stone = soilSurface(stage, stage.noise('pool'), ['#e6dccb', '#cfc2ac'])
  const isJoint = (v: number) => Math.abs(((v / 0.8) % 1) + 1) % 1 < 0.03
  return (point, out) => {
    stone(point, out)
    const shade = isJoint(point.x) || isJoint(point.z) ? 0.86 : 1
    const rim = Math.abs(inside(point.x, point.z)) < 0.28 ? 22 : 0
    for (let i = 0; i < 3; i++) out[i] = clamp(out[i]! * shade + rim, 0, 255)
  }
}

function parasol(context: SKRSContext2D, stage: Stage, at: { x: number; z: number; colour: string }): void {
  const plane = frontPlane(stage.view, at.z)
  const shine = outdoorShine(stage, at.z)
  fillRects(context, plane, [[at.x - 0.03, 0, at.x + 0.03, 2.3]], css(shine.tone(rgb('#d8d2c6'), 0.6)))
  const parts = 8
  for (let i = 0; i < parts; i++) {
    const a = -1.5 + (3 * i) / parts
    const b = -1.5 + (3 * (i + 1)) / parts
    const c = i % 2 === 0 ? rgb(at.colour) : rgb('#fbf5ea')
    fillPolygon(
      context,
      plane,
      pairs([at.x, 2.75, at.x + a, 2.1, at.x + (a + b) / 2, 2.02, at.x + b, 2.1]),
      css(shine.tone(c, 0.5 + 0.4 * (stage.sun.side > 0 ? i / parts : 1 - i / parts))),
    )
  }
}
