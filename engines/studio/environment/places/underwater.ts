import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../../drawing.ts'
import { clamp, css, mix, rgb, scale, shift, smooth } from '../colour.ts'
import { fieldScale, paintField } from '../field.ts'
import type { Noise } from '../noise.ts'
import { screened } from '../screened.ts'
import type { Stage } from '../stage.ts'
import type { Place, PlacePainter } from './place.ts'

interface Depths {
  top: Rgb
  middle: Rgb
  deep: Rgb
  light: Rgb
}

function depthsOf(stage: Stage): Depths {
  const own = stage.scene.setting.colour
  const tint = (hex: string) => (own === undefined ? rgb(hex) : mix(rgb(hex), rgb(own.hex), 0.45))
  const dim = stage.palette.isNight ? 0.42 : stage.palette.isDim ? 0.72 : 1
  const warm = stage.scene.time === 'sunset' || stage.scene.time === 'dawn' ? rgb('#f0a878') : rgb('#ffffff')
  const c = (hex: string, share: number) => scale(mix(tint(hex), warm, warm.b < 200 ? share : 0), dim)
  return { top: c('#7fdcdc', 0.35), middle: c('#1f8fb4', 0.12), deep: c('#0b3f6e', 0.02), light: c('#e8fff4', 0.2) }
}

/** Paints sunlit water over a sandy floor with patterns of light, rocks, corals, kelp and
 *  bubbles. */
export const underwater: PlacePainter = stage => {
  const depths = depthsOf(stage)
  const place: Place = {
    floor: 'sand',
    light: {
      side: stage.sun.side * 0.4,
      height: 0.95,
      key: mix(depths.light, rgb('#ffffff'), 0.3),
      ambient: mix(depths.middle, rgb('#ffffff'), stage.palette.isNight ? 0.3 : 0.82),
      shadow: 0.12,
      rim: 0.35,
    },
    haze: { colour: mix(depths.middle, depths.deep, 0.35), strength: 0.85 },
    water: { topY: 0, bottomY: stage.height },
    paintBack: context => {
      paintWaterColumn(context, stage, depths)
      paintReef(context, stage, depths)
      paintRays(context, stage, depths)
    },
    paintFront: context => paintBubbles(context, stage, depths),
  }
  return place
}

function paintWaterColumn(context: SKRSContext2D, stage: Stage, d: Depths): void {
  const { width, height, unit, view } = stage
  const noise = stage.noise('deep')
  const horizon = Math.max(view.horizonY, -unit)
  const sand = mix(rgb('#f2e2b6'), d.top, 0.3)
  const floorShade = stage.palette.isNight ? 0.4 : 1
  paintField(context, { x: 0, y: 0, width, height }, fieldScale(width, height), (x, y, out) => {
    const t = clamp(y / Math.max(unit * 0.4, horizon), 0, 1)
    const centre = Math.exp(-(((x - stage.sun.x) / unit) ** 2) * 1.6) * (1 - t)
    const sway = noise.fbm((x / unit) * 1.1, (y / unit) * 1.5, 3) * 0.13
    const up = smooth(0.62, 0, t + sway)
    const down = smooth(0.35, 1.1, t + sway)
    out[0] = d.middle.r + (d.top.r - d.middle.r) * up + (d.deep.r - d.middle.r) * down + centre * 70
    out[1] = d.middle.g + (d.top.g - d.middle.g) * up + (d.deep.g - d.middle.g) * down + centre * 66
    out[2] = d.middle.b + (d.top.b - d.middle.b) * up + (d.deep.b - d.middle.b) * down + centre * 50
    if (y <= horizon) return
    const z = (view.eye * view.focal) / Math.max(1, y - horizon)
    const wx = ((x - view.centreX) / view.focal) * z
    const bump = noise.fbm(wx * 0.7, z * 0.6, 3)
    const light = 0.88 + bump * 0.35 + Math.sin(z * 5 + wx * 1.3 + bump * 5) * 0.06 + caustic(noise, wx * 0.75, z * 0.75) * 0.75
    const near = Math.exp(-z / (view.eye * 9)) * floorShade * smooth(horizon, horizon + unit * 0.05, y)
    out[0] = out[0]! + (sand.r * light - out[0]!) * near
    out[1] = out[1]! + (sand.g * light - out[1]!) * near
    out[2] = out[2]! + (sand.b * light - out[2]!) * near
  })
}

/** Returns the brightness of the net of bright lines that waves cast on the floor, 0 to 1. */
function caustic(noise: Noise, x: number, y: number): number {
  const a = noise.at(x * 1.3 + noise.at(y * 1.1, x) * 0.7, y * 1.3)
  const b = noise.at(x * 1.9 + 20, y * 1.9 + noise.at(x, y * 1.4 + 9) * 0.7)
  const line = 1 - Math.min(Math.abs(a), Math.abs(b)) * 4.5
  return line <= 0 ? 0 : line * line * line
}

