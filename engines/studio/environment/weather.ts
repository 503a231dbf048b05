import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { css, mix, rgb, smooth } from './colour.ts'
import { fieldScale, paintField } from './field.ts'
import { lit } from './palette.ts'
import { screened } from './screened.ts'
import { greensOf } from './season.ts'
import type { Stage } from './stage.ts'

/** Draws the weather between the viewer and the place: fog, rain, snow, and leaves in the wind.
 *  With the detail `magical` or `fireflies`, draws fireflies, too. */
export function paintWeatherFront(context: SKRSContext2D, stage: Stage): void {
  if (stage.weather('fog')) paintFog(context, stage)
  if (stage.weather('rain', 'storm')) paintRain(context, stage, stage.weather('storm') ? 1.4 : 1)
  if (stage.weather('snow')) paintSnow(context, stage)
  if (stage.weather('wind')) paintLeaves(context, stage)
  if (stage.has('magical', 'fireflies')) paintFireflies(context, stage)
}

/** Draws rain as slanting streaks at three distances, and small splashes on the near ground. */
function paintRain(context: SKRSContext2D, stage: Stage, force: number): void {
  const { unit, width, height } = stage
  const random = stage.random.fork('rain')
  const slant = (random.next() < 0.5 ? -1 : 1) * (stage.weather('storm', 'wind') ? 0.32 : 0.14)
  const colour = stage.palette.isDim ? rgb('#b9c6e0') : rgb('#eef3f8')
  const area = (width * height) / (unit * unit)
  context.save()
  context.lineCap = 'round'
  for (const layer of [
    { count: 420, length: 0.03, width: 0.0009, alpha: 0.28 },
    { count: 190, length: 0.06, width: 0.0015, alpha: 0.34 },
    { count: 46, length: 0.12, width: 0.0026, alpha: 0.3 },
  ]) {
    context.strokeStyle = css(colour, layer.alpha)
    context.lineWidth = Math.max(0.45, unit * layer.width)
    context.beginPath()
    const count = Math.min(9000, layer.count * area * force)
    for (let i = 0; i < count; i++) {
      const length = unit * layer.length * random.between(0.6, 1.3)
      const x = random.between(-0.1, 1.1) * width
      const y = random.between(-0.1, 1) * height
      context.moveTo(x, y)
      context.lineTo(x + slant * length, y + length)
    }
    context.stroke()
  }
  paintSplashes(context, stage, colour)
  context.restore()
}

function paintSplashes(context: SKRSContext2D, stage: Stage, colour: ReturnType<typeof rgb>): void {
  const { unit, width, height, view } = stage
  const random = stage.random.fork('splashes')
  const top = Math.max(0, view.horizonY) + unit * 0.06
  if (top >= height) return
  context.strokeStyle = css(colour, 0.4)
  context.lineWidth = Math.max(0.4, unit * 0.0012)
  context.beginPath()
  for (let i = 0; i < Math.min(2600, (150 * width * (height - top)) / (unit * unit)); i++) {
    const x = random.next() * width
    const y = top + random.next() ** 0.8 * (height - top)
    const near = (y - top) / (height - top)
    const size = unit * (0.0025 + 0.008 * near) * random.between(0.6, 1.2)
    context.moveTo(x + size, y)
    context.ellipse(x, y, size, size * 0.32, 0, 0, 7)
    if (random.next() < 0.4) {
      context.moveTo(x - size * 0.3, y - size * 0.2)
      context.lineTo(x - size * 0.6, y - size * 1.1)
      context.moveTo(x + size * 0.3, y - size * 0.2)
      context.lineTo(x + size * 0.5, y - size * 1.3)
    }
  }
  context.stroke()
}

