import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { mix } from '../colour.ts'
import type { Light, Rgb } from '../drawing.ts'
import { css, luma } from './colour.ts'

interface Relight {
  light: Light
  /** Colour of the haze, and its strength (0 to 1). */
  haze: { colour: Rgb; amount: number }
  /** True for a thing that stands on the ground; its feet become darker. */
  isGrounded: boolean
  isLuminous: boolean
  /** Colour of the light that the ground reflects. */
  bounce?: Rgb
  /** Width of the bright outline in pixels. */
  rimWidth: number
}

/** Returns a drawing lit by the light of the scene: its colours are multiplied by the ambient
 *  light; the side towards the main light is brighter and has a bright outline; the feet are
 *  darker; distance fades it to the colour of the haze. A luminous drawing gets only the haze,
 *  and less of it. */
export function relight(sprite: Canvas, options: Relight): Canvas {
  const { width, height } = sprite
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.drawImage(sprite, 0, 0)
  if (!options.isLuminous) {
    multiplyAmbient(context, width, height, readable(options.light.ambient))
    keyGradient(context, width, height, options.light)
    if (options.bounce) bounceLight(context, width, height, options.bounce)
    if (options.isGrounded) footGradient(context, width, height)
    if (options.light.rim > 0.02 && Math.min(width, height) > 12) rim(context, sprite, options)
  }
  if (options.haze.amount > 0.01) {
    context.globalCompositeOperation = 'source-over'
    context.fillStyle = css(options.haze.colour, options.isLuminous ? options.haze.amount * 0.4 : options.haze.amount)
    context.fillRect(0, 0, width, height)
  }
  context.globalCompositeOperation = 'destination-in'
  context.drawImage(sprite, 0, 0)
  context.globalCompositeOperation = 'source-over'
  return canvas
}

function multiplyAmbient(context: SKRSContext2D, width: number, height: number, ambient: Rgb): void {
  if (luma(ambient) > 0.985) return
  context.globalCompositeOperation = 'multiply'
  context.fillStyle = css(ambient)
  context.fillRect(0, 0, width, height)
}

/** Returns the ambient light with which subjects are lit. In the dark it is brighter than the light
 *  of the ground, so that faces stay recognisable, as in picture books. */
function readable(ambient: Rgb): Rgb {
  const dark = Math.max(0, 0.62 - luma(ambient))
  return mix(ambient, { r: 255, g: 255, b: 255 }, Math.min(0.3, dark * 1.1))
}

/** Draws the main light over the drawing: brightest at the top on the side of the light, with a
 *  cool shadow on the other side. */
function keyGradient(context: SKRSContext2D, width: number, height: number, light: Light): void {
  const side = Math.max(-1, Math.min(1, light.side))
  const x = (1 - side) / 2
  const gradient = context.createLinearGradient(
    width * (1 - x),
    height * 0.08 * (1 - light.height),
    width * x,
    height * (0.55 + 0.4 * light.height),
  )
  const strength = 0.1 + 0.2 * Math.max(light.shadow, light.rim)
  gradient.addColorStop(0, css(light.key, strength * 1.1))
  gradient.addColorStop(0.5, css(light.key, 0))
  context.globalCompositeOperation = 'soft-light'
  context.fillStyle = gradient
  context.fillRect(0, 0, width, height)
  context.globalCompositeOperation = 'screen'
  gradient.addColorStop(0.45, css(light.key, 0))
  const glow = context.createLinearGradient(width * (1 - x), 0, width * x, height * 0.4)
  glow.addColorStop(0, css(light.key, strength * 0.3))
  glow.addColorStop(0.55, css(light.key, 0))
  context.fillStyle = glow
  context.fillRect(0, 0, width, height)
  const shadow = context.createLinearGradient(width * x, height * 0.75, width * (1 - x), height * 0.2)
  const cool = mix(light.ambient, { r: 40, g: 34, b: 84 }, 0.7)
  shadow.addColorStop(0, css(cool, 0.1 + 0.26 * Math.max(light.shadow, light.rim * 0.8)))
  shadow.addColorStop(0.6, css(cool, 0))
  context.globalCompositeOperation = 'multiply'
  context.fillStyle = shadow
  context.fillRect(0, 0, width, height)
}

function bounceLight(context: SKRSContext2D, width: number, height: number, bounce: Rgb): void {
  const gradient = context.createLinearGradient(0, height, 0, height * 0.55)
  gradient.addColorStop(0, css(bounce, 0.2))
  gradient.addColorStop(1, css(bounce, 0))
  context.globalCompositeOperation = 'overlay'
  context.fillStyle = gradient
  context.fillRect(0, 0, width, height)
}

function footGradient(context: SKRSContext2D, width: number, height: number): void {
  const gradient = context.createLinearGradient(0, height, 0, height * 0.8)
  gradient.addColorStop(0, 'rgba(24,20,44,0.42)')
  gradient.addColorStop(0.4, 'rgba(24,20,44,0.14)')
  gradient.addColorStop(1, 'rgba(24,20,44,0)')
  context.globalCompositeOperation = 'multiply'
  context.fillStyle = gradient
  context.fillRect(0, 0, width, height)
}

/** Draws a bright outline on the lit side. The outline is the silhouette of the drawing, from which
 *  a second silhouette, shifted away from the light, has been cut out. */
function rim(context: SKRSContext2D, sprite: Canvas, { light, rimWidth }: Relight): void {
  const { width, height } = sprite
  const edge = createCanvas(width, height)
  const pen = edge.getContext('2d')
  pen.drawImage(sprite, 0, 0)
  pen.globalCompositeOperation = 'destination-out'
  const side = Math.abs(light.side) < 0.15 ? 0.15 * (Math.sign(light.side) || 1) : light.side
  pen.filter = `blur(${(rimWidth * 0.5).toFixed(2)}px)`
  pen.drawImage(sprite, -side * rimWidth * 1.5, rimWidth * (0.5 + light.height * 0.7))
  pen.filter = 'none'
  pen.globalCompositeOperation = 'source-in'
  pen.fillStyle = css(mix(light.key, { r: 255, g: 250, b: 240 }, 0.3))
  pen.fillRect(0, 0, width, height)
  context.globalCompositeOperation = 'screen'
  context.globalAlpha = Math.min(0.95, light.rim)
  context.drawImage(edge, 0, 0)
  context.globalAlpha = 1
}
