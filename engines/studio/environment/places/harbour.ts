import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, rgb, shift } from '../colour.ts'
import { drawCottage } from '../cottage.ts'
import { greensOf } from '../season.ts'
import { paintSky } from '../sky.ts'
import { drawBox, fillRects, levelPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { grassSurface } from '../surfaces.ts'
import { paintWater } from '../water.ts'
import { hazeLine, roughness, seaColours } from './coast.ts'
import { rollingTerrain } from './open-land.ts'
import { outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

export const harbour: PlacePainter = stage => {
  const { view } = stage
  const near = view.depth(view.nearY)
  const quay = near * 1.9
  const farShore = near * 24
  return {
    floor: 'stone',
    water: { topY: Math.max(0, view.row(0, farShore)), bottomY: view.row(0, quay) },
    paintBack: context => {
      paintSky(context, stage)
      const noise = stage.noise('harbour')
      const grass = grassSurface(stage, noise)
      const terrain = rollingTerrain(noise, grass, { hills: 70, ridges: 200, start: farShore })
      const place = scenery(stage, {
        floor: 'stone',
        terrain: { ...terrain, height: (x, z) => (z < farShore ? -0.5 : terrain.height(x, z) + 2) },
      })
      place.paintBack(context)
      paintWaterfront(context, stage, farShore)
      paintWater(context, stage, { top: view.row(0, farShore), bottom: stage.height, rough: roughness(stage, 0.2), ...seaColours(stage) })
      hazeLine(context, stage, view.row(0, farShore))
      paintQuay(context, stage, quay)
    },
  }
}

/** Draws a row of painted houses along the far shore. */
function paintWaterfront(context: SKRSContext2D, stage: Stage, z: number): void {
  const { view } = stage
  const random = stage.random.fork('waterfront')
  const half = ((stage.width / 2) * z) / view.focal + 6
  const walls = ['#e8c07a', '#d9785a', '#f0e4cc', '#8fb0b5', '#e3a18a', '#c9d2b0', '#d9b3a0'].map(rgb)
  const roofs = ['#a8503c', '#8a4436', '#6d5a52'].map(rgb)
  for (const row of [2, 1, 0]) {
    for (let u = -half; u < half; ) {
      const width = random.between(6, 10)
      drawCottage(
        context,
        stage,
        {
          x: u,
          z: z + row * 14,
          width,
          height: random.between(5, 11),
          base: 1 + row * 6,
          wall: random.pick(walls),
          roof: random.pick(roofs),
          snow: greensOf(stage).snow > 0.6,
        },
        random.fork(`${row} ${u}`),
      )
      u += width * random.between(0.95, 1.25)
    }
  }
}

function paintQuay(context: SKRSContext2D, stage: Stage, edge: number): void {
  const { view } = stage
  const shine = outdoorShine(stage)
  const half = ((stage.width / 2) * edge) / view.focal + 2
  const from = Math.max(0.3, view.depth(stage.height) * 0.9)
  const floor = levelPlane(view, 0)
  const stone = shine.tone(greensOf(stage).snow > 0.6 ? rgb('#e8eef6') : rgb('#b5aa9a'), 0.8)
  const gradient = context.createLinearGradient(0, floor(0, edge).y, 0, stage.height)
  gradient.addColorStop(0, css(shift(stone, 0.08)))
  gradient.addColorStop(1, css(shift(stone, -0.2)))
  fillRects(context, floor, [[-half, from, half, edge]], gradient)
  const random = stage.random.fork('stones')
  const joints: (readonly [number, number, number, number])[] = []
  let row = 0
  for (let z = from; z < edge; z += 0.7) {
    joints.push([-half, z, half, z + 0.03])
    for (let u = -half + (row % 2) * 0.6; u < half; u += random.between(1, 1.5)) joints.push([u, z, u + 0.03, Math.min(edge, z + 0.7)])
    row++
  }
  fillRects(context, floor, joints, css(shift(stone, -0.35), 0.5))
  drawBox(context, view, { x: [-half, half], y: [0, 0.14], z: [edge - 0.45, edge], colour: rgb('#cbbfae') }, shine)
  for (let u = -Math.floor(half / 3) * 3 + 1.5; u < half; u += 3)
    drawBox(context, view, { x: [u - 0.16, u + 0.16], y: [0.1, 0.62], z: [edge - 0.5, edge - 0.2], colour: rgb('#3c3f45') }, shine)
}