/** Draws snowflakes, from distant specks to a few large blurred flakes near the viewer. */
function paintSnow(context: SKRSContext2D, stage: Stage): void {
  const { unit, width, height } = stage
  const random = stage.random.fork('snowfall')
  const area = (width * height) / (unit * unit)
  const white = stage.palette.isDim ? rgb('#dbe4f6') : rgb('#ffffff')
  context.save()
  for (const layer of [
    { count: 520, low: 0.0011, high: 0.0022, alpha: 0.75 },
    { count: 170, low: 0.0024, high: 0.0046, alpha: 0.85 },
  ]) {
    context.fillStyle = css(white, layer.alpha)
    context.beginPath()
    for (let i = 0; i < Math.min(9000, layer.count * area); i++) {
      const x = random.next() * width
      const y = random.next() * height
      const r = Math.max(0.4, unit * random.between(layer.low, layer.high))
      context.moveTo(x + r, y)
      context.arc(x, y, r, 0, 7)
    }
    context.fill()
  }
  const flake = softFlake(unit, white)
  for (let i = 0; i < Math.min(700, 24 * area); i++) {
    const size = unit * random.between(0.012, 0.034)
    context.globalAlpha = random.between(0.35, 0.75)
    context.drawImage(flake, random.next() * width - size / 2, random.next() * height - size / 2, size, size)
  }
  context.restore()
}

function softFlake(unit: number, colour: ReturnType<typeof rgb>): Canvas {
  const size = Math.max(4, Math.min(64, Math.ceil(unit * 0.034)))
  const canvas = createCanvas(size, size)
  const ink = canvas.getContext('2d')
  const gradient = ink.createRadialGradient(size / 2, size / 2, 0, size / 2, size / 2, size / 2)
  gradient.addColorStop(0, css(colour, 0.95))
  gradient.addColorStop(0.45, css(colour, 0.6))
  gradient.addColorStop(1, css(colour, 0))
  ink.fillStyle = gradient
  ink.fillRect(0, 0, size, size)
  return canvas
}

/** Draws patches of mist that get thicker towards the horizon. */
function paintFog(context: SKRSContext2D, stage: Stage): void {
  const { unit, width, height, palette, view } = stage
  const noise = stage.noise('fog')
  const colour = mix(palette.haze, palette.sky[3], 0.4)
  const row = Math.max(0, view.horizonY)
  paintField(context, { x: 0, y: 0, width, height }, fieldScale(width, height, 0.25), (x, y, out) => {
    const u = x / unit
    const v = y / unit
    const bank = noise.fbm(u * 1.1, v * 3.4, 4)
    const level = Math.exp(-(((y - row) / unit) ** 2) * 7)
    const low = smooth(row, height, y) * 0.25
    out[0] = colour.r
    out[1] = colour.g
    out[2] = colour.b
    out[3] = 255 * Math.min(0.82, Math.max(0, 0.16 + level * 0.34 + low + bank * (0.28 + level * 0.3)))
  })
}

function paintLeaves(context: SKRSContext2D, stage: Stage): void {
  const { unit, width, height, palette } = stage
  const random = stage.random.fork('leaves')
  const greens = greensOf(stage)
  const colours = greens.snow > 0 ? [rgb('#8a7a66')] : greens.leaves
  for (let i = 0; i < Math.min(400, 30 * ((width * height) / (unit * unit))); i++) {
    const x = random.next() * width
    const y = random.next() * height
    const size = unit * random.between(0.005, 0.017)
    context.save()
    context.translate(x, y)
    context.rotate(random.next() * 7)
    context.scale(1, random.between(0.35, 1))
    context.fillStyle = css(lit(palette, random.pick(colours), random.between(0.4, 1)), 0.92)
    context.beginPath()
    context.moveTo(-size, 0)
    context.quadraticCurveTo(0, -size * 0.8, size, 0)
    context.quadraticCurveTo(0, size * 0.8, -size, 0)
    context.fill()
    context.restore()
  }
}

function paintFireflies(context: SKRSContext2D, stage: Stage): void {
  const { unit, width, height } = stage
  const random = stage.random.fork('fireflies')
  screened(context, () => {
    for (let i = 0; i < Math.min(300, 34 * ((width * height) / (unit * unit))); i++) {
      const x = random.next() * width
      const y = height * random.between(0.3, 0.98)
      const radius = unit * random.between(0.006, 0.02)
      const gradient = context.createRadialGradient(x, y, 0, x, y, radius)
      gradient.addColorStop(0, 'rgba(255,252,210,0.95)')
      gradient.addColorStop(0.2, 'rgba(255,236,140,0.6)')
      gradient.addColorStop(1, 'rgba(255,220,90,0)')
      context.fillStyle = gradient
      context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
    }
  })
}
