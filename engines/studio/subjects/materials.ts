import type { SKRSContext2D } from '@napi-rs/canvas'
import { parseHex } from '../colour.ts'
import { pairs } from '../pairs.ts'
import { createRandom } from '../random.ts'
import { shade, toHex } from './colour.ts'

/** The surface of a thing that is made of a certain material. */
export interface Material {
  hex: string
  /** Paints the surface over the whole canvas; `unit` is a length in pixels, proportional to the
   *  size of the thing. */
  paint?(context: SKRSContext2D, unit: number, hex: string): void
  /** How strongly the light and shade of the original drawing show on the material: 1 is as strong
   *  as in the drawing, 0 not at all. */
  relief?: number
  /** Opacity inside the thing; its rim stays opaque. */
  alpha?: number
  /** True for a polished surface, with bright and sharp highlights. */
  isPolished?: boolean
}

/** Surfaces by the name of the look. A colour in the prompt replaces `hex`. */
export const materials: Record<string, Material> = {
  wooden: { hex: '#a8743f', paint: grain },
  stone: {
    hex: '#9c9a96',
    paint: (context, unit, hex) => blocks(context, { unit: unit * 2.2, hex, mortar: shade(hex, -0.28), isRough: true }),
  },
  concrete: { hex: '#a6a6a2', paint: (context, unit, hex) => speckles(context, unit, [shade(hex, -0.16), shade(hex, 0.16)], 500) },
  marble: { hex: '#f1efec', paint: veins, isPolished: true },
  brick: { hex: '#b0634a', paint: (context, unit, hex) => blocks(context, { unit: unit * 1.25, hex, mortar: '#e2d6c6', isRough: false }) },
  metal: { hex: '#9aa6b4', paint: sheen, relief: 1.25, isPolished: true },
  chrome: { hex: '#cfd6de', paint: sheen, relief: 1.5, isPolished: true },
  golden: { hex: '#e2b23a', paint: sheen, relief: 1.35, isPolished: true },
  copper: { hex: '#b8733a', paint: sheen, relief: 1.3, isPolished: true },
  rusty: { hex: '#a4562f', paint: (context, unit, hex) => speckles(context, unit * 2, [shade(hex, -0.3), '#d08a4a', '#7c4a34'], 260) },
  glass: { hex: '#b9dcec', alpha: 0.66, isPolished: true, relief: 0.8 },
  crystal: { hex: '#cfe2fa', paint: facets, alpha: 0.75, isPolished: true },
  ice: { hex: '#bfe4f7', paint: facets, alpha: 0.78, isPolished: true },
  water: { hex: '#4f9fd8', paint: ripples, alpha: 0.7, isPolished: true, relief: 0.7 },
  jelly: { hex: '#e0566b', alpha: 0.75, isPolished: true },
  snow: { hex: '#f4f8fc', paint: (context, unit) => speckles(context, unit, ['#d3e0ee', '#ffffff'], 300), relief: 0.8 },
  paper: { hex: '#f7f3e8', paint: creases, relief: 0.8 },
  cardboard: { hex: '#c39a66', paint: corrugation },
  newspaper: { hex: '#e9e6dc', paint: print },
  plastic: { hex: '#e0503e', isPolished: true },
  lego: { hex: '#e0352f', paint: studs, isPolished: true },
  leather: { hex: '#8a5632', paint: (context, unit, hex) => speckles(context, unit * 0.8, [shade(hex, -0.2), shade(hex, 0.14)], 900) },
  knitted: { hex: '#d9a0a8', paint: knit, relief: 0.9 },
  furry: { hex: '#b98a5a', paint: tufts },
  straw: { hex: '#e0bd62', paint: weave },
  bamboo: { hex: '#cdb661', paint: canes },
  ceramic: { hex: '#f6f4ef', isPolished: true },
  clay: { hex: '#bf7048', relief: 0.9 },
  denim: { hex: '#40659c', paint: weave },
  velvet: { hex: '#8a2f4a', relief: 1.1 },
  chocolate: { hex: '#6a3d22', isPolished: true },
  cheese: { hex: '#f4c64a', paint: holes },
  grassy: { hex: '#5f9a3c', paint: tufts },
  leafy: { hex: '#5a9440', paint: foliage },
  sand: { hex: '#dcbf85', paint: (context, unit, hex) => speckles(context, unit * 0.6, [shade(hex, -0.18), shade(hex, 0.25)], 1400) },
  fire: { hex: '#f08a24', paint: tongues, relief: 0.5 },
  cloudy: { hex: '#f2f4f8', paint: puffs, relief: 0.7 },
  spongy: { hex: '#c98d4e', paint: (context, unit, hex) => speckles(context, unit * 1.4, [shade(hex, -0.2), shade(hex, 0.2)], 420) },
}

