import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mix, rgb, shift } from '../colour.ts'
import { type Box, drawBox, fillRects, levelPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { outdoorShine } from './outdoor-things.ts'
import type { Place, PlacePainter } from './place.ts'

/** Returns a painter that paints a place and, in front of it, a wooden deck with a railing. */
export const deckBefore =
  (behind: PlacePainter): PlacePainter =>
  (stage): Place => {
    const { view } = stage
    const near = view.depth(view.nearY)
    const edge = near * 1.75
    const place = behind(stage)
    return {
      floor: 'wood',
      edgeY: Math.round(view.row(0, edge)),
      paintBack: context => {
        place.paintBack(context)
        paintPlanks(context, stage, edge)
        paintRailing(context, stage, edge)
      },
    }
  }

function paintPlanks(context: SKRSContext2D, stage: Stage, edge: number): void {
  const { view } = stage
  const base = outdoorShine(stage).tone(rgb(stage.scene.setting.colour?.hex ?? '#a9744a'), 0.78)
  const floor = levelPlane(view, 0)
  const y = floor(0, edge).y
  const slope = context.createLinearGradient(0, y, 0, stage.height)
  slope.addColorStop(0, css(mix(base, stage.palette.haze, 0.12)))
  slope.addColorStop(1, css(shift(base, -0.12)))
  context.fillStyle = slope
  context.fillRect(0, y, stage.width, stage.height - y)
  const half = ((stage.width / 2) * edge) / view.focal + 1
  const from = Math.max(0.3, view.depth(stage.height) * 0.9)
  const random = stage.random.fork('planks')
  const tones: [(readonly [number, number, number, number])[], string][] = [
    [[], css(shift(base, 0.14), 0.5)],
    [[], css(shift(base, -0.16), 0.4)],
  ]
  const joints: (readonly [number, number, number, number])[] = []
  for (let u = -half; u < half; u += 0.16) {
    const tone = tones[random.next() < 0.5 ? 0 : 1]
    if (random.next() < 0.5) tone?.[0].push([u, from, u + 0.16, edge])
    joints.push([u, from, u + 0.014, edge])
  }
  for (const [rects, style] of tones) fillRects(context, floor, rects, style)
  fillRects(context, floor, joints, css(shift(base, -0.5), 0.7))
}

function paintRailing(context: SKRSContext2D, stage: Stage, edge: number): void {
  const { view } = stage
  const half = ((stage.width / 2) * edge) / view.focal + 1
  const wood = rgb(stage.scene.setting.colour?.hex ?? '#8f5f3a')
  const boxes: Box[] = [{ x: [-half, half], y: [0.16, 0.22], z: [edge - 0.06, edge], colour: wood }]
  for (let u = -Math.ceil(half); u < half; u += 0.22) boxes.push({ x: [u, u + 0.05], y: [0.2, 0.86], z: [edge - 0.05, edge], colour: wood })
  for (let u = -Math.ceil(half); u < half; u += 1.76) boxes.push({ x: [u, u + 0.12], y: [0, 0.98], z: [edge - 0.1, edge], colour: wood })
  boxes.push({ x: [-half, half], y: [0.86, 0.96], z: [edge - 0.12, edge + 0.02], colour: shift(wood, 0.1) })
  for (const box of boxes) drawBox(context, view, box, outdoorShine(stage))
}
