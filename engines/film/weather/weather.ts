/** Things that fall, drift and fly in front of a scene. The position of a particle depends only on
 *  its number and the time, so each frame can be drawn without the frames before it. */

import { createRandom } from '@generation-gateway/studio/random.ts'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import type { Pen } from '../raster/pen.ts'
import type { View } from '../world/view.ts'
import { softDisc } from './soft-disc.ts'

export type FallKind = 'rain' | 'storm' | 'snow' | 'leaves' | 'petals' | 'fireflies' | 'sparks' | 'dust' | 'fog'

export interface Fall {
  /** Draws one moment; `strength` 0 to 1 is the opacity. */
  draw(pen: Pen, view: View, seconds: number, strength: number): void
}

interface Tone {
  /** True when the picture behind the particles is dark. */
  isDim: boolean
  seed: string
  /** Wind towards the right, -1 to 1. */
  wind: number
}

interface Particle {
  x: number
  y: number
  size: number
  speed: number
  phase: number
  near: number
  colour: number
}

export function fallOf(kind: FallKind, tone: Tone): Fall {
  switch (kind) {
    case 'rain':
      return rain(tone, 1)
    case 'storm':
      return rain(tone, 1.7)
    case 'snow':
      return snow(tone)
    case 'leaves':
      return leaves(tone, ['#c9742c', '#b3501f', '#d9a13b', '#8c5a2b'], 46)
    case 'petals':
      return leaves(tone, ['#f6c1d0', '#f9d7e0', '#efa6bd'], 60)
    case 'fireflies':
      return fireflies(tone)
    case 'sparks':
    case 'dust':
      return dust(tone)
    case 'fog':
      return fog(tone)
  }
}

function particles(count: number, seed: string): Particle[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => {
    const near = random.next()
    return {
      x: random.next(),
      y: random.next(),
      size: random.next(),
      speed: random.between(0.8, 1.2),
      phase: random.next() * 6.28,
      near,
      colour: random.next(),
    }
  })
}

/** Returns the coordinate; a value outside the picture is moved to the opposite side, as if both
 *  edges were joined. A value counts as outside only beyond a margin of a tenth of `length` on each
 *  side, so that particles leave the picture completely. */
function wrap(value: number, length: number): number {
  const span = length * 1.2
  return ((((value + length * 0.1) % span) + span) % span) - length * 0.1
}

/** Returns the shift in the picture, in pixels, that the camera movement causes for things of this
 *  nearness. */
function carried({ pose, picture }: View, near: number): { x: number; y: number } {
  return { x: -(pose.truck * near + pose.pan) * picture.width, y: (pose.lift * near + pose.tilt) * picture.height }
}

function rain({ isDim, seed, wind }: Tone, force: number): Fall {
  const layers = [
    { count: 330, length: 0.045, width: 0.0011, alpha: 0.26, near: 0.3, speed: 1.5 },
    { count: 170, length: 0.085, width: 0.0017, alpha: 0.33, near: 0.8, speed: 2.1 },
    { count: 44, length: 0.16, width: 0.003, alpha: 0.26, near: 1.5, speed: 3 },
  ].map((layer, index) => ({ ...layer, drops: particles(Math.round(layer.count * force), `${seed}/rain${index}`) }))
  const splashes = particles(90, `${seed}/splash`)
  const slant = 0.07 + wind * 0.3
  const colour = isDim ? '196,210,236' : '240,246,252'
  const ring = ringOf(colour)
  let streaks: Canvas[] | undefined
  return {
    draw: (pen, view, seconds, strength) => {
      const { width, height } = view.picture
      const unit = Math.min(width, height)
      streaks ??= layers.map(({ length, width: thick }) =>
        streakOf({ long: unit * length, thick: Math.max(0.6, unit * thick), slant, colour }),
      )
      pen.save()
      for (const [index, { drops, length, alpha, near, speed }] of layers.entries()) {
        const streak = streaks[index]
        if (!streak) continue
        const shift = carried(view, near)
        pen.alpha = alpha * strength
        for (const drop of drops) {
          const fallen = seconds * speed * drop.speed * height
          const y = wrap(drop.y * height * 1.2 + fallen + shift.y, height)
          const x = wrap(drop.x * width * 1.2 + fallen * slant + shift.x, width)
          const grown = 0.7 + drop.size * 0.6
          const long = unit * length * grown
          pen.image(streak, { x: x - slant * long - 1, y: y - long, width: streak.width, height: streak.height * grown })
        }
      }
      splash(pen, view, { seconds, strength, splashes, ring })
      pen.restore()
    },
  }
}

/** Draws a raindrop as a streak from the upper left to the lower right, as a camera with a long
 *  exposure shows it. */