const seed = '11'

function random() {
  return createRandom(seed)
}

/** Draws wood grain with occasional knots. */
function grain(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  const source = random()
  for (let y = 0; y < height; y += unit * 0.55) {
    context.strokeStyle = shade(hex, source.between(-0.34, -0.12))
    context.lineWidth = unit * source.between(0.06, 0.16)
    context.beginPath()
    for (let i = 0; i <= 16; i++) context.lineTo((width * i) / 16, y + Math.sin(i * 0.8 + y / (unit * 2.6)) * unit * 0.3)
    context.stroke()
  }
  for (let i = 0; i < 5; i++) {
    const [x, y] = [source.between(0, width), source.between(0, height)]
    for (const radius of [0.7, 0.42, 0.18]) {
      context.beginPath()
      context.ellipse(x, y, unit * radius * 1.5, unit * radius, 0, 0, Math.PI * 2)
      context.stroke()
    }
  }
}

interface Masonry {
  unit: number
  hex: string
  mortar: string
  isRough: boolean
}

/** Draws rows of stones or bricks. */
function blocks(context: SKRSContext2D, { unit, hex, mortar, isRough }: Masonry): void {
  const { width, height } = context.canvas
  const source = random()
  context.fillStyle = mortar
  context.fillRect(0, 0, width, height)
  const gap = unit * (isRough ? 0.1 : 0.14)
  for (let row = 0, y = 0; y < height; row++, y += unit)
    for (let x = row % 2 ? -unit : 0; x < width; ) {
      const wide = unit * (isRough ? source.between(1.1, 2.2) : 2)
      context.fillStyle = shade(hex, source.between(-0.12, 0.12))
      context.beginPath()
      context.roundRect(x, y, wide - gap, unit - gap, unit * (isRough ? 0.24 : 0.05))
      context.fill()
      x += wide
    }
}

function speckles(context: SKRSContext2D, unit: number, colours: readonly string[], count: number): void {
  const { width, height } = context.canvas
  const source = random()
  for (let i = 0; i < count; i++) {
    context.fillStyle = colours[i % colours.length] ?? '#888888'
    const size = unit * source.between(0.05, 0.22)
    context.beginPath()
    context.ellipse(source.between(0, width), source.between(0, height), size, size * 0.7, i, 0, Math.PI * 2)
    context.fill()
  }
}

function veins(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  const source = random()
  for (let i = 0; i < 13; i++) {
    context.strokeStyle = shade(hex, source.between(-0.42, -0.14))
    context.lineWidth = unit * source.between(0.05, 0.22)
    let [x, y] = [source.between(-0.2, 1) * width, source.between(-0.2, 0.6) * height]
    context.beginPath()
    for (let step = 0; step < 9; step++) {
      context.lineTo(x, y)
      x += unit * source.between(0.2, 1.6)
      y += unit * source.between(-0.2, 1.8)
    }
    context.stroke()
  }
}

/** Draws the bands of light and dark that polished metal reflects. */
function sheen(context: SKRSContext2D, _unit: number, hex: string): void {
  const { width, height } = context.canvas
  const gradient = context.createLinearGradient(0, 0, width, height)
  const stops = [0.1, 0.55, -0.05, -0.38, 0.3, -0.1, -0.42]
  stops.forEach((amount, index) => void gradient.addColorStop(index / (stops.length - 1), shade(hex, amount)))
  context.fillStyle = gradient
  context.fillRect(0, 0, width, height)
}

