/** Applies brush masks to a first picture: masks for parts that move along a path, and one for a
 *  part that stays still. */
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import type { CameraPose } from '../camera/path.ts'
import type { Pen } from '../raster/pen.ts'
import type { Plate } from './plate.ts'

export interface Brush {
  /** The picture without the moving parts. */
  background: Canvas
  /** Draws the masked parts over the picture. `share` is the share of the clip that has passed, 0
   *  to 1. */
  draw(pen: Pen, plate: Plate, pose: CameraPose, share: number): void
}

type Path = NonNullable<VideoGenerateRequest['paths']>[number]

interface Brushes {
  picture: Canvas
  /** The moving parts. Each has a mask, which is white where the part is, and a path. */
  motion: readonly { mask: Canvas; path: Path }[]
  /** Mask of the part that stays still, white where it is. */
  still?: Canvas
  /** Size in pixels of the picture to which the paths refer. */
  pathSize: { width: number; height: number }
}

/** Returns the parts under the masks, cut out of the picture, and the picture with the holes of
 *  the moving parts filled from their surroundings. Undefined when there is no mask. */
export function brushOf({ picture, motion, still, pathSize }: Brushes): Brush | undefined {
  if (motion.length === 0 && !still) return undefined
  const stays = still && alphaOf(still)
  const parts = motion.map(({ mask, path }) => {
    const alpha = alphaOf(mask)
    return { piece: cutOut(picture, alpha), way: wayOf(path, picture, pathSize), alpha }
  })
  let background = picture
  for (const { alpha } of parts) background = filled(background, alpha)
  const fixed = stays && cutOut(picture, stays)
  return {
    background,
    draw: (pen, plate, pose, share) => {
      const view = plate.view(pose)
      for (const { piece, way } of parts) {
        const { scale, x, y } = view.at(0.5)
        const moved = way(share)
        pen.image(piece, {
          x: x + (plate.offset.x + moved.x) * scale,
          y: y + (plate.offset.y + moved.y) * scale,
          width: piece.width * scale,
          height: piece.height * scale,
        })
      }
      // The still part stays at its place in the frame, while the camera moves over the rest of the
      // picture.
      if (fixed) pen.image(fixed, { x: 0, y: 0, width: fixed.width, height: fixed.height })
    },
  }
}

/** Returns a mask that is opaque where `mask` is light. Its edge is soft. */
function alphaOf(mask: Canvas): Canvas {
  const { width, height } = mask
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const source = mask.getContext('2d').getImageData(0, 0, width, height)
  for (let i = 0; i < source.data.length; i += 4) {
    const light =
      ((source.data[i] ?? 0) * 0.3 + (source.data[i + 1] ?? 0) * 0.59 + (source.data[i + 2] ?? 0) * 0.11) *
      ((source.data[i + 3] ?? 0) / 255)
    source.data[i + 3] = light > 127 ? 255 : 0
  }
  const hard = createCanvas(width, height)
  hard.getContext('2d').putImageData(source, 0, 0)
  context.filter = `blur(${Math.max(1, Math.round(Math.min(width, height) * 0.003))}px)`
  context.drawImage(hard, 0, 0)
  return canvas
}

function cutOut(picture: Canvas, alpha: Canvas): Canvas {
  const canvas = createCanvas(picture.width, picture.height)
  const context = canvas.getContext('2d')
  context.drawImage(picture, 0, 0)
  context.globalCompositeOperation = 'destination-in'
  context.drawImage(alpha, 0, 0, picture.width, picture.height)
  return canvas
}

/** Returns the picture with the area of the mask, slightly widened, filled with averages of the
 *  colours around it. */
function filled(picture: Canvas, alpha: Canvas): Canvas {
  const { width, height } = picture
  const rest = createCanvas(width, height)
  const pen = rest.getContext('2d')
  pen.drawImage(picture, 0, 0)
  pen.globalCompositeOperation = 'destination-out'
  pen.filter = `blur(${Math.max(2, Math.round(Math.min(width, height) * 0.012))}px)`
  for (let i = 0; i < 3; i++) pen.drawImage(alpha, 0, 0, width, height)
  const result = createCanvas(width, height)
  const context = result.getContext('2d')
  // Copies of the picture at smaller and smaller scales are enlarged and drawn on top of one
  // another, so the colours at the rim spread into the hole. The hole adds no colour of its own,
  // because its pixels are transparent and the pixels are premultiplied.
  for (let size = 256; size >= 2; size /= 2) {
    const small = createCanvas(Math.max(1, Math.round(width / size)), Math.max(1, Math.round(height / size)))
    const brush = small.getContext('2d')
    brush.imageSmoothingQuality = 'high'
    brush.drawImage(rest, 0, 0, small.width, small.height)
    context.imageSmoothingQuality = 'high'
    context.drawImage(opaque(small), 0, 0, width, height)
  }
  context.drawImage(rest, 0, 0)
  return result
}

/** Returns a copy of the canvas with the same colours, in which every alpha above 0 is much
 *  larger. */
function opaque(canvas: Canvas): Canvas {
  const copy = createCanvas(canvas.width, canvas.height)
  const context = copy.getContext('2d')
  for (let i = 0; i < 4; i++) context.drawImage(canvas, 0, 0)
  return copy
}

/** Returns a function that maps a share of the path's length (0 to 1) to the shift from the start
 *  of the path. The coordinates of the path count from the lower left corner. */
function wayOf(
  path: Path,
  { width, height }: Canvas,
  size: { width: number; height: number },
): (share: number) => { x: number; y: number } {
  const points = path.map(({ x, y }) => ({ x: (x / size.width) * width, y: height - (y / size.height) * height }))
  const lengths = [0]
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]]
    lengths.push((lengths[i - 1] ?? 0) + (a && b ? Math.hypot(b.x - a.x, b.y - a.y) : 0))
  }
  const total = lengths.at(-1) ?? 0
  const origin = points[0] ?? { x: 0, y: 0 }
  return share => {
    const wanted = share * total
    const next = Math.max(
      1,
      lengths.findIndex(length => length >= wanted),
    )
    const [a, b] = [points[next - 1], points[next]]
    if (!a || !b || total === 0) return { x: 0, y: 0 }
    const span = (lengths[next] ?? 0) - (lengths[next - 1] ?? 0)
    const t = span === 0 ? 0 : (wanted - (lengths[next - 1] ?? 0)) / span
    return { x: a.x + (b.x - a.x) * t - origin.x, y: a.y + (b.y - a.y) * t - origin.y }
  }
}
