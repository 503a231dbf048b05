import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../drawing.ts'
import { css, mix, rgb, shift } from './colour.ts'
import { dabClump, leafTones } from './foliage.ts'
import { lit } from './palette.ts'
import { screened } from './screened.ts'
import { greensOf } from './season.ts'
import type { Stage } from './stage.ts'

/** Returns a picture of the blurred view through a window: sky with trees or with the lights of a
 *  town. The canvas is about `detail` pixels high and `aspect` times as wide. `blur` is a share of
 *  the height. */
export function outsideView(stage: Stage, aspect: number, detail: number, blur: number): Canvas {
  const height = Math.max(8, Math.round(detail))
  const width = Math.max(8, Math.round(detail * aspect))
  const canvas = createCanvas(width, height)
  const ink = canvas.getContext('2d')
  const { palette } = stage
  const sky = ink.createLinearGradient(0, 0, 0, height)
  const [zenith, upper, lower, horizon] = palette.sky
  for (const [place, colour] of [
    [0, mix(zenith, upper, 0.85)],
    [0.22, mix(upper, lower, 0.4)],
    [0.45, lower],
    [0.72, horizon],
  ] as const)
    sky.addColorStop(place, css(colour))
  ink.fillStyle = sky
  ink.fillRect(0, 0, width, height)
  if (stage.has('city', 'urban') || (palette.isNight && !stage.has('garden', 'forest'))) townOutside(ink, stage, width, height)
  else gardenOutside(ink, stage, width, height)
  if (blur <= 0) return canvas
  const soft = createCanvas(width, height)
  const pen = soft.getContext('2d')
  // The blur makes the edges of the picture transparent. An unblurred copy is drawn below it, so
  // that the edges stay opaque.
  pen.drawImage(canvas, -width * 0.03, -height * 0.03, width * 1.06, height * 1.06)
  pen.filter = `blur(${(blur * height).toFixed(2)}px)`
  pen.drawImage(canvas, -width * 0.03, -height * 0.03, width * 1.06, height * 1.06)
  return soft
}

function gardenOutside(ink: SKRSContext2D, stage: Stage, width: number, height: number): void {
  const random = stage.random.fork('outside')
  const { palette } = stage
  const greens = greensOf(stage)
  const far = mix(lit(palette, greens.conifer, 0.6), palette.haze, 0.55)
  ink.fillStyle = css(far)
  ink.beginPath()
  ink.moveTo(0, height)
  for (let i = 0; i <= 24; i++) ink.lineTo((i / 24) * width, height * (0.6 + 0.05 * Math.sin(i * 0.9) + random.between(-0.02, 0.02)))
  ink.lineTo(width, height)
  ink.fill()
  ink.fillStyle = css(lit(palette, greens.snow > 0.6 ? rgb('#eef3fa') : greens.grass[0], 0.8))
  ink.fillRect(0, height * 0.78, width, height * 0.3)
  const count = Math.ceil((width / height) * 7)
  for (let i = 0; i < count; i++) {
    const x = ((i + random.next()) / count) * width
    const size = height * random.between(0.14, 0.3)
    const tones = leafTones(palette, greens.snow > 0.6 ? mix(greens.conifer, rgb('#dfe8f2'), 0.4) : random.pick(greens.leaves))
    dabClump(
      ink,
      { x, y: height * random.between(0.5, 0.72), radiusX: size * 0.7, radiusY: size * 0.8 },
      tones,
      { dab: height * 0.03, side: Math.sign(stage.sun.side), density: 0.9 },
      random,
    )
  }
  if (greens.snow > 0) return
  for (let i = 0; i < count * 4; i++) {
    ink.fillStyle = css(lit(palette, random.pick(greens.flowers), 0.9), 0.8)
    ink.beginPath()
    ink.arc(random.next() * width, height * random.between(0.76, 0.98), height * random.between(0.008, 0.02), 0, 7)
    ink.fill()
  }
}

