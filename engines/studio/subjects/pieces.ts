import { type Canvas, createCanvas, Path2D, type SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../pairs.ts'

/** The way in which a thing is divided. `halved`: two halves that show the inside; `sliced`: slices
 *  side by side; `broken`: shards along jagged cracks; `bitten`: a bite is missing; `slice
 *  missing`: a round thing without one wedge. */
export type Cut = 'halved' | 'sliced' | 'broken' | 'bitten' | 'slice missing'

/** Returns a picture of the same size in which the thing is divided. Set `isOpen` for a drawing
 *  that already shows the inside; then no cut surface is added. */
export function takeApart(sprite: Canvas, cut: Cut, isOpen = false): Canvas {
  const canvas = createCanvas(sprite.width, sprite.height)
  const context = canvas.getContext('2d')
  if (cut === 'broken') shatter(context, sprite)
  else if (cut === 'bitten') bite(context, sprite)
  else if (cut === 'slice missing') openWedge(context, sprite)
  else slice(context, sprite, { count: cut === 'halved' ? 2 : 4, isOpen })
  return canvas
}

/** Draws `count` vertical slices from left to right; two halves are rotated slightly. All slices
 *  except the first show a cut surface, unless the drawing is open already. */
function slice(context: SKRSContext2D, sprite: Canvas, { count, isOpen }: { count: number; isOpen: boolean }): void {
  const { width, height } = sprite
  const gap = width * (count === 2 ? 0.1 : 0.05)
  const scale = 1 / (1 + (gap * (count - 1)) / width + 0.04)
  const part = width / count
  const flesh = count === 2 ? 0.3 : 0.34
  for (let index = 0; index < count; index++) {
    const [left, right] = [index * part, (index + 1) * part]
    context.save()
    context.translate(width * 0.02 + index * gap * scale, height * (1 - scale))
    context.scale(scale, scale)
    const turn = count === 2 ? (index === 0 ? -0.07 : 0.07) : 0
    context.translate((left + right) / 2, height)
    context.rotate(turn)
    context.translate(-(left + right) / 2, -height)
    context.save()
    context.beginPath()
    context.rect(left, 0, part, height)
    context.clip()
    context.drawImage(sprite, 0, 0)
    context.restore()
    if (index > 0 && !isOpen) cutFace(context, sprite, { x: left, width: part * flesh })
    context.restore()
  }
}

/** Draws the pale cut surface along a vertical cut at `x`. The cut surface is as high as the
 *  painted column of the drawing at this place. */
function cutFace(context: SKRSContext2D, sprite: Canvas, { x, width }: { x: number; width: number }): void {
  const column = sprite.getContext('2d').getImageData(Math.min(sprite.width - 1, Math.round(x) + 1), 0, 1, sprite.height).data
  let top = -1
  let bottom = -1
  const tone = [0, 0, 0]
  let count = 0
  for (let y = 0; y < sprite.height; y++) {
    if ((column[y * 4 + 3] ?? 0) < 128) continue
    if (top < 0) top = y
    bottom = y
    for (const at of [0, 1, 2]) tone[at] = (tone[at] ?? 0) + (column[y * 4 + at] ?? 0)
    count++
  }
  if (count < 4) return
  const [red = 0, green = 0, blue = 0] = tone.map(sum => sum / count)
  const pale = (share: number) =>
    `rgb(${[red, green, blue].map((value, at) => Math.round(value + ((inside[at] ?? 255) - value) * share)).join()})`
  const middle = (top + bottom) / 2
  const half = (bottom - top) / 2
  for (const [inset, share] of pairs([1, 0.35, 0.84, 0.8])) {
    context.fillStyle = pale(share)
    context.beginPath()
    context.ellipse(x, middle, width * inset, half * inset, 0, 0, Math.PI * 2)
    context.fill()
  }
}

/** Colour of the pale inside of fruit and bread, as red, green and blue. */
const inside = [255, 248, 222]

/** Draws a bite mark of three teeth at the upper right, with the pale inside along it. */
function bite(context: SKRSContext2D, sprite: Canvas): void {
  const { width, height } = sprite
  const size = Math.min(width, height)
  const teeth = [
    [0.98, 0.24],
    [0.86, 0.4],
    [0.95, 0.58],
  ] as const
  const mark = (radius: number) => {
    const path = new Path2D()
    for (const [x, y] of teeth) {
      path.moveTo(x * width + radius, y * height)
      path.arc(x * width, y * height, radius, 0, Math.PI * 2)
    }
    return path
  }
  context.drawImage(sprite, 0, 0)
  context.globalCompositeOperation = 'source-atop'
  context.fillStyle = 'rgb(252, 240, 206)'
  context.fill(mark(size * 0.19))
  context.globalCompositeOperation = 'destination-out'
  context.fill(mark(size * 0.145))
  context.globalCompositeOperation = 'source-over'
}

/** Cuts a wedge, from the middle towards the viewer, out of a thing that lies flat and is seen at
 *  an angle. */
function openWedge(context: SKRSContext2D, sprite: Canvas): void {
  const { width, height } = sprite
  const path = new Path2D()
  path.moveTo(width * 0.5, height * 0.46)
  path.lineTo(width * 0.56, height * 1.1)
  path.lineTo(width * 1.02, height * 1.1)
  path.lineTo(width * 1.02, height * 0.72)
  path.closePath()
  context.drawImage(sprite, 0, 0)
  context.globalCompositeOperation = 'destination-out'
  context.fill(path)
  context.globalCompositeOperation = 'source-over'
}

/** Draws the thing with cracks from one point to the edge; the shards between the cracks are moved
 *  apart. */
function shatter(context: SKRSContext2D, sprite: Canvas): void {
  const { width, height } = sprite
  const center = { x: width * 0.54, y: height * 0.42 }
  const scale = 0.9
  const ends = [-2.2, -0.35, 1.05, 2.5]
  ends.forEach((angle, index) => {
    const next = (ends[index + 1] ?? (ends[0] ?? 0) + Math.PI * 2) as number
    const path = new Path2D()
    const reach = Math.hypot(width, height)
    path.moveTo(center.x, center.y)
    for (const [x, y] of crack(center, angle, reach)) path.lineTo(x, y)
    for (let turn = angle; turn < next; turn += 0.3) path.lineTo(center.x + Math.cos(turn) * reach, center.y + Math.sin(turn) * reach)
    for (const [x, y] of crack(center, next, reach).reverse()) path.lineTo(x, y)
    path.closePath()
    const middle = (angle + next) / 2
    context.save()
    context.translate(
      width * (1 - scale) * 0.5 + Math.cos(middle) * width * 0.045,
      height * (1 - scale) * 0.6 + Math.sin(middle) * height * 0.035,
    )
    context.scale(scale, scale)
    context.clip(path)
    context.drawImage(sprite, 0, 0)
    context.restore()
  })
}

/** Returns the points of a jagged crack from the point outwards. The same angle always gives the
 *  same line, so that the two shards along it fit together. */
function crack({ x, y }: { x: number; y: number }, angle: number, reach: number): [number, number][] {
  const key = Math.round(((angle % (Math.PI * 2)) + Math.PI * 2) * 100) % 628
  return Array.from({ length: 9 }, (_, step) => {
    const far = (reach * (step + 1)) / 9
    const side = Math.sin(key * 3.7 + step * 2.6) * reach * 0.035
    return [x + Math.cos(angle) * far - Math.sin(angle) * side, y + Math.sin(angle) * far + Math.cos(angle) * side]
  })
}
