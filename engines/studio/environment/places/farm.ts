import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, rgb } from '../colour.ts'
import { paintGrass } from '../grass.ts'
import { greensOf } from '../season.ts'
import { type Cell, type Corner, cells, fillPolygon, fillRects, frontPlane, outline, placed, placedCells, type Spot } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, overlay, type Surface } from '../surfaces.ts'
import { rollingTerrain } from './open-land.ts'
import { fence, outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

/** Paints a farm: a pasture with a red barn, a silo and fences, and fields behind it. */
export const farm: PlacePainter = stage => {
  const noise = stage.noise('farm')
  const near = stage.view.depth(stage.view.nearY)
  const snowy = greensOf(stage).snow > 0.5
  return scenery(stage, {
    floor: 'grass',
    terrain: rollingTerrain(noise, snowy ? grassSurface(stage, noise) : patchwork(stage, near * 26), {
      hills: 26,
      ridges: 260,
      start: near * 16,
    }),
    plantings: [{ kinds: ['broad', 'tall', 'bush'], count: 34, near: near * 13, far: near * 70, height: [5, 11], clearness: 600 }],
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

/** Returns the ground of a farm: pasture near the camera, and fields of several crops from `start`
 *  metres on. */
function patchwork(stage: Stage, start: number): Surface {
  const noise = stage.noise('farm')
  const patches = ['#c9b25a', '#8fb04e', '#b58f58', '#6f9a44', '#d9c878'].map(rgb)
  const crops: Surface = ({ x, z }, out) => {
    const i = Math.floor(x / 85 + 0.25 * Math.sin(z * 0.01))
    const k = Math.floor(Math.log(z) * 5)
    const c = patches[Math.floor(noise.cell(i, k) * patches.length)]!
    const furrow = 0.92 + 0.1 * Math.sin(x * 0.55 + noise.cell(i, k) * 9)
    out[0] = c.r * furrow
    out[1] = c.g * furrow
    out[2] = c.b * furrow
  }
  return overlay(grassSurface(stage, noise), crops, ({ z }) => (z < start ? 0 : 0.75))
}

/** Outlines of the barn in units of its width: the front as seen by the viewer, and the side to the
 *  right of it. */
const parts = {
  side: outline('.5 0, 1 .02, 1 .52, .5 .52'),
  roof: outline('.5 .5, .3 .82, 0 .98, .5 .96, 1.01 .5'),
  front: outline('-.5 0, .5 0, .5 .52, .3 .82, 0 .98, -.3 .82, -.5 .52'),
  edge: outline('.53 .5, .32 .84, 0 1.01, 0 .96, .29 .8, .49 .49'),
  gate: cells('-.2 0 .2 .42'),
  trim: cells('-.21 .41 .21 .435, -.21 0 -.19 .43, .19 0 .21 .43, -.008 0 .008 .42, -.09 .58 .09 .74'),
  loft: cells('-.07 .6 .07 .72'),
  boards: Array.from(
    { length: 17 },
    (_, i): Cell => [-0.48 + i * 0.06, 0, -0.468 + i * 0.06, 0.5 + 0.3 * (1 - Math.abs(-0.48 + i * 0.06) * 2) ** 0.7],
  ),
}

function barn(context: SKRSContext2D, stage: Stage, at: { x: number; z: number; size: number }): void {
  const shine = outdoorShine(stage, at.z)
  const tone = (hex: string, amount: number) => css(shine.tone(rgb(hex), amount))
  const plane = frontPlane(stage.view, at.z)
  const turn = at.x > 0 ? -1 : 1
  const isLit = turn * stage.sun.side > 0
  const roof = greensOf(stage).snow > 0.6 ? '#eef3fb' : '#6b5f5c'
  const spot = (flip: number): Spot => ({ u: at.x, v: 0, width: at.size * flip, height: at.size })
  const shape = (corners: readonly Corner[], flip: number, style: string) => fillPolygon(context, plane, placed(corners, spot(flip)), style)
  const rects = (list: readonly Cell[], style: string) => fillRects(context, plane, placedCells(list, spot(1)), style)
  silo(context, stage, { x: at.x - turn * at.size * 0.72, z: at.z, size: at.size })
  shape(parts.side, turn, tone('#9e3328', isLit ? 0.85 : 0.25))
  shape(parts.roof, turn, tone(roof, isLit ? 0.95 : 0.4))
  shape(parts.front, 1, tone('#b23a2c', 0.62))
  rects(parts.boards, tone('#8c2a20', 0.5))
  rects(parts.gate, tone('#7e261d', 0.45))
  const white = tone('#f4eee2', 0.8)
  rects(parts.trim, white)
  rects(parts.loft, tone('#33231f', 0.4))
  for (const flip of [-1, 1]) shape(parts.edge, flip, roof === '#eef3fb' ? tone(roof, 0.9) : white)
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
