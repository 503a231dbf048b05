import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Facing } from '../art/entry.ts'
import type { Anchors, Artwork, Bounds, Painter } from './artwork.ts'

/** The area, in units, in which a drawing function may draw; the origin is the middle of the ground
 *  line. Everything outside is cut off. */
export const paintLimits: Bounds = { left: -240, top: -300, right: 240, bottom: 100 }
const measureScale = 0.5

interface VectorOptions {
  paint: Painter
  anchors?: Anchors
  facing?: Facing
  isLuminous?: boolean
  /** When this is set, everything below this y coordinate (in units; negative is above the ground)
   *  is removed. */
  cropBelow?: number
}

/** Returns a drawing for a function that draws in units. The bounds of the drawing are found by
 *  drawing it once at a low resolution, so that no table of sizes has to be kept up to date. Throws
 *  `RangeError` when the function draws nothing. */
export function vectorArtwork(options: VectorOptions): Artwork {
  const shift = options.cropBelow === undefined ? 0 : -options.cropBelow
  const paint: Painter = context => {
    context.translate(0, shift)
    options.paint(context)
  }
  const ink = measureInk(paint)
  // The cut edge of a cropped drawing is on the ground line, y = 0.
  const bounds = options.cropBelow === undefined ? ink : { ...ink, bottom: 0 }
  return {
    bounds,
    anchors: movedAnchors(options.anchors ?? {}, shift),
    facing: options.facing ?? 'front',
    isLuminous: options.isLuminous ?? false,
    isCropped: options.cropBelow !== undefined,
    render: async pixelsPerUnit => renderPainter(paint, bounds, pixelsPerUnit),
  }
}

/** Returns a canvas that shows the area `bounds` of what `paint` draws; its size is that of the
 *  area times `pixelsPerUnit`, rounded up. */
export function renderPainter(paint: Painter, bounds: Bounds, pixelsPerUnit: number): Canvas {
  const width = Math.max(1, Math.ceil((bounds.right - bounds.left) * pixelsPerUnit))
  const height = Math.max(1, Math.ceil((bounds.bottom - bounds.top) * pixelsPerUnit))
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  toUnits(context, bounds, pixelsPerUnit)
  paint(context)
  context.setTransform(1, 0, 0, 1, 0, 0)
  return canvas
}

/** Returns the smallest box, in units, around everything that `paint` draws within `paintLimits`.
 *  Throws `RangeError` when it draws nothing. */
function measureInk(paint: Painter): Bounds {
  const canvas = renderPainter(paint, paintLimits, measureScale)
  const { width, height } = canvas
  const data = canvas.getContext('2d').getImageData(0, 0, width, height).data
  let [minX, minY, maxX, maxY] = [width, height, -1, -1]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[(y * width + x) * 4 + 3] ?? 0) < 4) continue
      if (x < minX) minX = x
      if (x > maxX) maxX = x
      if (y < minY) minY = y
      if (y > maxY) maxY = y
    }
  }
  if (maxX < 0) throw new RangeError('the painter drew nothing')
  return {
    left: minX / measureScale + paintLimits.left,
    top: minY / measureScale + paintLimits.top,
    right: (maxX + 1) / measureScale + paintLimits.left,
    bottom: (maxY + 1) / measureScale + paintLimits.top,
  }
}

function toUnits(context: SKRSContext2D, bounds: Bounds, pixelsPerUnit: number): void {
  context.scale(pixelsPerUnit, pixelsPerUnit)
  context.translate(-bounds.left, -bounds.top)
}

/** Returns the same drawing with all lengths multiplied by `factor`: with 0.7, it is 0.7 times as
 *  high relative to other things. */
export function scaledArtwork(artwork: Artwork, factor: number): Artwork {
  const { bounds, anchors, renderGlow, paintAura } = artwork
  return {
    ...artwork,
    bounds: { left: bounds.left * factor, right: bounds.right * factor, top: bounds.top * factor, bottom: bounds.bottom * factor },
    anchors: scaledAnchors(anchors, factor),
    render: pixelsPerUnit => artwork.render(pixelsPerUnit * factor),
    ...(renderGlow ? { renderGlow: (pixelsPerUnit: number) => renderGlow(pixelsPerUnit * factor) } : {}),
    ...(paintAura
      ? {
          paintAura: (context: SKRSContext2D, isNight: boolean) => {
            context.save()
            context.scale(factor, factor)
            paintAura(context, isNight)
            context.restore()
          },
        }
      : {}),
  }
}

function movedAnchors(anchors: Anchors, dy: number): Anchors {
  if (dy === 0) return anchors
  const entries = Object.entries(anchors).map(([name, point]) => [name, { ...point, y: point.y + dy }] as const)
  return Object.fromEntries(entries)
}

/** Returns the anchors with all lengths multiplied by `factor`; the tilt of a panel stays. */
function scaledAnchors(anchors: Anchors, factor: number): Anchors {
  const scaled = (anchor: object) => Object.entries(anchor).map(([key, value]) => [key, key === 'tilt' ? value : value * factor] as const)
  const entries = Object.entries(anchors).map(([name, anchor]) => [name, Object.fromEntries(scaled(anchor))] as const)
  return Object.fromEntries(entries)
}
