import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { mix } from '../colour.ts'
import type { Environment, Light, Random, Rgb } from '../drawing.ts'
import { css } from './colour.ts'

/** The box of a drawing in the picture, in pixels. */
export interface PixelBox {
  x: number
  y: number
  width: number
  height: number
}

interface ContactInput {
  box: PixelBox
  /** Pixel row of the feet. */
  baseline: number
  light: Light
  /** The short side of the picture in pixels. */
  unit: number
  /** Strength of the shadow, 0 to 1; it decreases with distance and haze. */
  strength: number
}

/** Draws a soft dark ellipse below the feet. It does not depend on the direction of the light. */
export function contactShadow(context: SKRSContext2D, { box, baseline, strength }: ContactInput): void {
  const radius = box.width * 0.5
  if (radius < 1) return
  context.save()
  context.translate(box.x + box.width / 2, baseline - box.height * 0.012)
  context.scale(1, 0.17)
  const gradient = context.createRadialGradient(0, 0, 0, 0, 0, radius * 1.08)
  gradient.addColorStop(0, `rgba(12,10,28,${(0.5 * strength).toFixed(3)})`)
  gradient.addColorStop(0.6, `rgba(12,10,28,${(0.3 * strength).toFixed(3)})`)
  gradient.addColorStop(1, 'rgba(12,10,28,0)')
  context.fillStyle = gradient
  context.globalCompositeOperation = 'multiply'
  context.beginPath()
  context.arc(0, 0, radius * 1.08, 0, Math.PI * 2)
  context.fill()
  context.restore()
}

/** Draws the shadow that the subject casts: its silhouette on the ground, on the side away from the
 *  light. A low light makes the shadow longer. */
export function castShadow(context: SKRSContext2D, sprite: Canvas, input: ContactInput): void {
  const { box, baseline, light, unit, strength } = input
  const alpha = light.shadow * strength * 0.5
  if (alpha < 0.03 || box.height < 6) return
  const scale = Math.min(1, 160 / Math.max(sprite.width, sprite.height))
  // The silhouette is blurred at a small size and then enlarged, which takes a fraction of the time
  // of blurring the enlarged one.
  const softness = Math.max(0.8, unit * 0.005) * (sprite.width / Math.max(1, box.width)) * scale
  const pad = Math.ceil(softness * 2.5)
  const small = silhouette(sprite, scale, { pad, softness })
  const stretch = Math.min(0.62, 0.16 + 0.3 * (1 - light.height))
  const lean = -light.side * Math.min(1.7, 0.3 + 1.5 * (1 - light.height)) * (1 / Math.max(0.3, stretch)) * 0.42
  context.save()
  context.globalCompositeOperation = 'multiply'
  context.globalAlpha = Math.min(0.6, alpha)
  context.imageSmoothingQuality = 'high'
  // A low light is behind the subject, so the shadow falls towards the viewer. A high light throws
  // the shadow towards the horizon.
  const direction = light.height < 0.35 ? 1 : -1
  const overhang = Math.max(0, box.y + box.height - baseline)
  context.transform(
    1,
    0,
    direction > 0 ? -lean * stretch : lean * stretch,
    direction > 0 ? -stretch : stretch,
    box.x,
    baseline - box.height * 0.015,
  )
  const ratio = box.width / (sprite.width * scale)
  context.drawImage(small, -pad * ratio, -box.height + overhang - pad * ratio, small.width * ratio, small.height * ratio)
  context.restore()
}

function silhouette(sprite: Canvas, scale: number, { pad, softness }: { pad: number; softness: number }): Canvas {
  const width = Math.max(1, Math.round(sprite.width * scale))
  const height = Math.max(1, Math.round(sprite.height * scale))
  const shape = createCanvas(width, height)
  const pen = shape.getContext('2d')
  pen.drawImage(sprite, 0, 0, width, height)
  pen.globalCompositeOperation = 'source-in'
  pen.fillStyle = '#14102c'
  pen.fillRect(0, 0, width, height)
  const canvas = createCanvas(width + pad * 2, height + pad * 2)
  const context = canvas.getContext('2d')
  context.filter = `blur(${softness.toFixed(2)}px)`
  context.drawImage(shape, pad, pad)
  return canvas
}

interface CoverInput {
  box: PixelBox
  baseline: number
  floor: Environment['floor']
  /** Colour of the ground at the subject's feet. */
  ground: Rgb
  random: Random
  unit: number
}

/** Draws things in front of the feet: blades of grass, or an edge of snow. Draws nothing on other
 *  floors, and no grass where the ground is not green. */
export function coverFeet(context: SKRSContext2D, input: CoverInput): void {
  if (input.box.width < 4) return
  if (input.floor === 'grass') {
    if (isGrassy(input.ground)) grassTufts(context, input)
  } else if (input.floor === 'snow') softLip(context, input)
}

/** True where the ground is green enough for blades of grass; false on a path through the grass. */
function isGrassy({ r, g, b }: Rgb): boolean {
  return g > b * 1.2 && g > r * 0.92
}

function grassTufts(context: SKRSContext2D, { box, baseline, ground, random, unit }: CoverInput): void {
  const blade = Math.min(unit * 0.028, Math.max(box.height * 0.075, unit * 0.006))
  const count = Math.min(70, Math.max(8, Math.round((box.width / blade) * 3.2)))
  context.save()
  context.lineCap = 'round'
  for (let i = 0; i < count; i++) {
    const along = (i + random.next()) / count
    const x = box.x + box.width * (0.04 + 0.92 * along)
    const clump = 0.45 + 0.55 * Math.abs(Math.sin(along * 9 + box.x * 0.01))
    const length = blade * random.between(0.5, 1.15) * clump
    const y = baseline + box.height * 0.012 + random.between(0, blade * 0.35)
    const tone = mix(ground, random.next() < 0.5 ? { r: 18, g: 48, b: 24 } : { r: 198, g: 214, b: 110 }, random.between(0.05, 0.34))
    context.strokeStyle = css(tone)
    context.lineWidth = Math.max(0.7, blade * 0.13)
    context.beginPath()
    context.moveTo(x, y)
    context.quadraticCurveTo(x, y - length * 0.6, x + random.between(-0.5, 0.5) * length, y - length)
    context.stroke()
  }
  context.restore()
}

function softLip(context: SKRSContext2D, { box, baseline, ground, random, unit }: CoverInput): void {
  const depth = Math.min(unit * 0.016, box.height * 0.05)
  context.save()
  const bumps = Math.max(3, Math.min(14, Math.round(box.width / (depth * 5))))
  for (let i = 0; i < bumps; i++) {
    const x = box.x + box.width * (0.08 + (0.84 * (i + random.next() * 0.7)) / bumps)
    const width = (box.width / bumps) * random.between(0.7, 1.2)
    context.fillStyle = css(mix(ground, { r: 255, g: 255, b: 255 }, random.between(0, 0.05)), 0.75)
    context.beginPath()
    context.ellipse(x, baseline + depth * 0.45, width, depth * random.between(0.45, 0.85), 0, 0, Math.PI * 2)
    context.fill()
  }
  context.restore()
}