function paintReef(context: SKRSContext2D, stage: Stage, d: Depths): void {
  const { view, unit } = stage
  const random = stage.random.fork('reef')
  const fog = mix(d.middle, d.deep, 0.4)
  for (const layer of [0.1, 0.3, 0.62]) {
    const y = view.horizonY + (stage.height - view.horizonY) * layer
    if (y < unit * 0.2) continue
    const fade = 0.78 * (1 - layer) ** 1.1
    const size = unit * (0.1 + 0.26 * layer)
    const count = Math.ceil((stage.width / unit) * (layer < 0.2 ? 9 : layer < 0.5 ? 6 : 4))
    for (let i = 0; i < count; i++) {
      const across = (i + random.next()) / count
      const edge = Math.abs(across * 2 - 1)
      if (edge < (layer > 0.5 ? 0.62 : layer > 0.2 ? 0.36 : 0)) continue
      const at = { x: across * stage.width, y: y + random.between(-0.02, 0.03) * unit, size: size * random.between(0.6, 1.15), fade, fog }
      drawReefThing(context, at, random)
    }
  }
}

interface ReefThing {
  x: number
  y: number
  size: number
  fade: number
  fog: Rgb
}

function drawReefThing(context: SKRSContext2D, at: ReefThing, random: Random): void {
  drawRock(context, at, random)
  const choice = random.next()
  if (choice < 0.36) drawKelp(context, at, random)
  else if (choice < 0.66) drawBranchCoral(context, at, random)
  else if (choice < 0.86) drawFanCoral(context, at, random)
  else drawTubes(context, at, random)
}

const corals = ['#f2668b', '#ff8a5c', '#b06ad9', '#f6c24a', '#e8506a', '#6ad0c2'].map(rgb)

function drawRock(context: SKRSContext2D, at: ReefThing, random: Random): void {
  const base = mix(rgb('#5a6470'), at.fog, at.fade)
  const gradient = context.createLinearGradient(0, at.y - at.size * 0.4, 0, at.y + at.size * 0.1)
  gradient.addColorStop(0, css(shift(base, 0.22)))
  gradient.addColorStop(1, css(shift(base, -0.3)))
  context.fillStyle = gradient
  context.beginPath()
  const half = at.size * random.between(0.4, 0.7)
  context.moveTo(at.x - half, at.y + at.size * 0.08)
  for (let i = 1; i < 7; i++) {
    const t = i / 7
    context.lineTo(at.x - half + t * half * 2, at.y - Math.sin(t * Math.PI) * at.size * random.between(0.16, 0.36))
  }
  context.lineTo(at.x + half, at.y + at.size * 0.08)
  context.quadraticCurveTo(at.x, at.y + at.size * 0.2, at.x - half, at.y + at.size * 0.08)
  context.fill()
}

function drawKelp(context: SKRSContext2D, at: ReefThing, random: Random): void {
  for (let i = 0; i < 6; i++) {
    const colour = mix(mix(rgb('#3f8a4c'), rgb('#a3b84a'), random.next()), at.fog, at.fade)
    const height = at.size * random.between(1.1, 2.3)
    const x = at.x + random.between(-0.4, 0.4) * at.size
    const phase = random.next() * 7
    const width = at.size * 0.05
    context.fillStyle = css(colour, 0.95)
    context.beginPath()
    const steps = 14
    const sway = (t: number) => Math.sin(phase + t * 4.6) * at.size * 0.14 * t
    for (let k = 0; k <= steps; k++) {
      const t = k / steps
      const px = x + sway(t) - width * (1 - t) * (1 + 0.6 * Math.sin(t * 40))
      if (k === 0) context.moveTo(px, at.y)
      else context.lineTo(px, at.y - height * t)
    }
    for (let k = steps; k >= 0; k--) {
      const t = k / steps
      context.lineTo(x + sway(t) + width * (1 - t) * (1 + 0.6 * Math.sin(t * 40 + 2)), at.y - height * t)
    }
    context.fill()
  }
}

