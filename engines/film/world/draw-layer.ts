/** Draws the layers of a world on a picture. A layer repeats without end to the left and to the
 *  right, and every second copy is mirrored, so the camera never sees an edge. */

import type { Piece } from '@generation-gateway/studio/layers.ts'
import type { Pen } from '../raster/pen.ts'
import type { Sprite } from '../raster/store.ts'
import type { Placement, View, WorldSize } from './view.ts'

interface Drift {
  /** Shift in pixels of the layer. */
  x?: number
  y?: number
}

/** Draws an upright layer. All of its points have the same distance from the camera. */
export function drawUpright(pen: Pen, view: View, layer: Piece & { nearness: number }, drift: Drift = {}): void {
  const sprite = spriteOf(pen, layer, view.world)
  const { scale, x, y } = view.at(layer.nearness)
  const { x: driftX = 0, y: driftY = 0 } = drift
  const [width, height] = [layer.width * scale, layer.height * scale]
  repeated(view, { scale, x, y }, driftX, (offset, isMirrored) => {
    const left = (isMirrored ? offset + view.world.width - layer.x : offset + layer.x) * scale + x
    pen.image(sprite, { x: left, y: (layer.y + driftY) * scale + y, width: isMirrored ? -width : width, height })
  })
}

interface Flat {
  /** Returns the shift of a row, in pixels of the layer, for its `y` and its nearness. */
  sway?: (y: number, nearness: number) => Drift
}

/** Draws a layer that lies flat (ground or water) row by row. The lower a row, the nearer it is. */
export function drawFlat(pen: Pen, view: View, layer: Piece, { sway }: Flat = {}): void {
  const { world, picture, pose } = view
  if (pose.truck === 0 && pose.lift === 0 && pose.dolly === 0 && !sway) {
    drawUpright(pen, view, { ...layer, nearness: 0 })
    return
  }
  const sprite = spriteOf(pen, layer, world)
  const span = Math.max(1, world.height - world.horizonY)
  // Rows above the horizon all have nearness 0.
  const nearnessOf = (y: number) => Math.max(0, (y - world.horizonY) / span)
  const rowOf = (y: number) => {
    const { scale, y: shift } = view.at(nearnessOf(y))
    return y * scale + shift
  }
  const bottom = layer.y + layer.height
  const beyond = reachOf(view)
  const step = Math.max(2, Math.round(3 * world.density))
  let from = { row: layer.y, at: rowOf(layer.y) }
  let to = { row: layer.y + step, at: rowOf(layer.y + step) }
  const first = Math.max(-beyond, Math.ceil(from.at - 0.5))
  for (let y = first; y < picture.height + beyond; y++) {
    while (to.at < y + 0.5 && to.row < bottom + step) {
      from = to
      to = { row: to.row + step, at: rowOf(to.row + step) }
    }
    const row = from.row + ((y + 0.5 - from.at) / Math.max(1e-6, to.at - from.at)) * step
    if (row > bottom) return
    const nearness = nearnessOf(row)
    const { scale, x } = view.at(nearness)
    const drift = sway?.(row, nearness) ?? {}
    const v = Math.max(0, Math.min(layer.height - 1, row + (drift.y ?? 0) - layer.y - 0.5))
    repeated(view, { scale, x, y: 0 }, drift.x ?? 0, (offset, isMirrored) => {
      const inLayer = (0.5 - x) / scale - offset
      const u = isMirrored ? world.width - inLayer - layer.x : inLayer - layer.x
      pen.row(sprite, y, { u: u - 0.5, v, du: (isMirrored ? -1 : 1) / scale })
    })
  }
}

/** Returns the sprite of a piece. Where the piece ends at the edge of the world, its pixels
 *  continue beyond that edge. */
export function spriteOf(pen: Pen, { canvas, x, y, width, height }: Piece, world: Pick<WorldSize, 'width' | 'height'>): Sprite {
  return pen.store.sprite(canvas, { left: x <= 0, right: x + width >= world.width, top: y <= 0, bottom: y + height >= world.height })
}

/** Returns by how many pixels the camera sees beyond each side of the picture when it is rolled. */
function reachOf({ picture, pose }: View): number {
  return pose.roll === 0 ? 0 : Math.ceil(Math.max(picture.width, picture.height) * 0.5 * Math.abs(Math.sin(pose.roll))) + 4
}

/** Calls `draw` for every copy of the world that is visible at a placement. The arguments of `draw`
 *  are the left edge of the copy, and whether the copy is mirrored. */
function repeated(view: View, { scale, x }: Placement, drift: number, draw: (offset: number, isMirrored: boolean) => void): void {
  const { world, picture } = view
  const reach = reachOf(view)
  const from = Math.floor(((-reach - x) / scale - drift) / world.width)
  const to = Math.floor(((picture.width + reach - x) / scale - drift) / world.width)
  for (let index = from; index <= Math.min(to, from + 12); index++) draw(index * world.width + drift, index % 2 !== 0)
}
