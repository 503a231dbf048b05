import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Environment, Random } from '../drawing.ts'
import type { PixelBox } from './ground-contact.ts'

/** Returns the rows, in pixels, between which the whole width is water. When the nearest ground is
 *  land, the shore begins at about 42 % of the way from the far end of the water to the nearest
 *  baseline; `water.bottomY` may lie beyond it. */
export function openWater({
  water,
  floor,
  ground,
}: Pick<Environment, 'water' | 'floor' | 'ground'>): { topY: number; bottomY: number } | undefined {
  if (!water || floor === 'water') return water
  return { topY: water.topY, bottomY: Math.min(water.bottomY, water.topY + (ground.nearY - water.topY) * 0.42) }
}

interface ReflectionInput {
  box: PixelBox
  baseline: number
  unit: number
  /** Strength of the reflection, 0 to 1. */
  strength: number
  /** Row at which the reflection ends (the near shore). */
  lastY?: number
  /** Strength of the sideways shift of the pixel rows, as a share of the picture's short side;
   *  the largest shift grows downwards, from about half of this to 1.5 times this. 0 for smooth
   *  floors. */
  waver: number
  random: Random
}

/** Draws a subject upside down below its baseline, fading downwards. On water, its pixel rows are
 *  shifted sideways in waves. */
export function reflection(context: SKRSContext2D, sprite: Canvas, input: ReflectionInput): void {
  const { box, baseline, unit, strength, waver, random } = input
  const reach = Math.max(1, Math.round(Math.min(box.height * 0.8, unit * 0.32, (input.lastY ?? Number.POSITIVE_INFINITY) - baseline)))
  const width = Math.max(1, Math.ceil(box.width))
  if (width < 4 || reach < 3) return
  const layer = createCanvas(width + 2 * Math.ceil(waver * unit) + 2, reach)
  const pen = layer.getContext('2d')
  const pad = Math.ceil(waver * unit) + 1
  const row = Math.max(1, Math.round(unit / 320))
  const phase = random.between(0, 6)
  const above = Math.max(1, baseline - box.y)
  for (let y = 0; y < reach; y += row) {
    const source = ((above - (y / 0.8 + row)) / box.height) * sprite.height
    if (source < 0) break
    const sway =
      waver === 0 ? 0 : Math.sin(phase + y / (unit * 0.011)) * waver * unit * (0.25 + y / reach) + random.between(-0.3, 0.3) * waver * unit
    pen.drawImage(sprite, 0, source, sprite.width, Math.max(1, (row / box.height) * sprite.height), pad + sway, y, width, row + 0.6)
  }
  pen.globalCompositeOperation = 'destination-in'
  const fade = pen.createLinearGradient(0, 0, 0, reach)
  fade.addColorStop(0, `rgba(0,0,0,${strength.toFixed(3)})`)
  fade.addColorStop(0.45, `rgba(0,0,0,${(strength * 0.5).toFixed(3)})`)
  fade.addColorStop(1, 'rgba(0,0,0,0)')
  pen.fillStyle = fade
  pen.fillRect(0, 0, layer.width, reach)
  context.drawImage(layer, box.x - pad, baseline)
}

/** Returns a copy of a floating thing without the part below the water line, cut along a wavy
 *  edge. */
export function sinkHull(sprite: Canvas, share: number, random: Random): Canvas {
  const canvas = createCanvas(sprite.width, sprite.height)
  const context = canvas.getContext('2d')
  const line = sprite.height * (1 - share)
  const swell = sprite.height * 0.008
  const phase = random.between(0, 6)
  context.beginPath()
  context.moveTo(0, 0)
  context.lineTo(sprite.width, 0)
  for (let i = 24; i >= 0; i--) context.lineTo((sprite.width * i) / 24, line + Math.sin(phase + i * 0.9) * swell)
  context.closePath()
  context.clip()
  context.drawImage(sprite, 0, 0)
  return canvas
}

/** Draws broken white strokes along the water line, and a soft dark stroke below the hull. */
export function foamLine(
  context: SKRSContext2D,
  box: PixelBox,
  baseline: number,
  style: { unit: number; brightness: number; random: Random },
): void {
  const { unit, brightness, random } = style
  const thickness = Math.max(0.8, unit * 0.0035)
  context.save()
  context.globalCompositeOperation = 'multiply'
  context.fillStyle = 'rgba(8,22,44,0.35)'
  context.beginPath()
  context.ellipse(box.x + box.width / 2, baseline + thickness, box.width * 0.46, thickness * 2.6, 0, 0, Math.PI * 2)
  context.fill()
  context.restore()
  context.save()
  context.lineCap = 'round'
  for (let i = 0; i < 16; i++) {
    const x = box.x + box.width * random.between(0.02, 0.9)
    const length = box.width * random.between(0.04, 0.13)
    const y = baseline + random.between(-0.4, 1.4) * thickness
    context.strokeStyle = `rgba(${Math.round(235 * brightness)},${Math.round(244 * brightness)},${Math.round(250 * brightness)},${random.between(0.3, 0.75).toFixed(3)})`
    context.lineWidth = thickness * random.between(0.5, 1.2)
    context.beginPath()
    context.moveTo(x, y)
    context.quadraticCurveTo(x + length / 2, y - thickness * random.between(-0.6, 1.4), x + length, y)
    context.stroke()
  }
  context.restore()
}