function townOutside(ink: SKRSContext2D, stage: Stage, width: number, height: number): void {
  const random = stage.random.fork('outside')
  const { palette } = stage
  for (let x = 0; x < width; ) {
    const w = height * random.between(0.12, 0.26)
    const top = height * random.between(0.3, 0.66)
    const wall = mix(lit(palette, rgb('#7f8898'), 0.4), palette.haze, 0.3)
    ink.fillStyle = css(wall)
    ink.fillRect(x, top, w + 1, height - top)
    for (let v = top + height * 0.03; v < height; v += height * 0.06) {
      for (let u = x + w * 0.12; u < x + w * 0.85; u += w * 0.22) {
        const isLit = palette.isDim ? random.next() < 0.5 : false
        ink.fillStyle = isLit
          ? css(rgb(random.pick(['#ffd27a', '#ffe3a6', '#ffb45e'])), 0.95)
          : css(shift(wall, palette.isDim ? -0.2 : 0.2), 0.8)
        ink.fillRect(u, v, w * 0.12, height * 0.03)
      }
    }
    x += w * random.between(0.9, 1.2)
  }
}

/** Draws lights that are out of focus, as round discs of several sizes. Radii are shares of the
 *  short side. */
export function bokehDiscs(
  context: SKRSContext2D,
  stage: Stage,
  area: { x: number; y: number; width: number; height: number },
  options: { colours: readonly Rgb[]; count: number; radius: readonly [number, number]; strength: number },
): void {
  const random = stage.random.fork('bokeh')
  screened(context, () => {
    for (let i = 0; i < options.count; i++) {
      const x = area.x + random.next() * area.width
      const y = area.y + random.next() * area.height
      const radius = stage.unit * random.between(options.radius[0], options.radius[1])
      const colour = random.pick(options.colours)
      const strength = options.strength * random.between(0.35, 1)
      const gradient = context.createRadialGradient(x, y, radius * 0.2, x, y, radius)
      gradient.addColorStop(0, css(colour, strength * 0.55))
      gradient.addColorStop(0.82, css(colour, strength * 0.75))
      gradient.addColorStop(0.93, css(shift(colour, 0.3), strength))
      gradient.addColorStop(1, css(colour, 0))
      context.fillStyle = gradient
      context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
    }
  })
}

interface WindowFrame {
  x: number
  y: number
  width: number
  height: number
  columns: number
  rows: number
  colour: Rgb
  /** Thickness of the frame's bars in pixels. */
  bar: number
}

/** Draws the frame of a window with its bars and sill. Each bar has a light and a dark edge. */
export function paintWindowFrame(context: SKRSContext2D, frame: WindowFrame): void {
  const { x, y, width, height, bar, colour } = frame
  const bars: [number, number, number, number][] = []
  for (let i = 1; i < frame.columns; i++) bars.push([x + (width * i) / frame.columns - bar * 0.3, y, bar * 0.6, height])
  for (let i = 1; i < frame.rows; i++) bars.push([x, y + (height * i) / frame.rows - bar * 0.3, width, bar * 0.6])
  bars.push(
    [x - bar, y - bar, width + bar * 2, bar],
    [x - bar, y, bar, height],
    [x + width, y, bar, height],
    [x - bar, y + height, width + bar * 2, bar],
  )
  for (const [bx, by, bw, bh] of bars) {
    context.fillStyle = css(shift(colour, -0.45), 0.5)
    context.fillRect(bx + bar * 0.1, by + bar * 0.12, bw + bar * 0.04, bh + bar * 0.1)
    const upright = bh > bw
    const gradient = upright ? context.createLinearGradient(bx, 0, bx + bw, 0) : context.createLinearGradient(0, by, 0, by + bh)
    gradient.addColorStop(0, css(shift(colour, 0.25)))
    gradient.addColorStop(0.35, css(colour))
    gradient.addColorStop(1, css(shift(colour, -0.28)))
    context.fillStyle = gradient
    context.fillRect(bx, by, bw, bh)
  }
  const sill = context.createLinearGradient(0, y + height + bar * 0.6, 0, y + height + bar * 2.2)
  sill.addColorStop(0, css(shift(colour, 0.3)))
  sill.addColorStop(0.3, css(colour))
  sill.addColorStop(1, css(shift(colour, -0.4)))
  context.fillStyle = sill
  context.fillRect(x - bar * 1.9, y + height + bar * 0.6, width + bar * 3.8, bar * 1.5)
}

