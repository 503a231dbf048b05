import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, rgb, scale, shift } from '../colour.ts'
import { fillRects, frontPlane, levelPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import type { PlacePainter } from './place.ts'

/** Returns a painter that paints a place and, if the prompt names a pier or harbour, a wooden pier
 *  that leads into its water. */
export function withPier(paint: PlacePainter): PlacePainter {
  return stage => {
    const place = paint(stage)
    if (!stage.has('harbour', 'pier')) return place
    return {
      ...place,
      paintBack: context => {
        place.paintBack(context)
        paintPier(context, stage)
      },
    }
  }
}

function paintPier(context: SKRSContext2D, stage: Stage): void {
  const { view, palette } = stage
  const side = -Math.sign(stage.sun.side)
  // The width is a share of the picture and not a number of metres, because in views of the sea a
  // metre is only a few pixels wide.
  const half = (stage.unit * 0.15) / view.metre(view.nearY)
  const deckHeight = half * 0.5
  const board = half * 0.4
  const x = side * half * 1.7
  const near = view.depth(stage.height * 1.04)
  const far = view.depth(view.horizonY + (view.nearY - view.horizonY) * 0.2)
  const light = palette.isNight ? 0.42 : palette.isDim ? 0.72 : 0.98
  const wood = scale(rgb('#9a734c'), light)
  for (let z = far; z > near; z -= Math.max(board * 6, (far - near) / 7)) {
    const plane = frontPlane(view, z)
    for (const at of [x - half, x + half * 0.84])
      fillRects(context, plane, [[at, -half * 0.6, at + half * 0.16, deckHeight * 1.7]], css(shift(wood, -0.4)))
  }
  const deck = levelPlane(view, deckHeight)
  for (let k = 0, z = far; z > near; z -= board, k++)
    fillRects(
      context,
      deck,
      [[x - half, Math.max(near, z - board * 0.93), x + half, z]],
      css(shift(wood, [0.06, -0.04, 0.12, 0][k % 4] ?? 0)),
    )
  fillRects(context, frontPlane(view, Math.max(near, 0.3)), [[x - half, deckHeight * 0.5, x + half, deckHeight]], css(shift(wood, -0.3)))
}
