import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, rgb, smooth } from '../colour.ts'
import { createFlowerBrush } from '../flowers.ts'
import { paintGrass } from '../grass.ts'
import { lit } from '../palette.ts'
import { greensOf } from '../season.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, overlay, type Surface, soilSurface } from '../surfaces.ts'
import type { TreeKind } from '../trees.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

interface Layout {
  near: number
  half: number
  /** Returns the distance from the middle of the path, in metres, of a position on the ground. */
  offset: (x: number, z: number) => number
  inBed: (x: number, z: number) => boolean
}

function layOut(stage: Stage): Layout {
  const noise = stage.noise('garden')
  const near = stage.view.depth(stage.view.nearY)
  const half = near * 0.21
  const offset = (x: number, z: number) => Math.abs(x - Math.sin(z / near / 2.6) * near * 0.28 * smooth(near, near * 4, z))
  const inBed = (x: number, z: number) => {
    const off = offset(x, z)
    return z < near * 9 && off > half * 1.35 && off < half * 3.2 + noise.at(x * 0.8, z * 0.6) * half * 0.5
  }
  return { near, half, offset, inBed }
}

/** Paints a garden: a lawn and a path between flower beds, with bushes and trees, which blossom in
 *  spring. */
export const garden: PlacePainter = stage => {
  const noise = stage.noise('garden')
  const layout = layOut(stage)
  const { near, half, offset, inBed } = layout
  const isBlossom = stage.scene.season === 'spring' || stage.has('blossom', 'cherry')
  const kinds: readonly TreeKind[] = isBlossom ? ['blossom', 'broad', 'blossom', 'bush'] : ['broad', 'cypress', 'tall', 'bush']
  return scenery(stage, {
    floor: 'grass',
    terrain: {
      height: (x, z) => noise.at(x * 0.2, z * 0.2) * 0.04 + smooth(near * 14, near * 40, z) * 3 * (1 + noise.at(x * 0.02, z * 0.02)),
      far: near * 70,
      clearness: 420,
      paint: gardenSurface(stage, layout),
    },
    plantings: [
      { kinds, count: 42, near: near * 6.5, far: near * 24, height: [3, 7], clearness: 300, allow: (x, z) => offset(x, z) > half * 3.4 },
      {
        kinds: ['bush'],
        count: 30,
        near: near * 4,
        far: near * 12,
        height: [0.7, 1.2],
        clearness: 300,
        allow: (x, z) => offset(x, z) > half * 3.2,
      },
    ],
    paintThings: context => {
      paintGrass(context, stage, { height: 0.1, density: 0.9, flowers: 0, allow: (x, z) => offset(x, z) > half * 1.1 && !inBed(x, z) })
      if (greensOf(stage).snow < 0.6) paintBeds(context, stage, layout)
    },
  })
}

function gardenSurface(stage: Stage, { near, half, offset, inBed }: Layout): Surface {
  const noise = stage.noise('garden')
  const beds = overlay(grassSurface(stage, noise), soilSurface(stage, noise, ['#7a5a40', '#523b2b']), ({ x, z }) => (inBed(x, z) ? 0.8 : 0))
  return overlay(beds, soilSurface(stage, noise, ['#dccbab', '#b8a383']), ({ x, z }) =>
    z > near * 12 ? 0 : smooth(half * 1.08, half * 0.92, offset(x, z) + noise.at(x * 2, z) * 0.08),
  )
}

function paintBeds(context: SKRSContext2D, stage: Stage, beds: Layout): void {
  const { view, unit, palette } = stage
  const random = stage.random.fork('beds')
  const colours = greensOf(stage).flowers
  const noise = stage.noise('beds')
  const top = view.row(0, beds.near * 9)
  const places = Array.from({ length: Math.min(9000, Math.round((3600 * stage.width) / unit)) }, () => ({
    x: random.next() * stage.width,
    y: top + random.next() ** 1.5 * (stage.height * 1.05 - top),
    pick: random.next(),
  })).sort((a, b) => a.y - b.y)
  const brush = createFlowerBrush(stage, colours, random.fork('heads'))
  const greens = [rgb('#4f7f3c'), rgb('#6a9a48'), rgb('#3d6a38')].map(c => lit(palette, c, 0.6))
  for (const p of places) {
    const z = view.depth(p.y)
    const x = ((p.x - view.centreX) / view.focal) * z
    if (!beds.inBed(x, z)) continue
    const metre = view.metre(p.y)
    const tall = metre * (0.16 + 0.16 * p.pick)
    context.fillStyle = css(greens[Math.floor(p.pick * 3)]!, 0.9)
    context.beginPath()
    context.ellipse(p.x, p.y - tall * 0.35, tall * 0.16, tall * 0.45, p.pick - 0.5, 0, 7)
    context.fill()
    const clump = Math.floor((noise.at(x * 0.7, z * 0.5) * 0.5 + 0.5) * colours.length * 1.6 + p.pick) % colours.length
    brush.draw(context, { x: p.x, y: p.y - tall * 0.4, size: Math.min(unit * 0.018, metre * 0.03), colour: clump })
  }
}
