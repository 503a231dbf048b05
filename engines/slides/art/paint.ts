/** Painting functions for the backgrounds of templates. The unit of the canvas context is the
 *  inch. */
import { randomNumbers } from '@generation-gateway/kit/random.ts'
import { type CanvasGradient, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { pageHeight, pageWidth } from '../model/page.ts'

export type Point = readonly [x: number, y: number]
type Stops = readonly (readonly [at: number, colour: string])[]

/** Returns a generator of numbers from 0 to 1, the same sequence for the same seed. */
export function randomOf(seed: number): () => number {
  return randomNumbers(seed * 2654435761 + 1013904223)
}

/** Fills the page, or an area of the given size, with one colour. */
export function flood(context: SKRSContext2D, colour: string, size = { w: pageWidth, h: pageHeight }): void {
  context.fillStyle = colour
  context.fillRect(0, 0, size.w, size.h)
}

export function linear(context: SKRSContext2D, [x0, y0]: Point, [x1, y1]: Point, stops: Stops) {
  const gradient = context.createLinearGradient(x0, y0, x1, y1)
  for (const [at, colour] of stops) gradient.addColorStop(at, colour)
  return gradient
}

export function radial(context: SKRSContext2D, [x, y]: Point, radius: number, stops: Stops) {
  const gradient = context.createRadialGradient(x, y, 0, x, y, radius)
  for (const [at, colour] of stops) gradient.addColorStop(at, colour)
  return gradient
}

/** Paints a soft light around a point. The light fades to nothing at the distance `radius`. */
export function glow(context: SKRSContext2D, [x, y]: Point, radius: number, colour: string): void {
  context.fillStyle = radial(context, [x, y], radius, [
    [0, colour],
    [0.35, fade(colour, 0.55)],
    [0.7, fade(colour, 0.16)],
    [1, fade(colour, 0)],
  ])
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
}

/** Fills the polygon with these corners: pairs of coordinates, or a flat list x, y, x, y. */
export function polygon(context: SKRSContext2D, corners: readonly Point[] | readonly number[], fill: string): void {
  const list = corners.flat()
  context.fillStyle = fill
  context.beginPath()
  for (let k = 0; k < list.length; k += 2) context.lineTo(list[k]!, list[k + 1]!)
  context.closePath()
  context.fill()
}

export function disc(context: SKRSContext2D, [x, y]: Point, radius: number, fill: string | CanvasGradient): void {
  context.fillStyle = fill
  context.beginPath()
  context.arc(x, y, radius, 0, Math.PI * 2)
  context.fill()
}

export function ring(context: SKRSContext2D, [x, y]: Point, radius: number, stroke: string, width: number): void {
  context.strokeStyle = stroke
  context.lineWidth = width
  context.beginPath()
  context.arc(x, y, radius, 0, Math.PI * 2)
  context.stroke()
}

interface Hills {
  /** Mean position of the crest line of the hills, in inches from the top. */
  y: number
  height: number
  /** Number of waves of the crest line over the width. */
  waves: number
  /** Roughness of the crest line: 0 is smooth, 1 jagged. */
  roughness: number
  seed: number
  /** Size of the painted area in inches; by default, the page. */
  size?: { w: number; h: number }
}

/** Paints hills or waves: an area with a wavy upper edge that reaches down to the lower edge. */
export function hills(
  context: SKRSContext2D,
  { y, height, waves, roughness, seed, size = { w: pageWidth, h: pageHeight } }: Hills,
  fill: string | CanvasGradient,
): void {
  const random = randomOf(seed)
  const phases = [0, 1, 2, 3, 4, 5].map(() => random() * Math.PI * 2)
  context.fillStyle = fill
  context.beginPath()
  context.moveTo(0, size.h)
  const steps = 240
  for (let k = 0; k <= steps; k++) {
    const at = (k / steps) * Math.PI * 2 * waves
    let rise = 0
    phases.forEach((phase, octave) => {
      const weight = octave === 0 ? 1 : roughness ** octave
      rise += Math.sin(at * 1.7 ** octave + phase) * weight
    })
    context.lineTo((k / steps) * size.w, y - (rise * height) / 2)
  }
  context.lineTo(size.w, size.h)
  context.closePath()
  context.fill()
}

/** Paints fine grain over everything, as on paper; `strength` 0 to 1. */
export function grain(context: SKRSContext2D, strength: number, seed: number, size = { w: pageWidth, h: pageHeight }): void {
  const random = randomOf(seed)
  const edge = 256
  const tile = createCanvas(edge, edge)
  const own = tile.getContext('2d')
  const data = own.createImageData(edge, edge)
  for (let k = 0; k < data.data.length; k += 4) {
    const shade = random() < 0.5 ? 0 : 255
    data.data[k] = data.data[k + 1] = data.data[k + 2] = shade
    data.data[k + 3] = random() * strength * 255
  }
  own.putImageData(data, 0, 0)
  const inches = 1.8
  for (let y = 0; y < size.h; y += inches) for (let x = 0; x < size.w; x += inches) context.drawImage(tile, x, y, inches, inches)
}

/** Paints a grid of horizontal and vertical lines, one every `step` inches. */
export function grid(context: SKRSContext2D, step: number, colour: string, width: number, size = { w: pageWidth, h: pageHeight }): void {
  context.strokeStyle = colour
  context.lineWidth = width
  context.beginPath()
  for (let x = step; x < size.w; x += step) {
    context.moveTo(x, 0)
    context.lineTo(x, size.h)
  }
  for (let y = step; y < size.h; y += step) {
    context.moveTo(0, y)
    context.lineTo(size.w, y)
  }
  context.stroke()
}

/** Paints dots on a grid inside an area. */
export function dots(
  context: SKRSContext2D,
  area: { x: number; y: number; w: number; h: number },
  step: number,
  radius: number,
  colour: string,
): void {
  context.fillStyle = colour
  context.beginPath()
  for (let y = area.y; y <= area.y + area.h + 1e-6; y += step)
    for (let x = area.x; x <= area.x + area.w + 1e-6; x += step) {
      context.moveTo(x + radius, y)
      context.arc(x, y, radius, 0, Math.PI * 2)
    }
  context.fill()
}

/** Paints a ribbon of parallel curves from the left to the right edge. */
export function ribbon(
  context: SKRSContext2D,
  curve: { from: Point; bend: Point; to: Point },
  lines: { count: number; spread: Point; colour(at: number): string; width: number },
): void {
  context.lineWidth = lines.width
  for (let k = 0; k < lines.count; k++) {
    const at = k / Math.max(1, lines.count - 1)
    const [dx, dy] = [lines.spread[0] * at, lines.spread[1] * at]
    context.strokeStyle = lines.colour(at)
    context.beginPath()
    context.moveTo(curve.from[0] + dx * 0.3, curve.from[1] + dy)
    context.bezierCurveTo(
      curve.bend[0] + dx,
      curve.bend[1] - dy * 1.4,
      curve.bend[0] - dx * 0.6,
      curve.to[1] + dy * 1.8,
      curve.to[0],
      curve.to[1] - dy,
    )
    context.stroke()
  }
}

/** Returns a colour #rrggbb with an opacity (0 to 1) as rgba(). If the colour is rgba() already,
 *  its opacity is multiplied by `opacity`. */
export function fade(colour: string, opacity: number): string {
  const rgba = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(colour)
  if (rgba) return `rgba(${rgba[1]}, ${rgba[2]}, ${rgba[3]}, ${Number(rgba[4]) * opacity})`
  const [r, g, b] = channels(colour)
  return `rgba(${r}, ${g}, ${b}, ${opacity})`
}

/** Returns the mix of two colours #rrggbb; `share` 0 to 1 is the weight of the second. */
export function mix(a: string, b: string, share: number): string {
  const from = channels(a)
  const to = channels(b)
  return `#${from
    .map((value, k) =>
      Math.round(value + ((to[k] ?? 0) - value) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

export function channels(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}
