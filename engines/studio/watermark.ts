/** Draws the watermark that marks a picture as generated. */
import { createCanvas } from '@napi-rs/canvas'
import { drawLayout, fitText } from './style/lettering.ts'
import { flatten, type Pixels, type Raster, shortSide } from './style/pixels.ts'

const text = 'AI generated'
/** Contrast between text and background required by WCAG 2.1, 1.4.3. */
const leastContrast = 4.5
const inks = { light: { r: 255, g: 255, b: 255 }, dark: { r: 23, g: 22, b: 26 } } as const

interface MarkBox {
  x: number
  y: number
  width: number
  height: number
}

/** Returns a copy of the picture with a small mark in the bottom right corner; the mark grows with
 *  the picture. A translucent rectangle behind the letters lightens or darkens the background just
 *  enough that the letters have a contrast of 4.5 to nearly every pixel. The input is unchanged. */
export function drawWatermark(pixels: Pixels): Raster {
  const raster = flatten(pixels)
  const { layout, box, pad } = setMark(raster)
  const { isLight, veil } = inkFor(raster, box)
  const canvas = createCanvas(box.width, box.height)
  const context = canvas.getContext('2d')
  const part = context.createImageData(box.width, box.height)
  copyPart(raster, box, (at, from, length) => part.data.set(raster.data.subarray(from, from + length), at))
  context.putImageData(part, 0, 0)
  const { r, g, b } = isLight ? inks.dark : inks.light
  context.fillStyle = `rgba(${r},${g},${b},${veil})`
  context.beginPath()
  context.roundRect(0, 0, box.width, box.height, box.height * 0.3)
  context.fill()
  const ink = isLight ? inks.light : inks.dark
  drawLayout(context, layout, { x: pad + layout.width / 2, y: box.height / 2, colour: `rgb(${ink.r},${ink.g},${ink.b})` })
  const painted = context.getImageData(0, 0, box.width, box.height).data
  copyPart(raster, box, (at, to, length) => raster.data.set(painted.subarray(at, at + length), to))
  return raster
}

/** Returns the box of the mark, in pixels, for a picture of this size. */
export function watermarkBox(size: { width: number; height: number }): MarkBox {
  return setMark(size).box
}

function setMark(size: { width: number; height: number }) {
  const unit = shortSide(size)
  const largest = Math.max(9, unit * 0.022)
  const margin = Math.round(unit * 0.016)
  const room = { width: (size.width - margin * 2) * 0.88, height: largest * 1.6 }
  const layout = fitText(text, room, { smallest: 4, largest })
  const pad = Math.round(layout.size * 0.5)
  const width = Math.min(size.width, Math.ceil(layout.width) + pad * 2)
  const height = Math.min(size.height, Math.ceil(layout.size * 1.5))
  const box = { x: Math.max(0, size.width - margin - width), y: Math.max(0, size.height - margin - height), width, height }
  return { layout, box, pad }
}

/** Returns the colour of the letters, light or dark. The colour that needs the more transparent
 *  rectangle behind the letters is chosen, because that rectangle hides less of the picture. `veil`
 *  is the rectangle's alpha. */
function inkFor(raster: Raster, box: MarkBox): { isLight: boolean; veil: number } {
  const [dark, light] = [veilFor(raster, box, false), veilFor(raster, box, true)]
  return light <= dark ? { isLight: true, veil: light } : { isLight: false, veil: dark }
}

function veilFor(raster: Raster, box: MarkBox, isLight: boolean): number {
  const ink = luminance(isLight ? inks.light : inks.dark)
  const veil = isLight ? inks.dark : inks.light
  for (let amount = 0; amount < 1; amount += 0.05) {
    let read = 0
    copyPart(raster, box, (_, from, length) => {
      for (let i = from; i < from + length; i += 4) {
        const mixed = (value: number, over: number) => value * (1 - amount) + over * amount
        const behind = luminance({
          r: mixed(raster.data[i]!, veil.r),
          g: mixed(raster.data[i + 1]!, veil.g),
          b: mixed(raster.data[i + 2]!, veil.b),
        })
        if ((Math.max(ink, behind) + 0.05) / (Math.min(ink, behind) + 0.05) >= leastContrast) read++
      }
    })
    if (read >= box.width * box.height * 0.97) return Math.round(amount * 100) / 100
  }
  return 1
}

function copyPart(raster: Raster, box: MarkBox, row: (inPart: number, inRaster: number, length: number) => void): void {
  const length = box.width * 4
  for (let y = 0; y < box.height; y++) row(y * length, ((box.y + y) * raster.width + box.x) * 4, length)
}

/** Returns the WCAG relative luminance of sRGB, 0 to 1. */
function luminance({ r, g, b }: { r: number; g: number; b: number }): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

function linear(value: number): number {
  const v = value / 255
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
}
