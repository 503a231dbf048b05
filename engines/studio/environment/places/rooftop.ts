import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mix, rgb, shift } from '../colour.ts'
import { greensOf } from '../season.ts'
import { paintSky } from '../sky.ts'
import { type Box, drawBox, fillRects, levelPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { paintSkyline } from './skyline.ts'

/** Paints a flat roof with a low wall at its edge, and the skyline of a city behind it. */
export const rooftop: PlacePainter = stage => {
  const { view, unit } = stage
  const near = view.depth(view.nearY)
  const edge = near * 3.2
  return {
    floor: greensOf(stage).snow > 0.9 ? 'snow' : 'stone',
    edgeY: Math.round(view.row(0, edge)),
    paintBack: context => {
      paintSky(context, stage, { bottom: stage.height })
      paintSkyline(context, stage, { row: view.row(0, edge) + unit * 0.02, height: 0.4, clearness: 0.6 })
      paintDeck(context, stage, edge)
      const half = ((stage.width / 2) * edge) / view.focal + 1
      const side = -Math.sign(stage.sun.side)
      const span = (from: number, to: number, sign: number): [number, number] =>
        sign > 0 ? [near * from, near * to] : [-near * to, -near * from]
      const boxes: Box[] = [
        { x: [-half, half], y: [0, 0.75], z: [edge, edge + 0.4], colour: rgb('#b9a898') },
        { x: [-half, half], y: [0.75, 0.83], z: [edge - 0.06, edge + 0.46], colour: rgb('#d9cdbf') },
        { x: span(0.9, 1.7, side), y: [0, 2.3], z: [edge - 1.6, edge - 0.2], colour: rgb('#a4785e') },
        { x: span(0.8, 1.3, -side), y: [0, 0.9], z: [edge - 1.4, edge - 0.6], colour: rgb('#c3c8cb') },
      ]
      for (const box of boxes) drawBox(context, view, box, outdoorShine(stage))
    },
  }
}

function paintDeck(context: SKRSContext2D, stage: Stage, edge: number): void {
  const shine = outdoorShine(stage)
  const base = shine.tone(greensOf(stage).snow > 0.6 ? rgb('#eef3fb') : rgb('#a8a199'), 0.75)
  const floor = levelPlane(stage.view, 0)
  const y = floor(0, edge).y
  const gradient = context.createLinearGradient(0, y, 0, stage.height)
  gradient.addColorStop(0, css(mix(base, stage.palette.haze, 0.25)))
  gradient.addColorStop(1, css(shift(base, -0.14)))
  context.fillStyle = gradient
  context.fillRect(0, y, stage.width, stage.height - y)
  const half = ((stage.width / 2) * edge) / stage.view.focal + 2
  const from = Math.max(0.4, stage.view.depth(stage.height))
  const joints: (readonly [number, number, number, number])[] = []
  for (let u = -Math.ceil(half); u <= half; u += 1) joints.push([u, from, u + 0.02, edge])
  for (let z = Math.ceil(from); z < edge; z += 1) joints.push([-half, z, half, z + 0.03])
  fillRects(context, floor, joints, css(shift(base, -0.3), 0.5))
}
