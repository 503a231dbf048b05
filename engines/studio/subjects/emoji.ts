import { loadOnce } from '@generation-gateway/kit/load-once.ts'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import sharp from 'sharp'
import type { ArtCatalogue, ArtEntry, InkBox } from '../art/entry.ts'
import type { ArtKey, Colour } from '../scene.ts'
import type { Anchors, Artwork, Bounds } from './artwork.ts'
import { rgbToHsl } from './colour.ts'
import { recolour } from './recolour.ts'

/** Rasterised emoji, kept for later pictures: the 48 most recent ones with a width of up to 1024
 *  pixels. */
const cache = new Map<string, Promise<Canvas>>()
const cacheLimit = 48
const wholeSquare = { x: 0, y: 0, width: 1, height: 1 }

/** Returns the drawing of an emoji, cropped to its painted part. Throws `RangeError` for a key that
 *  is not in the catalogue. */
export function emojiArtwork(catalogue: ArtCatalogue, key: ArtKey, colour: Colour | undefined): Artwork {
  const entry = catalogue.get(key)
  const ink = entry.ink ?? wholeSquare
  const width = (100 * ink.width) / ink.height
  // The last rendered drawing in its natural colours. `renderGlow`, which callers use right after
  // `render`, finds the windows in it.
  let latest: Canvas | undefined
  const bounds: Bounds = { left: -width / 2, right: width / 2, top: -100, bottom: 0 }
  return {
    bounds,
    anchors: emojiAnchors(entry, bounds),
    facing: entry.facing,
    isLuminous: entry.category === 'celestial' || entry.bakedScenery === 'glow' || /fire|flame|candle|lantern|star|bulb/.test(key),
    render: async pixelsPerUnit => {
      const wanted = { width: width * pixelsPerUnit, height: 100 * pixelsPerUnit }
      const side = bucket(Math.max(wanted.height / ink.height, 8))
      const size = { width: Math.max(1, Math.ceil(wanted.width)), height: Math.max(1, Math.ceil(wanted.height)) }
      const canvas = cutInk(await raster(catalogue, key, side, colour), ink, size)
      // `litWindows` recognises windows by their light blue, so a recoloured building is rendered
      // in its natural colours, too.
      if (entry.category === 'building') latest = colour ? cutInk(await raster(catalogue, key, side, undefined), ink, size) : canvas
      return canvas
    },
    ...(entry.category === 'building' ? { renderGlow: () => (latest ? litWindows(latest) : createCanvas(1, 1)) } : {}),
  }
}

/** Returns the painted part of a square raster, scaled to the given size. */
function cutInk(source: Canvas, ink: InkBox, { width, height }: { width: number; height: number }): Canvas {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  const side = source.width
  context.drawImage(source, ink.x * side, ink.y * side, ink.width * side, ink.height * side, 0, 0, width, height)
  return canvas
}

/** Returns a canvas of the same size on which only the windows of a building are painted, in the
 *  colour of warm light. Windows are its light blue areas. */
function litWindows(drawing: Canvas): Canvas {
  const { width, height } = drawing
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.drawImage(drawing, 0, 0)
  const image = context.getImageData(0, 0, width, height)
  const { data } = image
  for (let i = 0; i < data.length; i += 4) {
    const { h, s, l } = rgbToHsl({ r: data[i] ?? 0, g: data[i + 1] ?? 0, b: data[i + 2] ?? 0 })
    const isGlass = h > 178 && h < 222 && s > 0.22 && l > 0.42 && l < 0.93
    data[i] = 255
    data[i + 1] = 200 + l * 30
    data[i + 2] = 96 + l * 40
    if (!isGlass) data[i + 3] = 0
  }
  context.putImageData(image, 0, 0)
  return canvas
}

/** Returns the width in pixels at which an emoji is rasterised. Small emoji are rasterised at twice
 *  their size, because scaling the pixels down gives cleaner edges; large emoji need less or no
 *  reduction. */
function bucket(pixels: number): number {
  const oversampled = pixels < 240 ? pixels * 2 : pixels < 700 ? pixels * 1.4 : pixels
  return Math.min(4096, Math.ceil(oversampled / 64) * 64)
}

function raster(catalogue: ArtCatalogue, key: ArtKey, side: number, colour: Colour | undefined): Promise<Canvas> {
  const name = `${key} ${side} ${colour?.hex ?? ''}`
  const make = (): Promise<Canvas> => rasterise(catalogue.svg(key), side, colour)
  if (side > 1024) return make()
  const oldest = cache.keys().next().value
  if (cache.size >= cacheLimit && !cache.has(name) && oldest !== undefined) cache.delete(oldest)
  return loadOnce(cache, name, make)
}

async function rasterise(svg: string, side: number, colour: Colour | undefined): Promise<Canvas> {
  const { data, info } = await sharp(Buffer.from(svg), { density: (72 * side) / 128 })
    .resize(side, side, { fit: 'fill' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const canvas = createCanvas(info.width, info.height)
  const context = canvas.getContext('2d')
  const image = context.createImageData(info.width, info.height)
  image.data.set(data)
  if (colour) recolour(image.data, colour)
  context.putImageData(image, 0, 0)
  return canvas
}

/** Returns the points at which other things can be attached: the back of a horse, the rim of a
 *  basket, the top of a cake. The positions were measured on the emoji of each category. */
function emojiAnchors(entry: ArtEntry, bounds: Bounds): Anchors {
  const width = bounds.right - bounds.left
  const looksLeft = entry.facing === 'left' ? -1 : 1
  if (entry.key === 'noto:snowman') return { neck: { x: -width * 0.02, y: -45, width: width * 0.42 } }
  switch (entry.category) {
    case 'animal':
    case 'creature':
      return {
        seat: { x: looksLeft * width * 0.02, y: -61 },
        head: { x: looksLeft * width * 0.24, y: -96, width: width * 0.36 },
        hand: { x: looksLeft * width * 0.42, y: -40 },
      }
    case 'bird':
      return {
        head: { x: looksLeft * width * 0.3, y: -94, width: width * 0.3 },
        hand: entry.habitat === 'air' ? { x: looksLeft * width * 0.14, y: -8 } : { x: looksLeft * width * 0.48, y: -70 },
      }
    case 'vehicle':
      // The saddle of a bicycle or motorcycle is behind the middle of the drawing; the seats of
      // cars are in the middle.
      if (/bicycle|motorcycle|scooter/.test(entry.key))
        return { seat: { x: -looksLeft * width * 0.15, y: entry.key.includes('bicycle') ? -88 : -60 } }
      // A car has no seat on top, because its driver is visible through the windows.
      if (/automobile|taxi|police|pickup|truck|engine|ambulance|lorry|utility|bus|tram|train|rail|locomotive/.test(entry.key))
        return { top: { x: 0, y: -97, width: width * 0.6 }, opening: { x: 0, y: -57, width: width * 0.5, height: 32 } }
      return { seat: { x: 0, y: -62 }, top: { x: 0, y: -97, width: width * 0.6 }, opening: { x: 0, y: -60, width: width * 0.5 } }
    case 'watercraft':
      return { seat: { x: 0, y: -20 }, opening: { x: -looksLeft * width * 0.22, y: width > 120 ? -40 : -19, width: width * 0.4 } }
    case 'aircraft':
      return { seat: { x: 0, y: -40 }, opening: { x: 0, y: -34, width: width * 0.55 } }
    default:
      return {}
  }
}
