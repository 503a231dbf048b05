import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import { pairs } from '../../pairs.ts'
import { css, mix, rgb, shift } from '../colour.ts'
import { type Cell, type Corner, drawBox, fillPolygon, fillRects, frontPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { soilSurface } from '../surfaces.ts'
import { outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

export const market: PlacePainter = stage => {
  const near = stage.view.depth(stage.view.nearY)
  const noise = stage.noise('market')
  const paving = soilSurface(stage, noise, ['#c9b9a0', '#a3937c'])
  return scenery(stage, {
    floor: 'stone',
    terrain: {
      height: () => 0,
      far: near * 12,
      clearness: 300,
      paint: (point, out) => {
        paving(point, out)
        const row = Math.floor(point.z / 0.5)
        const joint = Math.min(
          Math.abs(point.z / 0.5 - row),
          Math.abs((point.x + (row & 1) * 0.4) / 0.8 - Math.floor((point.x + (row & 1) * 0.4) / 0.8)),
        )
        if (joint < 0.05) for (let i = 0; i < 3; i++) out[i] = out[i]! * 0.84
      },
    },
    paintThings: context => paintStalls(context, stage, near),
  })
}

function paintStalls(context: SKRSContext2D, stage: Stage, near: number): void {
  const { view } = stage
  const random = stage.random.fork('stalls')
  const wall = frontPlane(view, near * 8)
  const half = ((stage.width / 2) * near * 8) / view.focal + 4
  const shine = outdoorShine(stage, near * 8)
  for (let u = -half; u < half; ) {
    const w = random.between(5, 8)
    const h = random.between(7, 12)
    const c = rgb(random.pick(['#d9b48f', '#c9836a', '#e3cfa4', '#a9b8a6', '#d49c94', '#e8dcc8']))
    fillRects(context, wall, [[u, 0, u + w, h]], css(shine.tone(c, 0.6)))
    fillPolygon(context, wall, pairs([u - 0.2, h, u + w + 0.2, h, u + w * 0.5, h + 1.8]), css(shine.tone(rgb('#8a4a3c'), 0.6)))
    const panes: (readonly [number, number, number, number])[] = []
    for (let v = 3.4; v < h - 1.6; v += 2.6) for (let a = u + 0.8; a < u + w - 1.2; a += 1.9) panes.push([a, v, a + 0.95, v + 1.5])
    fillRects(context, wall, panes, stage.palette.isDim ? '#ffcf78' : css(shine.tone(mix(rgb('#51687c'), stage.palette.sky[2], 0.3), 0.7)))
    u += w
  }
  const colours = ['#d4473b', '#2f8a6a', '#e0a52e', '#3d6fb5', '#a84f8a', '#e07a3a']
  for (const z of [near * 5.6, near * 3.9, near * 2.7]) {
    const reach = ((stage.width / 2) * z) / view.focal + 2
    const clear = z > near * 5 ? 0.4 * near : near * 0.75
    for (let x = clear + 0.4; x < reach; x += 3.4)
      for (const side of [-1, 1]) stall(context, stage, { x: side * x + (side < 0 ? -2.6 : 0), z, colour: random.pick(colours) }, random)
  }
}

const stallWidth = 2.6

function stall(context: SKRSContext2D, stage: Stage, at: { x: number; z: number; colour: string }, random: Random): void {
  const plane = frontPlane(stage.view, at.z)
  const shine = outdoorShine(stage, at.z)
  const { x } = at
  const right = x + stallWidth
  const posts: Cell[] = [
    [x, 0, x + 0.08, 2.5],
    [right - 0.08, 0, right, 2.5],
  ]
  fillRects(context, plane, posts, css(shine.tone(rgb('#7d5a3c'), 0.5)))
  drawBox(context, stage.view, { x: [x, right], y: [0, 0.85], z: [at.z - 0.1, at.z + 0.7], colour: rgb('#a87a4a') }, shine)
  stallGoods(context, stage, at, random)
  stallRoof(context, stage, at)
  fillRects(context, plane, [[x, 0.85, right, 2.05]], `rgba(20,14,10,${stage.palette.isDim ? 0.05 : 0.14})`)
}

/** Draws five heaps of fruit. */
function stallGoods(context: SKRSContext2D, stage: Stage, at: { x: number; z: number }, random: Random): void {
  const plane = frontPlane(stage.view, at.z)
  const shine = outdoorShine(stage, at.z)
  const goods = ['#d9483b', '#f0a23e', '#7fb04a', '#f2d04a', '#8f5aa8', '#e58a5a'].map(rgb)
  const radius = (0.06 * stage.view.focal) / at.z
  for (let heap = 0; heap < 5; heap++) {
    const c = random.pick(goods)
    for (let i = 0; i < 16; i++) {
      const p = plane(at.x + 0.15 + heap * 0.48 + random.next() * 0.38, 0.9 + random.next() * 0.2)
      context.fillStyle = css(shine.tone(shift(c, random.between(-0.15, 0.2)), 0.75))
      context.beginPath()
      context.arc(p.x, p.y, radius, 0, 7)
      context.fill()
    }
  }
}

/** Draws the striped cloth roof of a market stall, which narrows upwards and has a scalloped lower
 *  edge. */
function stallRoof(context: SKRSContext2D, stage: Stage, at: { x: number; z: number; colour: string }): void {
  const plane = frontPlane(stage.view, at.z)
  const shine = outdoorShine(stage, at.z)
  const stripes = 9
  const middle = at.x + stallWidth / 2
  const edge = (i: number) => at.x - 0.25 + ((stallWidth + 0.5) * i) / stripes
  const narrowed = (u: number) => u * 0.86 + middle * 0.14
  for (let i = 0; i < stripes; i++) {
    const [a, b] = [edge(i), edge(i + 1)]
    const style = css(shine.tone(i % 2 === 0 ? rgb(at.colour) : rgb('#fbf3e4'), 0.8))
    const cloth: Corner[] = [
      [a, 2.08],
      [(a + b) / 2, 2],
      [b, 2.08],
      [b, 2.25],
      [narrowed(b), 2.9],
      [narrowed(a), 2.9],
      [a, 2.25],
    ]
    fillPolygon(context, plane, cloth, style)
  }
}
