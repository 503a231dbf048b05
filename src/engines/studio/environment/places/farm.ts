import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, rgb } from '../colour.ts'
import { paintGrass } from '../grass.ts'
import { greensOf } from '../season.ts'
import { fillPolygon, fillRects, frontPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { grassSurface } from '../surfaces.ts'
import { rollingTerrain } from './open-land.ts'
import { fence, outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

/** Pasture with a red barn, a silo, fences and fields behind. */
export const farm: PlacePainter = stage => {
  const noise = stage.noise('farm')
  const grass = grassSurface(stage, noise)
  const near = stage.view.depth(stage.view.nearY)
  const patches = [rgb('#c9b25a'), rgb('#8fb04e'), rgb('#b58f58'), rgb('#6f9a44'), rgb('#d9c878')]
  const snowy = greensOf(stage).snow > 0.5
  const terrain = rollingTerrain(
    noise,
    (point, out) => {
      grass(point, out)
      if (point.z < near * 26 || snowy) return
      const i = Math.floor(point.x / 85 + 0.25 * Math.sin(point.z * 0.01))
      const k = Math.floor(Math.log(point.z) * 5)
      const c = patches[Math.floor(noise.cell(i, k) * patches.length)]!
      const furrow = 0.92 + 0.1 * Math.sin(point.x * 0.55 + noise.cell(i, k) * 9)
      for (const [n, v] of [c.r, c.g, c.b].entries()) out[n] = out[n]! + (v * furrow - out[n]!) * 0.75
    },
    { hills: 26, ridges: 260, start: near * 16 },
  )
  return scenery(stage, {
    floor: 'grass',
    terrain,
    plantings: [
      { kinds: ['broad', 'tall', 'bush'], count: 34, near: near * 13, far: near * 70, height: [5, 11], clearness: 600, layers: 3 },
    ],
    paintThings: context => {
      const side = -Math.sign(stage.sun.side)
      const things = [
        { z: near * 6.6, draw: () => barn(context, stage, { x: side * near * 2.1, z: near * 6.6, size: near * 1.7 }) },
        { z: near * 3.4, draw: () => fence(context, stage, { z: near * 3.4, height: 1.1, gap: [-0.9 * near, 0.6 * near] }) },
      ]
      paintGrass(context, stage, { height: 0.15, density: 1, flowers: snowy ? 0 : 10, things })
    },
    nearGrass: true,
  })
}

function barn(context: SKRSContext2D, stage: Stage, at: { x: number; z: number; size: number }): void {
  const { view } = stage
  const shine = outdoorShine(stage, at.z)
  const tone = (hex: string, amount: number) => css(shine.tone(rgb(hex), amount))
  const s = at.size
  const plane = frontPlane(view, at.z)
  const deep = (at.x > 0 ? -1 : 1) * s * 0.5
  const snowy = greensOf(stage).snow > 0.6
  const roof = snowy ? '#eef3fb' : '#6b5f5c'
  const x = at.x
  silo(context, stage, { x: x - Math.sign(deep) * s * 0.72, z: at.z, size: s })
  const edge = x + Math.sign(deep) * s * 0.5
  fillPolygon(
    context,
    plane,
    [
      [edge, 0],
      [edge + deep, s * 0.02],
      [edge + deep, s * 0.52],
      [edge, s * 0.52],
    ],
    tone('#9e3328', deep * stage.sun.side > 0 ? 0.85 : 0.25),
  )
  fillPolygon(
    context,
    plane,
    [
      [edge, s * 0.5],
      [x + Math.sign(deep) * s * 0.3, s * 0.82],
      [x, s * 0.98],
      [x + deep, s * 0.96],
      [edge + deep * 1.02, s * 0.5],
    ],
    tone(roof, deep * stage.sun.side > 0 ? 0.95 : 0.4),
  )
  fillPolygon(
    context,
    plane,
    [
      [x - s * 0.5, 0],
      [x + s * 0.5, 0],
      [x + s * 0.5, s * 0.52],
      [x + s * 0.3, s * 0.82],
      [x, s * 0.98],
      [x - s * 0.3, s * 0.82],
      [x - s * 0.5, s * 0.52],
    ],
    tone('#b23a2c', 0.62),
  )
  const boards: (readonly [number, number, number, number])[] = []
  for (let u = -0.48; u < 0.5; u += 0.06) boards.push([x + u * s, 0, x + u * s + 0.012 * s, s * (0.5 + 0.3 * (1 - Math.abs(u) * 2) ** 0.7)])
  fillRects(context, plane, boards, tone('#8c2a20', 0.5))
  const white = tone('#f4eee2', 0.8)
  fillRects(context, plane, [[x - s * 0.2, 0, x + s * 0.2, s * 0.42]], tone('#7e261d', 0.45))
  fillRects(
    context,
    plane,
    [
      [x - s * 0.21, s * 0.41, x + s * 0.21, s * 0.435],
      [x - s * 0.21, 0, x - s * 0.19, s * 0.43],
      [x + s * 0.19, 0, x + s * 0.21, s * 0.43],
      [x - s * 0.008, 0, x + s * 0.008, s * 0.42],
      [x - s * 0.09, s * 0.58, x + s * 0.09, s * 0.74],
    ],
    white,
  )
  fillRects(context, plane, [[x - s * 0.07, s * 0.6, x + s * 0.07, s * 0.72]], tone('#33231f', 0.4))
  for (const flip of [-1, 1])
    fillPolygon(
      context,
      plane,
      [
        [x + flip * s * 0.53, s * 0.5],
        [x + flip * s * 0.32, s * 0.84],
        [x, s * 1.01],
        [x, s * 0.96],
        [x + flip * s * 0.29, s * 0.8],
        [x + flip * s * 0.49, s * 0.49],
      ],
      snowy ? tone(roof, 0.9) : white,
    )
}

function silo(context: SKRSContext2D, stage: Stage, at: { x: number; z: number; size: number }): void {
  const shine = outdoorShine(stage, at.z)
  const a = frontPlane(stage.view, at.z)(at.x - at.size * 0.14, at.size * 1.05)
  const b = frontPlane(stage.view, at.z)(at.x + at.size * 0.14, 0)
  const gradient = context.createLinearGradient(a.x, 0, b.x, 0)
  const side = stage.sun.side > 0
  gradient.addColorStop(0, css(shine.tone(rgb('#b9bdb8'), side ? 0.2 : 0.9)))
  gradient.addColorStop(0.5, css(shine.tone(rgb('#cfd2cc'), 0.75)))
  gradient.addColorStop(1, css(shine.tone(rgb('#b9bdb8'), side ? 0.9 : 0.2)))
  context.fillStyle = gradient
  context.beginPath()
  context.rect(a.x, a.y, b.x - a.x, b.y - a.y)
  context.ellipse((a.x + b.x) / 2, a.y, (b.x - a.x) / 2, (b.x - a.x) * 0.42, 0, Math.PI, Math.PI * 2)
  context.fill()
}