/** Draws drops on a pane. Each shows the view behind it upside down, and has a dark upper edge and
 *  a bright spot. Some have run down. */
export function paintDrops(
  context: SKRSContext2D,
  stage: Stage,
  area: { x: number; y: number; width: number; height: number },
  view: Canvas,
): void {
  const random = stage.random.fork('drops')
  const { unit } = stage
  const count = Math.min(2600, Math.round(((area.width * area.height) / (unit * unit)) * 900))
  context.save()
  context.beginPath()
  context.rect(area.x, area.y, area.width, area.height)
  context.clip()
  for (let i = 0; i < count; i++) {
    const radius = unit * (0.0013 + 0.0125 * random.next() ** 4.2)
    const x = area.x + random.next() * area.width
    const y = area.y + random.next() * area.height
    if (radius > unit * 0.0052 && random.next() < 0.5)
      runTrail(context, { x, y, radius, length: unit * random.between(0.08, 0.42) }, random.next())
    drop(context, { x, y, radius }, area, view)
  }
  context.restore()
}

function runTrail(context: SKRSContext2D, d: { x: number; y: number; radius: number; length: number }, seed: number): void {
  const gradient = context.createLinearGradient(0, d.y - d.length, 0, d.y)
  gradient.addColorStop(0, 'rgba(255,255,255,0)')
  gradient.addColorStop(1, 'rgba(255,255,255,0.3)')
  context.fillStyle = gradient
  context.beginPath()
  context.moveTo(d.x - d.radius * 0.5, d.y)
  context.quadraticCurveTo(d.x + d.radius * (seed - 0.5) * 3, d.y - d.length * 0.5, d.x, d.y - d.length)
  context.quadraticCurveTo(d.x + d.radius * (seed - 0.5) * 3 + d.radius, d.y - d.length * 0.5, d.x + d.radius * 0.5, d.y)
  context.fill()
}

function drop(
  context: SKRSContext2D,
  d: { x: number; y: number; radius: number },
  area: { x: number; y: number; width: number; height: number },
  view: Canvas,
): void {
  const { x, y, radius } = d
  context.save()
  context.beginPath()
  context.ellipse(x, y, radius * 0.88, radius, 0, 0, 7)
  if (radius > area.height * 0.004) {
    context.clip()
    const spanX = view.width * 0.3
    const spanY = view.height * 0.42
    const sx = Math.min(view.width - spanX, Math.max(0, ((x - area.x) / area.width) * view.width - spanX / 2))
    const sy = Math.min(view.height - spanY, Math.max(0, ((y - area.y) / area.height) * view.height - spanY / 2))
    context.translate(x, y)
    context.scale(1, -1)
    context.drawImage(view, sx, sy, spanX, spanY, -radius, -radius, radius * 2, radius * 2)
  } else {
    context.fillStyle = 'rgba(235,243,250,0.4)'
    context.fill()
  }
  context.restore()
  const shade = context.createLinearGradient(0, y - radius, 0, y + radius)
  shade.addColorStop(0, 'rgba(20,28,40,0.42)')
  shade.addColorStop(0.45, 'rgba(20,28,40,0.04)')
  shade.addColorStop(1, 'rgba(255,255,255,0.46)')
  context.fillStyle = shade
  context.beginPath()
  context.ellipse(x, y, radius * 0.88, radius, 0, 0, 7)
  context.fill()
  context.fillStyle = 'rgba(255,255,255,0.85)'
  context.beginPath()
  context.arc(x - radius * 0.3, y - radius * 0.38, radius * 0.18, 0, 7)
  context.fill()
}
