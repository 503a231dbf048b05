/** Layers of a world on a picture. They go on for ever to both sides, every second time mirrored, so that no camera sees an edge. */

import type { Piece } from '@generation-gateway/studio/layers.ts'
import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Placement, View } from './view.ts'

export interface Drift {
  /** Pixels of the layer. */
  x?: number
  y?: number
}

/** What stands at one distance. */
export function drawUpright(context: SKRSContext2D, view: View, layer: Piece & { nearness: number }, drift: Drift = {}): void {
  const placement = view.at(layer.nearness)
  const { x: driftX = 0, y: driftY = 0 } = drift
  repeated(view, placement, driftX, (offset, isMirrored) => {
    const x = isMirrored ? offset + view.world.width - layer.x - layer.width : offset + layer.x
    draw(context, layer, { placement, x, y: layer.y + driftY, isMirrored })
  })
}

export interface Flat {
  /** Moves a row, in pixels of the layer, by its row and nearness. */
  sway?: (y: number, nearness: number) => Drift
  /** Rows of the picture that move as one. */
  step?: number
}

/** What lies flat: row by row, each as near as it is low. */
export function drawFlat(context: SKRSContext2D, view: View, layer: Piece, { sway, step: rows = sway ? 2.6 : 4 }: Flat = {}): void {
  const { world, picture, pose } = view
  const isStill = pose.truck === 0 && pose.lift === 0 && pose.dolly === 0
  const rest = { ...layer, nearness: 0 }
  if (isStill && !sway) {
    drawUpright(context, view, rest)
    return
  }
  const span = Math.max(1, world.height - world.horizonY)
  const nearnessOf = (y: number) => Math.max(0, (y - world.horizonY) / span)
  const rowOf = (y: number) => {
    const { scale, y: shift } = view.at(nearnessOf(y))
    return y * scale + shift
  }
  // Above the horizon all rows are equally far.
  const flatTop = Math.max(layer.y, Math.min(layer.y + layer.height, Math.floor(world.horizonY)))
  if (flatTop > layer.y)
    strip(context, view, layer, { from: layer.y, to: flatTop, top: rowOf(layer.y), bottom: rowOf(flatTop), nearness: 0, drift: {} })
  const step = Math.max(2, Math.round(rows * world.density))
  for (let y = flatTop; y < layer.y + layer.height; y += step) {
    const to = Math.min(layer.y + layer.height, y + step)
    const [top, bottom] = [rowOf(y), rowOf(to)]
    if (bottom < -80 || top > picture.height + 80) continue
    const nearness = nearnessOf((y + to) / 2)
    strip(context, view, layer, { from: y, to, top, bottom, nearness, drift: sway?.(y, nearness) ?? {} })
  }
}

interface Strip {
  /** Rows of the world. */
  from: number
  to: number
  /** Rows of the picture. */
  top: number
  bottom: number
  nearness: number
  drift: Drift
}

function strip(context: SKRSContext2D, view: View, layer: Piece, { from, to, top, bottom, nearness, drift }: Strip): void {
  const placement = view.at(nearness)
  const source = Math.max(0, Math.min(layer.height - (to - from), from - layer.y + (drift.y ?? 0)))
  // A little more than its share, so that no seam shows; the next strip covers it.
  const height = bottom - top + 0.9
  repeated(view, placement, drift.x ?? 0, (offset, isMirrored) => {
    const x = isMirrored ? offset + view.world.width - layer.x - layer.width : offset + layer.x
    const left = x * placement.scale + placement.x - 0.5
    const width = layer.width * placement.scale + 1
    if (left > view.picture.width + 200 || left + width < -200) return
    const rows = Math.min(to - from + 0.9 / placement.scale, layer.height - source)
    if (!isMirrored) {
      context.drawImage(layer.canvas, 0, source, layer.width, rows, left, top, width, height)
      return
    }
    context.save()
    context.translate(left + width, 0)
    context.scale(-1, 1)
    context.drawImage(layer.canvas, 0, source, layer.width, rows, 0, top, width, height)
    context.restore()
  })
}

interface Place {
  placement: Placement
  /** Of the world. */
  x: number
  y: number
  isMirrored: boolean
}

function draw(context: SKRSContext2D, layer: Piece, { placement, x, y, isMirrored }: Place): void {
  context.save()
  context.translate(x * placement.scale + placement.x, y * placement.scale + placement.y)
  context.scale(placement.scale, placement.scale)
  if (isMirrored) {
    context.translate(layer.width, 0)
    context.scale(-1, 1)
  }
  // A little wider, so that the background does not shine through where two repetitions meet.
  const more = 0.5 / placement.scale
  context.drawImage(layer.canvas, -more, 0, layer.width + more * 2, layer.height)
  context.restore()
}

/** Every repetition of the world that the picture sees at a placement, by where it begins. */
function repeated(
  { world, picture }: View,
  { scale, x }: Placement,
  drift: number,
  draw: (offset: number, isMirrored: boolean) => void,
): void {
  // A rolled picture sees a little more to its sides.
  const reach = picture.height * 0.2
  const from = Math.floor(((-reach - x) / scale - drift) / world.width)
  const to = Math.floor(((picture.width + reach - x) / scale - drift) / world.width)
  for (let index = from; index <= Math.min(to, from + 12); index++) draw(index * world.width + drift, index % 2 !== 0)
}
