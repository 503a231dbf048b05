/** Redraws a region of a picture by changing its pixels: fills the region to match its
 *  surroundings, and draws new subjects on top. This works for any picture, also one that the
 *  engine did not draw. */
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { drawThings } from '../compose.ts'
import type { Rgb } from '../drawing.ts'
import { backdropScene } from '../edit/backdrop.ts'
import type { Rectangle } from '../edit/geometry.ts'
import type { Painters } from '../edit/painters.ts'
import type { Scene, Setting } from '../scene.ts'
import type { Raster } from '../style/pixels.ts'
import { pinned } from '../subjects/pins.ts'
import { editInside } from './edit-inside.ts'
import { fillRegion } from './fill.ts'
import type { RedrawnScene } from './redraw-scene.ts'
import type { Region } from './region.ts'
import type { RegionRequest } from './region-request.ts'
import { aloneScene, placeThings } from './things.ts'

/** Largest share of the picture that can be filled from its surroundings. Around a larger region,
 *  too few pixels are left to copy from. */
const mostFilled = 0.8

export async function redrawForeign(
  picture: Raster,
  wish: RegionRequest,
  { region, seed, painters }: { region: Region; seed: string; painters: Painters },
): Promise<RedrawnScene> {
  const clears = wish.clears || wish.removes.length > 0
  const failed: string[] = []
  let raster = clears && region.share <= mostFilled ? (fillOf(picture, region, seed) ?? picture) : picture
  const isFilled = raster !== picture
  if (clears && !isFilled && wish.things) raster = await place(wish.things.setting, { region, seed, painters })
  else if (clears && !isFilled) {
    const share = Math.round(region.share * 100)
    failed.push(`The region covers ${share} % of the picture and leaves too little around it to fill it from.`)
  }
  const setting = wish.edits.find(edit => edit.kind === 'setting')?.setting
  if (setting) raster = await place(setting, { region, seed, painters })
  if (wish.things) {
    const canvas = canvasOf(raster)
    const light = lightAround(raster, region.box)
    // `canvas` now holds the pixels, so `raster` no longer has to. Pointing `raster` back to the
    // input picture lets the garbage collector free the edited copy before `drawOn`, whose large
    // sprites need much memory.
    raster = picture
    raster = await drawOn(canvas, wish.things, { region, seed, light })
  }
  const rest = wish.edits.filter(edit => edit.kind !== 'setting')
  const { pixels, failed: more } = await editInside(raster, rest, { region, seed, painters })
  failed.push(...more)
  const isDone = wish.things !== undefined || setting !== undefined || isFilled || more.length < rest.length
  return { pixels, failed, isUnchanged: !isDone }
}

function fillOf(picture: Raster, region: Region, seed: string): Raster | undefined {
  try {
    return fillRegion(picture, region, seed)
  } catch (error) {
    // `fillRegion` throws a RangeError when the surroundings are too small for a patch.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Draws a setting, such as a beach, as a picture as large as the edited one. */
async function place(setting: Setting, { region, seed, painters }: { region: Region; seed: string; painters: Painters }): Promise<Raster> {
  const { data, width, height } = await painters.drawScene(backdropScene(setting, seed), { width: region.width, height: region.height })
  return { data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength), width, height }
}

function canvasOf(raster: Raster): Canvas {
  const canvas = createCanvas(raster.width, raster.height)
  const context = canvas.getContext('2d')
  // Copies the picture to the canvas in strips of rows, because a second full copy of a large
  // picture would take too much memory.
  const strip = 256
  for (let y = 0; y < raster.height; y += strip) {
    const rows = Math.min(strip, raster.height - y)
    const data = context.createImageData(raster.width, rows)
    data.data.set(raster.data.subarray(y * raster.width * 4, (y + rows) * raster.width * 4))
    context.putImageData(data, 0, y)
  }
  return canvas
}

async function drawOn(
  canvas: Canvas,
  wanted: Scene,
  { region, seed, light }: { region: Region; seed: string; light: Rgb },
): Promise<Raster> {
  const empty = backdropScene({ kind: 'backdrop', words: '', details: [] }, seed)
  const { subjects, placed, letterings } = placeThings(empty, wanted, { region, seed })
  const scene = pinned({ ...aloneScene({ ...empty, subjects }), letterings }, placed, region)
  await drawThings(canvas, scene, { ambient: light })
  const { buffer, byteOffset, byteLength } = canvas.data()
  return { data: new Uint8ClampedArray(buffer, byteOffset, byteLength), width: region.width, height: region.height }
}

/** Returns the colour (0 to 255 per channel) that a new subject's colours are multiplied by. The
 *  colour is derived from the average colour of the picture around the box: darker in dark
 *  pictures, with a slight tint. */
function lightAround({ data, width, height }: Raster, box: Rectangle): Rgb {
  const sum = [0, 0, 0]
  let count = 0
  const step = Math.max(1, Math.floor(Math.max(box.width, box.height) / 60))
  const [left, top] = [Math.max(0, Math.round(box.x - box.width * 0.3)), Math.max(0, Math.round(box.y - box.height * 0.3))]
  for (let y = top; y < Math.min(height, box.y + box.height * 1.3); y += step) {
    for (let x = left; x < Math.min(width, box.x + box.width * 1.3); x += step) {
      for (let k = 0; k < 3; k++) sum[k]! += data[(y * width + x) * 4 + k]!
      count++
    }
  }
  const [r = 0, g = 0, b = 0] = sum.map(value => value / count)
  const luma = r * 0.299 + g * 0.587 + b * 0.114
  const bright = Math.min(1, 0.5 + (luma / 255) * 0.95)
  const lit = (mean: number) => Math.max(0, Math.min(255, 255 * bright * (1 + ((mean + 20) / (luma + 20) - 1) * 0.22)))
  return { r: lit(r), g: lit(g), b: lit(b) }
}