function facets(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  const source = random()
  const step = unit * 3
  for (let y = 0; y < height + step; y += step)
    for (let x = 0; x < width + step; x += step)
      for (const side of [0, 1]) {
        context.fillStyle = shade(hex, source.between(-0.24, 0.6))
        context.beginPath()
        context.moveTo(x, y)
        context.lineTo(side ? x + step : x, side ? y : y + step)
        context.lineTo(x + step, y + step)
        context.fill()
      }
}

function ripples(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  for (let y = 0, row = 0; y < height; y += unit * 0.8, row++) {
    context.strokeStyle = row % 2 ? shade(hex, 0.5) : shade(hex, -0.2)
    context.lineWidth = unit * 0.16
    context.beginPath()
    for (let x = 0; x <= width; x += unit * 0.4) context.lineTo(x, y + Math.sin(x / (unit * 0.9) + row) * unit * 0.3)
    context.stroke()
  }
}

function creases(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  const source = random()
  for (let i = 0; i < 16; i++) {
    context.fillStyle = shade(hex, source.between(-0.1, 0.04))
    const [x, y] = [source.between(0, width), source.between(0, height)]
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(x + unit * source.between(-4, 4), y + unit * source.between(2, 6))
    context.lineTo(x + unit * source.between(2, 6), y + unit * source.between(-2, 3))
    context.fill()
  }
}

function corrugation(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  context.fillStyle = shade(hex, -0.09)
  for (let x = 0; x < width; x += unit * 0.42) context.fillRect(x, 0, unit * 0.14, height)
  context.fillStyle = '#d9c29aa0'
  context.fillRect(0, height * 0.42, width, unit * 1.1)
}

function print(context: SKRSContext2D, unit: number): void {
  const { width, height } = context.canvas
  const source = random()
  for (let x = 0; x < width; x += unit * 3)
    for (let y = 0; y < height; y += unit * 0.32) {
      const isHeadline = source.next() < 0.08
      context.fillStyle = isHeadline ? '#2f2c2a' : '#8a877f'
      context.fillRect(x, y, unit * source.between(1.8, 2.7), unit * (isHeadline ? 0.26 : 0.12))
    }
}

/** Draws the studs of toy bricks, and the gaps between the bricks. */
function studs(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  const step = unit * 1.5
  for (let y = 0, row = 0; y < height; y += step, row++)
    for (let x = 0; x < width + step; x += step) {
      context.strokeStyle = shade(hex, -0.38)
      context.lineWidth = unit * 0.1
      if (Math.round(x / step + row) % 2 === 0) context.strokeRect(x, y, step * 2, step)
      for (const [shift, tone] of pairs([0.1, -0.34, 0, 0.24])) {
        context.fillStyle = shade(hex, tone)
        context.beginPath()
        context.arc(x + step * 0.5 + shift * step, y + step * 0.5 + shift * step, step * 0.28, 0, Math.PI * 2)
        context.fill()
      }
      context.fillStyle = hex
      context.beginPath()
      context.arc(x + step * 0.52, y + step * 0.52, step * 0.25, 0, Math.PI * 2)
      context.fill()
    }
}

/** Draws rows of V-shaped knitting stitches. */
function knit(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  const step = unit * 0.95
  context.lineCap = 'round'
  context.lineWidth = step * 0.34
  for (let y = -step; y < height + step; y += step * 0.62)
    for (let x = 0; x < width + step; x += step) {
      context.strokeStyle = shade(hex, -0.26)
      context.beginPath()
      context.moveTo(x, y)
      context.lineTo(x + step * 0.5, y + step * 0.6)
      context.lineTo(x + step, y)
      context.stroke()
      context.strokeStyle = shade(hex, 0.08)
      context.beginPath()
      context.moveTo(x, y - step * 0.2)
      context.lineTo(x + step * 0.42, y + step * 0.36)
      context.moveTo(x + step, y - step * 0.2)
      context.lineTo(x + step * 0.58, y + step * 0.36)
      context.stroke()
    }
}