function streakOf({ long, thick, slant, colour }: { long: number; thick: number; slant: number; colour: string }): Canvas {
  const canvas = createCanvas(Math.ceil(slant * long + thick + 3), Math.ceil(long))
  const pen = canvas.getContext('2d')
  const fade = pen.createLinearGradient(0, 0, 0, canvas.height)
  fade.addColorStop(0, `rgba(${colour},0.25)`)
  fade.addColorStop(0.7, `rgba(${colour},1)`)
  fade.addColorStop(1, `rgba(${colour},0.8)`)
  pen.strokeStyle = fade
  pen.lineWidth = thick
  pen.beginPath()
  pen.moveTo(1 + thick / 2, 0)
  pen.lineTo(1 + thick / 2 + slant * long, canvas.height)
  pen.stroke()
  return canvas
}

function ringOf(colour: string): Canvas {
  const canvas = createCanvas(48, 16)
  const pen = canvas.getContext('2d')
  pen.strokeStyle = `rgba(${colour},1)`
  pen.lineWidth = 2
  pen.beginPath()
  pen.ellipse(24, 8, 22, 6.2, 0, 0, 7)
  pen.stroke()
  return canvas
}

function splash(
  pen: Pen,
  view: View,
  { seconds, strength, splashes, ring }: { seconds: number; strength: number; splashes: Particle[]; ring: Canvas },
): void {
  const { picture, world } = view
  const unit = Math.min(picture.width, picture.height)
  for (const { x, y, speed, phase } of splashes) {
    const life = (((seconds * 2.6 * speed + phase) % 1) + 1) % 1
    const turn = Math.floor(seconds * 2.6 * speed + phase)
    const near = 0.12 + 0.88 * ((y + turn * 0.381) % 1)
    const { scale, y: top } = view.at(near)
    const row = (world.horizonY + near * (world.height - world.horizonY)) * scale + top
    const size = unit * (0.003 + 0.011 * near) * (0.3 + life)
    pen.alpha = 0.6 * (1 - life) * strength
    const middle = ((x + turn * 0.618) % 1) * picture.width
    pen.image(ring, { x: middle - size, y: row - size * 0.33, width: size * 2, height: size * 0.66 })
  }
}

function snow({ isDim, seed, wind }: Tone): Fall {
  const colour = isDim ? '219,228,246' : '255,255,255'
  const flake = softDisc(48, colour)
  const layers = [
    { count: 420, low: 0.0022, high: 0.0038, near: 0.25, speed: 0.075, alpha: 0.8 },
    { count: 170, low: 0.0045, high: 0.008, near: 0.7, speed: 0.13, alpha: 0.9 },
    { count: 34, low: 0.014, high: 0.034, near: 1.5, speed: 0.26, alpha: 0.55 },
  ].map((layer, index) => ({ ...layer, flakes: particles(layer.count, `${seed}/snow${index}`) }))
  return {
    draw: (pen, view, seconds, strength) => {
      const { width, height } = view.picture
      const unit = Math.min(width, height)
      pen.save()
      for (const { flakes, low, high, near, speed, alpha } of layers) {
        const shift = carried(view, near)
        for (const one of flakes) {
          const fallen = seconds * speed * one.speed * height
          const swing = Math.sin(seconds * (0.7 + one.size) + one.phase) * unit * 0.018 * (0.4 + near)
          const x = wrap(one.x * width * 1.2 + swing + fallen * (wind * 1.6 + 0.25) + shift.x, width)
          const y = wrap(one.y * height * 1.2 + fallen + shift.y, height)
          const size = unit * (low + (high - low) * one.size) * 2
          pen.alpha = alpha * strength * (0.6 + 0.4 * one.colour)
          pen.image(flake, { x: x - size / 2, y: y - size / 2, width: size, height: size })
        }
      }
      pen.restore()
    },
  }
}

function leaves({ seed, wind }: Tone, colours: readonly string[], count: number): Fall {
  const all = particles(count, `${seed}/leaves`)
  const sprites = colours.map(leafOf)
  return {
    draw: (pen, view, seconds, strength) => {
      const { width, height } = view.picture
      const unit = Math.min(width, height)
      pen.save()
      pen.alpha = strength
      for (const one of all) {
        const near = 0.3 + one.near * 1.1
        const shift = carried(view, near)
        const fallen = seconds * (0.09 + 0.07 * near) * one.speed * height
        const swing = Math.sin(seconds * 1.4 * one.speed + one.phase) * unit * 0.05
        const x = wrap(one.x * width * 1.2 + swing + seconds * width * (0.05 + wind * 0.5) * near + shift.x, width)
        const y = wrap(one.y * height * 1.2 + fallen + shift.y, height)
        const size = unit * (0.009 + 0.02 * one.near)
        const sprite = sprites[Math.floor(one.colour * sprites.length)]
        if (!sprite) continue
        pen.save()
        pen.translate(x, y)
        pen.rotate(seconds * (one.size - 0.5) * 4 + one.phase)
        pen.scale(1, 0.25 + 0.75 * Math.abs(Math.sin(seconds * 2.1 * one.speed + one.phase)))
        pen.image(sprite, { x: -size, y: -size, width: size * 2, height: size * 2 })
        pen.restore()
      }
      pen.restore()
    },
  }
}

