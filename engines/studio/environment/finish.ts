import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { glowDisc } from './celestial.ts'
import { clamp, rgb } from './colour.ts'
import { fieldScale, paintField } from './field.ts'
import { screened } from './screened.ts'
import type { Stage } from './stage.ts'
import { bokehDiscs } from './window.ts'

/** Draws the final light over the background, in soft-light mode: brighter on the side of the sun,
 *  with warmer and cooler areas and darker corners. Outdoors, the glow of a low sun is added. */
export function paintFinish(context: SKRSContext2D, stage: Stage, indoors: boolean): void {
  const { width, height, unit, palette, sun } = stage
  const noise = stage.noise('finish')
  const side = clamp(sun.side * 1.4, -1, 1)
  const power = indoors ? 14 : 12 + 20 * palette.sharpness
  const low = palette.lightHeight < 0.2 && !indoors ? 1.5 : 1
  context.save()
  context.globalCompositeOperation = 'soft-light'
  paintField(context, { x: 0, y: 0, width, height }, fieldScale(width, height, 0.035), (x, y, out) => {
    const u = (x / width) * 2 - 1
    const v = (y / height) * 2 - 1
    const drift = noise.fbm((x / unit) * 1.3, (y / unit) * 1.5, 3) * 26
    const corner = Math.max(0, u * u * u * u * 0.55 + v * v * v * v * 0.4) * 40
    const wash = side * u * power * low - v * power * 0.4
    out[0] = 130 + drift + wash * 1.15 - corner
    out[1] = 129 + drift * 0.7 + wash * 0.8 - corner
    out[2] = 129 - drift * 0.35 - wash * 0.35 - corner * 0.85
  })
  context.restore()
  if (!indoors) paintBloom(context, stage)
}

/** Draws the glow of a low sun over sky and land; draws nothing at dusk, and when the sun is high
 *  or hidden. */
function paintBloom(context: SKRSContext2D, stage: Stage): void {
  const { palette, sun, unit } = stage
  if (palette.lightHeight > 0.2 || palette.sharpness < 0.4 || stage.scene.time === 'dusk') return
  screened(context, () => glowDisc(context, { x: sun.x, y: sun.y, radius: unit * 1.15 }, palette.glow, 0.34 * palette.sharpness))
}

/** Blurs the picture as a lens focused on the nearest ground does: the farther away, the stronger,
 *  up to the full blur from the row `view.farY` upwards. Adds discs of light that is out of
 *  focus. */
export function paintShallowFocus(context: SKRSContext2D, stage: Stage): void {
  const { width, height, unit, view } = stage
  const scale = Math.min(1, 360 / unit)
  const soft = createCanvas(Math.ceil(width * scale), Math.ceil(height * scale))
  const ink = soft.getContext('2d')
  ink.filter = `blur(${(0.016 * unit * scale).toFixed(2)}px)`
  ink.drawImage(context.canvas, 0, 0, width, height, -0.02 * soft.width, -0.02 * soft.height, soft.width * 1.04, soft.height * 1.04)
  ink.filter = 'none'
  ink.globalCompositeOperation = 'destination-in'
  const far = Math.max(0, Math.min(view.farY, view.nearY - 0.1 * unit)) * scale
  const gradient = ink.createLinearGradient(0, far, 0, view.nearY * scale)
  gradient.addColorStop(0, 'rgba(0,0,0,1)')
  gradient.addColorStop(0.7, 'rgba(0,0,0,0)')
  ink.fillStyle = gradient
  ink.fillRect(0, 0, soft.width, soft.height)
  context.drawImage(soft, 0, 0, width, height)
  const colours = stage.palette.isDim ? ['#ffcf7a', '#ff9f6a', '#8fd0ff', '#ffe8b0'] : ['#fffbe0', '#f2ffd8', '#fff1c8']
  bokehDiscs(
    context,
    stage,
    { x: 0, y: 0, width, height: Math.max(unit * 0.2, view.farY) },
    {
      colours: colours.map(rgb),
      count: Math.round((14 * width) / unit),
      radius: [0.012, 0.05],
      strength: stage.palette.isDim ? 0.4 : 0.16,
    },
  )
}
