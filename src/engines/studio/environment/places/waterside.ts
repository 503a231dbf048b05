import type { SKRSContext2D } from '@napi-rs/canvas'
import { clamp, css, rgb, smooth } from '../colour.ts'
import { plantTrees } from '../scatter.ts'
import { drawBox, fillPolygon, fillRects, frontPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, sandSurface, soilSurface } from '../surfaces.ts'
import { hazeLine, roughness, seaColours } from './coast.ts'
import { outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

export const island: PlacePainter = stage => {
  const { view } = stage
  const noise = stage.noise('island')
  const near = view.depth(view.nearY)
  const rim = (x: number, z: number) =>
    1 - Math.hypot(x / (near * 1.7), (z - near * 1.3) / (near * 1.5)) + noise.fbm(x / near / 1.2, z / near / 1.2, 3) * 0.16
  const sand = sandSurface(stage, noise)
  const isle = { x: -stage.sun.side * near * 22, z: near * 52 }
  const hill = (x: number, z: number) =>
    Math.max(0, 1 - Math.hypot((x - isle.x) / (near * 16), (z - isle.z) / (near * 12))) *
    near *
    11 *
    (0.7 + 0.5 * noise.fbm(x / near / 6, z / near / 6, 4))
  const grass = grassSurface(stage, noise, rgb('#5f9a4a'))
  return scenery(stage, {
    floor: 'sand',
    terrain: {
      height: (x, z) => (z > near * 30 ? hill(x, z) - 0.2 : Math.min(0.3, rim(x, z) * 0.4)),
      far: near * 80,
      clearness: near * 90,
      relief: 1.4,
      paint: (point, out) => {
        if (point.z > near * 30 && point.height > near * 0.3) grass(point, out)
        else sand(point, out)
      },
    },
    water: {
      top: view.horizonY,
      bottom: stage.height,
      depth: (x, z) => (z > near * 30 ? (hill(x, z) > 0.25 ? 0 : 2) : -rim(x, z) * 3),
      rough: roughness(stage, 0.3),
      clarity: 2.2,
      ...seaColours(stage),
    },
    paintThings: context => {
      hazeLine(context, stage, view.horizonY)
      plantTrees(
        context,
        stage,
        { height: () => 0 },
        {
          kinds: ['palm'],
          count: 7,
          near: near * 1.9,
          far: near * 2.6,
          height: [near * 0.8, near * 1.25],
          clearness: 900,
          layers: 1,
          allow: (x, z) => rim(x, z) > 0.12 && Math.abs(x) > near * 0.35,
        },
        'palms',
      )
    },
  })
}

export const pool: PlacePainter = stage => {
  const { view } = stage
  const near = view.depth(view.nearY)
  const edge = near * 1.7
  const end = near * 6.5
  const half = near * 3.2
  const noise = stage.noise('pool')
  const deck = soilSurface(stage, noise, ['#e6dccb', '#cfc2ac'])
  const grass = grassSurface(stage, noise)
  const inside = (x: number, z: number) => Math.min(z - edge, end - z, half - Math.abs(x))
  return scenery(stage, {
    floor: 'tile',
    water: {
      top: view.row(0, end),
      bottom: view.row(0, edge) + 2,
      depth: (x, z) => (inside(x, z) > 0 ? 0.2 + inside(x, z) * 0.35 : 0),
      rough: 0.12,
      deep: rgb('#1f9fcf'),
      shallow: rgb('#7fe0ea'),
      clarity: 2.4,
    },
    terrain: {
      height: (x, z) => (inside(x, z) > 0 ? -0.12 : 0) + smooth(end * 1.4, end * 4, z) * 2 + noise.at(x * 0.1, z * 0.1) * 0.02,
      far: near * 90,
      clearness: 420,
      paint: (point, out) => {
        if (point.z > end * 1.3) return grass(point, out)
        deck(point, out)
        const joint = Math.abs(((point.x / 0.8) % 1) + 1) % 1 < 0.03 || Math.abs(((point.z / 0.8) % 1) + 1) % 1 < 0.03
        const lip = Math.abs(inside(point.x, point.z)) < 0.28
        for (let i = 0; i < 3; i++) out[i] = clamp(out[i]! * (joint ? 0.86 : 1) + (lip ? 22 : 0), 0, 255)
      },
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
    paintThings: context => {
      const shine = outdoorShine(stage)
      for (const [x, c] of [
        [-half * 0.75, '#e2574c'],
        [half * 0.7, '#f2b53d'],
      ] as const)
        parasol(context, stage, { x, z: end * 1.12, colour: c })
      for (const side of [-1, 1])
        drawBox(
          context,
          view,
          { x: [side * half * 0.5 - 0.9, side * half * 0.5 + 0.9], y: [0.25, 0.4], z: [end * 1.06, end * 1.1], colour: rgb('#f7f3ea') },
          shine,
        )
    },
  })
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
      [
        [at.x, 2.75],
        [at.x + a, 2.1],
        [at.x + (a + b) / 2, 2.02],
        [at.x + b, 2.1],
      ],
      css(shine.tone(c, 0.5 + 0.4 * (stage.sun.side > 0 ? i / parts : 1 - i / parts))),
    )
  }
}