function leafOf(colour: string): Canvas {
  const canvas = createCanvas(32, 32)
  const pen = canvas.getContext('2d')
  pen.fillStyle = colour
  pen.beginPath()
  pen.moveTo(1, 16)
  pen.quadraticCurveTo(16, -2, 31, 16)
  pen.quadraticCurveTo(16, 34, 1, 16)
  pen.fill()
  pen.strokeStyle = 'rgba(60,30,20,0.35)'
  pen.beginPath()
  pen.moveTo(2, 16)
  pen.lineTo(30, 16)
  pen.stroke()
  return canvas
}

function fireflies({ seed }: Tone): Fall {
  const all = particles(40, `${seed}/fireflies`)
  const glow = softDisc(64, '255,236,140')
  return {
    draw: (pen, view, seconds, strength) => {
      const { width, height } = view.picture
      const unit = Math.min(width, height)
      pen.save()
      pen.mode = 'screen'
      for (const one of all) {
        const shift = carried(view, 0.4 + one.near)
        const x = wrap(one.x * width * 1.2 + Math.sin(seconds * 0.9 * one.speed + one.phase) * unit * 0.07 + shift.x, width)
        const y = height * (0.3 + 0.65 * one.y) + Math.cos(seconds * 1.2 * one.speed + one.phase * 2) * unit * 0.04 + shift.y
        const size = unit * (0.014 + 0.03 * one.near)
        pen.alpha = strength * Math.max(0, Math.sin(seconds * 1.9 * one.speed + one.phase)) ** 1.5
        pen.image(glow, { x: x - size, y: y - size, width: size * 2, height: size * 2 })
      }
      pen.restore()
    },
  }
}

function dust({ seed }: Tone): Fall {
  const all = particles(46, `${seed}/dust`)
  const mote = softDisc(24, '255,246,220')
  return {
    draw: (pen, view, seconds, strength) => {
      const { width, height } = view.picture
      const unit = Math.min(width, height)
      pen.save()
      pen.mode = 'screen'
      for (const one of all) {
        const shift = carried(view, 0.5 + one.near)
        const x = wrap(
          one.x * width * 1.2 + seconds * unit * 0.02 * one.speed + Math.sin(seconds * 0.6 + one.phase) * unit * 0.03 + shift.x,
          width,
        )
        const y = wrap(one.y * height * 1.2 - seconds * unit * 0.012 * one.speed + shift.y, height)
        const size = unit * (0.0025 + 0.004 * one.near)
        pen.alpha = strength * (0.12 + 0.28 * Math.max(0, Math.sin(seconds * 0.9 + one.phase)))
        pen.image(mote, { x: x - size, y: y - size, width: size * 2, height: size * 2 })
      }
      pen.restore()
    },
  }
}

/** Returns fog: banks of mist, which drift at two different speeds. */
function fog({ isDim, seed }: Tone): Fall {
  const colour = isDim ? '120,134,166' : '232,238,242'
  const banks = [mistOf(`${seed}/mist0`, colour), mistOf(`${seed}/mist1`, colour)]
  return {
    draw: (pen, view, seconds, strength) => {
      const { width, height } = view.picture
      pen.save()
      banks.forEach((bank, index) => {
        const near = 0.25 + index * 0.5
        const span = width * (1.6 + index * 0.8)
        const shift = carried(view, near)
        const moved = ((((seconds * width * (0.018 + 0.022 * index) + shift.x) % span) + span) % span) - span
        pen.alpha = strength * (index === 0 ? 0.75 : 0.6)
        for (let x = moved; x < width; x += span)
          pen.image(bank, { x: x, y: height * (index === 0 ? 0.12 : 0.34) + shift.y, width: span + 1, height: height * 0.8 })
      })
      pen.restore()
    },
  }
}

function mistOf(seed: string, colour: string): Canvas {
  const random = createRandom(seed)
  const canvas = createCanvas(512, 192)
  const pen = canvas.getContext('2d')
  const puff = softDisc(128, colour)
  for (let i = 0; i < 90; i++) {
    const x = random.next() * 512
    const y = 96 + (random.next() + random.next() - 1) * 70
    const size = random.between(40, 130)
    pen.globalAlpha = random.between(0.05, 0.2)
    // Each puff is drawn three times, a texture width apart, so that no seam shows where the
    // texture repeats.
    for (const at of [x - 512, x, x + 512]) pen.drawImage(puff, at - size, y - size * 0.4, size * 2, size * 0.8)
  }
  return canvas
}
