import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { css, rgb, smooth } from '../colour.ts'
import { type GrassObject, paintGrass } from '../grass.ts'
import { fillPolygon, fillRects, frontPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, soilSurface } from '../surfaces.ts'
import { fence, lampPost, outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

export const playground: PlacePainter = stage => {
  const near = stage.view.depth(stage.view.nearY)
  const noise = stage.noise('playground')
  const grass = grassSurface(stage, noise)
  const sand = soilSurface(stage, noise, ['#ead2a0', '#cfb27c'])
  const pit = (x: number, z: number) =>
    1 - Math.hypot(x / (near * 1.5), (z - near * 2.6) / (near * 1.7)) + noise.at(x * 0.5, z * 0.5) * 0.06
  const kept = new Float64Array(4)
  return scenery(stage, {
    floor: 'grass',
    terrain: {
      height: (x, z) => smooth(near * 12, near * 40, z) * 4 * (1 + noise.at(x * 0.02, z * 0.02)),
      far: near * 80,
      clearness: 500,
      paint: (point, out) => {
        grass(point, out)
        const share = smooth(0, 0.05, pit(point.x, point.z))
        if (share <= 0) return
        kept.set(out)
        sand(point, out)
        for (let i = 0; i < 3; i++) out[i] = kept[i]! + (out[i]! - kept[i]!) * share
      },
    },
    plantings: [
      { kinds: ['broad', 'tall', 'bush'], count: 44, near: near * 6.5, far: near * 30, height: [4, 8], clearness: 400, layers: 3 },
    ],
    paintThings: context => {
      const things: GrassObject[] = [
        { z: near * 6, draw: () => fence(context, stage, { z: near * 6, height: 1, gap: [0, 0.01] }) },
        { z: near * 5, draw: () => lampPost(context, stage, { x: near * 2.4, z: near * 5 }) },
        { z: near * 3.6, draw: () => swings(context, stage, { x: -near * 1.15, z: near * 3.6 }) },
        { z: near * 3.3, draw: () => slide(context, stage, { x: near * 1.2, z: near * 3.3 }) },
      ]
      paintGrass(context, stage, { height: 0.11, density: 0.9, flowers: 6, things, allow: (x, z) => pit(x, z) < 0 })
    },
  })
}

function swings(context: SKRSContext2D, stage: Stage, at: { x: number; z: number }): void {
  const plane = frontPlane(stage.view, at.z)
  const shine = outdoorShine(stage, at.z)
  const red = css(shine.tone(rgb('#d4473b'), 0.7))
  const { x } = at
  for (const u of [-1.6, 1.6])
    for (const lean of [-0.5, 0.5])
      fillPolygon(context, plane, pairs([x + u + lean, 0, x + u + lean + 0.09, 0, x + u + 0.05, 2.3, x + u - 0.04, 2.3]), red)
  fillRects(context, plane, [[x - 1.7, 2.25, x + 1.7, 2.36]], css(shine.tone(rgb('#3f7fb5'), 0.8)))
  for (const u of [-0.75, 0.75]) {
    fillRects(
      context,
      plane,
      [
        [x + u - 0.24, 0.5, x + u - 0.21, 2.25],
        [x + u + 0.21, 0.5, x + u + 0.24, 2.25],
      ],
      css(shine.tone(rgb('#8a8f94'), 0.6)),
    )
    fillRects(context, plane, [[x + u - 0.28, 0.45, x + u + 0.28, 0.52]], css(shine.tone(rgb('#f0b83e'), 0.8)))
  }
}

function slide(context: SKRSContext2D, stage: Stage, at: { x: number; z: number }): void {
  const plane = frontPlane(stage.view, at.z)
  const shine = outdoorShine(stage, at.z)
  const { x } = at
  for (const u of [0, 0.45]) fillRects(context, plane, [[x + u, 0, x + u + 0.07, 2.2]], css(shine.tone(rgb('#3f7fb5'), 0.65)))
  for (let v = 0.3; v < 1.7; v += 0.3) fillRects(context, plane, [[x, v, x + 0.5, v + 0.06]], css(shine.tone(rgb('#f4efe6'), 0.8)))
  fillPolygon(context, plane, pairs([x - 0.05, 1.55, x + 0.6, 1.55, x + 0.6, 1.66, x - 0.05, 1.66]), css(shine.tone(rgb('#e2574c'), 0.8)))
  const ramp = (d: number): [number, number][] =>
    Array.from({ length: 9 }, (_, i) => {
      const t = i / 8
      return [x - 0.05 - t * 1.9, 1.6 * (1 - t) ** 1.25 + 0.12 + d]
    })
  fillPolygon(context, plane, [...ramp(0), ...ramp(0.26).reverse()], css(shine.tone(rgb('#f0b83e'), 0.85)))
  fillPolygon(context, plane, [...ramp(0), ...ramp(0.07).reverse()], css(shine.tone(rgb('#c98a1f'), 0.5)))
  fillPolygon(context, plane, pairs([x - 0.1, 2.2, x + 0.6, 2.2, x + 0.25, 2.75]), css(shine.tone(rgb('#4f9d69'), 0.75)))
}