function tufts(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  const source = random()
  context.lineWidth = unit * 0.14
  context.lineCap = 'round'
  for (let i = 0; i < 1500; i++) {
    context.strokeStyle = shade(hex, source.between(-0.3, 0.28))
    const [x, y] = [source.between(0, width), source.between(0, height)]
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(x + unit * source.between(-0.4, 0.4), y + unit * source.between(0.5, 1.1))
    context.stroke()
  }
}

function weave(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  const step = unit * 0.7
  for (let y = 0, row = 0; y < height; y += step, row++)
    for (let x = 0, column = 0; x < width; x += step, column++) {
      const isAcross = (row + column) % 2 === 0
      context.fillStyle = shade(hex, isAcross ? 0.12 : -0.2)
      context.fillRect(x + step * 0.06, y + step * (isAcross ? 0.2 : 0.02), step * 0.88, step * (isAcross ? 0.6 : 0.96))
    }
}

function canes(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  const step = unit * 1.3
  for (let x = 0, column = 0; x < width; x += step, column++) {
    context.fillStyle = shade(hex, -0.24)
    context.fillRect(x, 0, step * 0.2, height)
    context.fillStyle = shade(hex, 0.3)
    context.fillRect(x + step * 0.32, 0, step * 0.18, height)
    context.fillStyle = shade(hex, -0.36)
    for (let y = (column % 3) * unit; y < height; y += unit * 3.4) context.fillRect(x, y, step, unit * 0.2)
  }
}

function holes(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  const source = random()
  for (let i = 0; i < 60; i++) {
    const [x, y, size] = [source.between(0, width), source.between(0, height), unit * source.between(0.3, 1)]
    context.fillStyle = shade(hex, -0.24)
    context.beginPath()
    context.ellipse(x, y, size, size * 0.8, 0, 0, Math.PI * 2)
    context.fill()
  }
}

function foliage(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  const source = random()
  for (let i = 0; i < 420; i++) {
    context.fillStyle = shade(hex, source.between(-0.28, 0.26))
    context.beginPath()
    context.ellipse(source.between(0, width), source.between(0, height), unit * 0.85, unit * 0.42, source.between(0, 3), 0, Math.PI * 2)
    context.fill()
  }
}

function tongues(context: SKRSContext2D, unit: number): void {
  const { width, height } = context.canvas
  const source = random()
  const gradient = context.createLinearGradient(0, 0, 0, height)
  for (const [at, colour] of [
    [0, '#c9281c'],
    [0.5, '#f08a24'],
    [1, '#ffe27a'],
  ] as const)
    gradient.addColorStop(at, colour)
  context.fillStyle = gradient
  context.fillRect(0, 0, width, height)
  for (let i = 0; i < 90; i++) {
    const [x, y, size] = [source.between(0, width), source.between(0, height), unit * source.between(0.5, 1.3)]
    context.fillStyle = ['#ffd24ac0', '#f06a1ec0', '#fff3b0b0'][i % 3] ?? '#ffd24ac0'
    context.beginPath()
    context.moveTo(x, y - size * 2)
    context.quadraticCurveTo(x + size, y, x, y + size)
    context.quadraticCurveTo(x - size, y, x, y - size * 2)
    context.fill()
  }
}

function puffs(context: SKRSContext2D, unit: number, hex: string): void {
  const { width, height } = context.canvas
  const source = random()
  for (let i = 0; i < 160; i++) {
    const [x, y, size] = [source.between(0, width), source.between(0, height), unit * source.between(0.9, 1.8)]
    const gradient = context.createRadialGradient(x - size * 0.3, y - size * 0.4, 0, x, y, size)
    gradient.addColorStop(0, shade(hex, 0.6))
    gradient.addColorStop(1, toHex(parseHex(shade(hex, -0.1))))
    context.fillStyle = gradient
    context.beginPath()
    context.arc(x, y, size, 0, Math.PI * 2)
    context.fill()
  }
}