function drawBranchCoral(context: SKRSContext2D, at: ReefThing, random: Random): void {
  const base = mix(random.pick(corals), at.fog, at.fade)
  context.lineCap = 'round'
  const grow = (x: number, y: number, angle: number, length: number, depth: number) => {
    const endX = x + Math.cos(angle) * length
    const endY = y + Math.sin(angle) * length
    context.strokeStyle = css(shift(base, 0.25 - depth * 0.12))
    context.lineWidth = at.size * 0.022 * (depth + 1)
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(endX, endY)
    context.stroke()
    if (depth === 0) return
    for (const turn of [-1, 1]) grow(endX, endY, angle + turn * random.between(0.2, 0.6), length * random.between(0.68, 0.9), depth - 1)
  }
  for (let i = 0; i < 3; i++)
    grow(at.x + random.between(-0.2, 0.2) * at.size, at.y - at.size * 0.1, -Math.PI / 2 + random.between(-0.5, 0.5), at.size * 0.2, 4)
}

function drawFanCoral(context: SKRSContext2D, at: ReefThing, random: Random): void {
  const base = mix(random.pick(corals), at.fog, at.fade)
  for (let i = 0; i < 4; i++) {
    const x = at.x + random.between(-0.35, 0.35) * at.size
    const y = at.y - at.size * random.between(0.12, 0.3)
    const r = at.size * random.between(0.12, 0.26)
    const gradient = context.createRadialGradient(x - r * 0.2, y - r * 0.5, r * 0.1, x, y, r)
    gradient.addColorStop(0, css(shift(base, 0.35)))
    gradient.addColorStop(1, css(shift(base, -0.25)))
    context.fillStyle = gradient
    context.beginPath()
    for (let k = 0; k <= 24; k++) {
      const a = Math.PI + (k / 24) * Math.PI
      const reach = r * (1 + 0.09 * Math.sin(k * 2.6 + i))
      context.lineTo(x + Math.cos(a) * reach, y + Math.sin(a) * reach)
    }
    context.quadraticCurveTo(x, y + r * 0.35, x - r, y)
    context.fill()
  }
}

function drawTubes(context: SKRSContext2D, at: ReefThing, random: Random): void {
  const base = mix(random.pick(corals), at.fog, at.fade)
  for (let i = 0; i < 5; i++) {
    const x = at.x + (i - 2) * at.size * 0.1 + random.between(-0.02, 0.02) * at.size
    const height = at.size * random.between(0.3, 0.62)
    const w = at.size * 0.05
    const gradient = context.createLinearGradient(x - w, 0, x + w, 0)
    gradient.addColorStop(0, css(shift(base, -0.2)))
    gradient.addColorStop(0.4, css(shift(base, 0.25)))
    gradient.addColorStop(1, css(shift(base, -0.35)))
    context.fillStyle = gradient
    context.fillRect(x - w, at.y - height, w * 2, height)
    context.fillStyle = css(shift(base, -0.55))
    context.beginPath()
    context.ellipse(x, at.y - height, w, w * 0.4, 0, 0, 7)
    context.fill()
  }
}

/** Draws blurred rays of light that spread from the surface of the water. */
function paintRays(context: SKRSContext2D, stage: Stage, d: Depths): void {
  const { width, height, unit } = stage
  const noise = stage.noise('rays')
  const sourceX = stage.sun.x
  const sourceY = -0.5 * unit
  screened(context, () => {
    paintField(context, { x: 0, y: 0, width, height }, fieldScale(width, height, 0.3), (x, y, out) => {
      const angle = Math.atan2(x - sourceX, y - sourceY)
      const beam = smooth(0.05, 0.6, noise.at(angle * 9, 3) + 0.5 * noise.at(angle * 23, y / unit / 3))
      const power = beam * Math.exp(-(y / unit) * 1.5) * 0.5
      out[0] = d.light.r * power
      out[1] = d.light.g * power
      out[2] = d.light.b * power
    })
  })
}

function paintBubbles(context: SKRSContext2D, stage: Stage, d: Depths): void {
  const { width, height, unit } = stage
  const random = stage.random.fork('bubbles')
  const columns = Math.ceil((width / unit) * 5)
  for (let i = 0; i < columns; i++) {
    const startX = random.next() * width
    const count = random.integer(4, 10)
    for (let n = 0; n < count; n++) {
      const t = (n + random.next()) / count
      const radius = unit * (0.002 + 0.011 * random.next() ** 2)
      const x = startX + Math.sin(t * 9 + i) * unit * 0.018
      const y = height * (0.95 - t * 0.9)
      context.strokeStyle = css(d.light, 0.5)
      context.lineWidth = radius * 0.16
      context.fillStyle = css(d.light, 0.1)
      context.beginPath()
      context.arc(x, y, radius, 0, 7)
      context.fill()
      context.stroke()
      context.fillStyle = css(rgb('#ffffff'), 0.75)
      context.beginPath()
      context.arc(x - radius * 0.35, y - radius * 0.4, radius * 0.2, 0, 7)
      context.fill()
    }
  }
}
