import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { luma, shade } from './colour.ts'
import type { Material } from './materials.ts'
import { dominantMask } from './recolour.ts'

interface Cover {
  material: Material
  /** The base colour `#rrggbb`. */
  hex: string
  /** True when only the main colour of the drawing changes: the walls of a house, but not its
   *  windows. */
  isPartial: boolean
}

/** Returns the drawing as if the thing consisted of a material. The outline is kept; the light and
 *  shade of the drawing become bumps and hollows of the material. */
export function cover(sprite: Canvas, { material, hex, isPartial }: Cover): Canvas {
  const { width, height } = sprite
  const surface = createCanvas(width, height)
  const context = surface.getContext('2d')
  context.fillStyle = hex
  context.fillRect(0, 0, width, height)
  material.paint?.(context, Math.max(2, Math.min(Math.max(width, height), Math.min(width, height) * 2.4) / 22), hex)
  return shaped(sprite, surface, { ...material, isPartial })
}

/** Returns the drawing filled with many copies of another drawing, as in "a tuba made of petals";
 *  the outline and the shading are kept. */
export function coverWith(sprite: Canvas, tile: Canvas): Canvas {
  const { width, height } = sprite
  const surface = createCanvas(width, height)
  const context = surface.getContext('2d')
  const size = Math.max(6, Math.max(width, height) / 6)
  const scale = size / Math.max(tile.width, tile.height)
  context.fillStyle = meanColour(tile)
  context.fillRect(0, 0, width, height)
  for (let y = 0, row = 0; y < height + size; y += size * 0.52, row++)
    for (let x = -size; x < width + size; x += size * 0.78) {
      context.save()
      context.translate(x + (row % 2) * size * 0.4, y)
      context.rotate(((row * 7 + Math.round(x / size) * 5) % 9) * 0.14 - 0.56)
      context.drawImage(tile, (-tile.width * scale) / 2, (-tile.height * scale) / 2, tile.width * scale, tile.height * scale)
      context.restore()
    }
  return shaped(sprite, surface, { relief: 0.55, isPartial: false })
}

function meanColour(tile: Canvas): string {
  const { data } = tile.getContext('2d').getImageData(0, 0, tile.width, tile.height)
  const sum = [0, 0, 0]
  let count = 0
  for (let i = 0; i < data.length; i += 4) {
    if ((data[i + 3] ?? 0) < 200) continue
    for (const c of [0, 1, 2]) sum[c] = (sum[c] ?? 0) + (data[i + c] ?? 0)
    count++
  }
  const hex = sum
    .map(value =>
      Math.round(value / Math.max(1, count))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')
  return shade(`#${hex}`, -0.18)
}

type SurfaceShape = Pick<Material, 'relief' | 'alpha' | 'isPolished'> & { isPartial: boolean }

function shaped(sprite: Canvas, surface: Canvas, { relief = 1, alpha = 1, isPolished = false, isPartial }: SurfaceShape): Canvas {
  const { width, height } = sprite
  const out = createCanvas(width, height)
  const context = out.getContext('2d')
  const own = sprite.getContext('2d').getImageData(0, 0, width, height)
  const skin = surface.getContext('2d').getImageData(0, 0, width, height).data
  const rim = alpha < 1 ? rimOf(sprite) : undefined
  const mask = isPartial ? dominantMask(own.data) : undefined
  const mean = meanLuma(own.data)
  for (let i = 0; i < own.data.length; i += 4) {
    const opacity = own.data[i + 3] ?? 0
    if (opacity === 0) continue
    const share = mask ? mask({ r: own.data[i] ?? 0, g: own.data[i + 1] ?? 0, b: own.data[i + 2] ?? 0 }) : 1
    const lit = (luma({ r: own.data[i] ?? 0, g: own.data[i + 1] ?? 0, b: own.data[i + 2] ?? 0 }) - mean) * 0.85 * relief
    for (const c of [0, 1, 2]) {
      const base = skin[i + c] ?? 0
      const made = lit < 0 ? base * Math.max(0.4, 1 + lit) : base + (255 - base) * Math.min(0.6, lit * 0.9)
      own.data[i + c] = (own.data[i + c] ?? 0) * (1 - share) + made * share
    }
    if (rim) own.data[i + 3] = opacity * (alpha + (1 - alpha) * Math.min(1, ((rim[i + 3] ?? 0) * 2) / 255))
  }
  context.putImageData(own, 0, 0)
  if (!isPartial) model(context, isPolished)
  return out
}

function meanLuma(data: Uint8ClampedArray): number {
  let sum = 0
  let count = 0
  for (let i = 0; i < data.length; i += 16) {
    if ((data[i + 3] ?? 0) < 128) continue
    sum += luma({ r: data[i] ?? 0, g: data[i + 1] ?? 0, b: data[i + 2] ?? 0 })
    count++
  }
  return count === 0 ? 0.5 : sum / count
}

/** Returns an opacity that is high along the outline and decreases to zero inside. */
function rimOf(sprite: Canvas): Uint8ClampedArray {
  const { width, height } = sprite
  const soft = createCanvas(width, height)
  const context = soft.getContext('2d')
  context.drawImage(sprite, 0, 0)
  context.globalCompositeOperation = 'destination-out'
  context.filter = `blur(${Math.max(1, Math.min(width, height) * 0.03).toFixed(1)}px)`
  context.drawImage(sprite, 0, 0)
  context.filter = 'none'
  return context.getImageData(0, 0, width, height).data
}

/** Draws light from the upper left over the whole drawing, so that a flat material looks
 *  rounded. */
function model(context: SKRSContext2D, isPolished: boolean): void {
  const { width, height } = context.canvas
  context.save()
  context.globalCompositeOperation = 'source-atop'
  const gradient = context.createLinearGradient(0, 0, width * 0.8, height)
  const bright = isPolished ? 0.4 : 0.16
  for (const [at, colour] of [
    [0, `rgba(255,255,255,${bright * 0.5})`],
    [0.2, `rgba(255,255,255,${bright})`],
    [isPolished ? 0.3 : 0.5, 'rgba(255,255,255,0)'],
    [0.62, 'rgba(30,16,50,0.02)'],
    [1, 'rgba(30,16,50,0.3)'],
  ] as const)
    gradient.addColorStop(at, colour)
  context.fillStyle = gradient
  context.fillRect(0, 0, width, height)
  context.restore()
}
