import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../../drawing.ts'
import { clamp, css, hsl, luma, mix, ramp, rgb, shift, smooth, toHsl } from '../colour.ts'
import { fieldScale, paintField } from '../field.ts'
import type { Stage } from '../stage.ts'
import { paintPattern, patternOf } from './patterns.ts'
import type { PlacePainter } from './place.ts'

/** Returns five or six colours that go well together, from dark to light. The colours are derived
 *  from the colours, moods and time of day of the scene. */
function schemeOf(stage: Stage, random: Random): Rgb[] {
  const { scene } = stage
  const named = [scene.setting.colour, ...scene.subjects.map(subject => subject.colour)].flatMap(colour =>
    colour === undefined ? [] : [rgb(colour.hex)],
  )
  const mood = (word: string) => scene.moods.includes(word) || stage.has(word)
  const strength = mood('vivid') || mood('neon') ? 0.86 : mood('muted') || mood('pastel') ? 0.34 : 0.6
  const lift = mood('dark') || scene.time === 'night' ? -0.14 : mood('bright') || mood('pastel') ? 0.12 : 0
  const first =
    named[0] === undefined
      ? mood('warm')
        ? random.between(-10, 50)
        : mood('cold')
          ? random.between(180, 250)
          : random.between(0, 360)
      : toHsl(named[0]).hue
  const spread = random.pick([28, 36, 150, 120])
  const made = [0, 1, 2, 3, 4].map(i =>
    hsl(
      first + (i === 3 ? spread : i === 4 ? spread + 24 : (i - 1) * 22),
      strength * (i === 4 ? 0.8 : 1),
      clamp(0.2 + i * 0.145 + lift, 0.08, 0.9),
    ),
  )
  const joined =
    named.length > 1
      ? [...named, ...named.map(c => shift(c, -0.45)), ...named.map(c => shift(c, 0.5))].slice(0, 6)
      : named.length === 1
        ? [shift(named[0]!, -0.6), ...made.slice(1, 3), named[0]!, shift(named[0]!, 0.55)]
        : made
  return joined.sort((a, b) => luma(a) - luma(b))
}

type Generator = (context: SKRSContext2D, stage: Stage, scheme: readonly Rgb[], random: Random) => void

/** Draws colours that look like marbled liquid. The noise that gives the colours is distorted by
 *  another noise. */
const fluid: Generator = (context, stage, scheme) => {
  const { unit, width, height } = stage
  const noise = stage.noise('fluid')
  const table = Array.from({ length: 257 }, (_, i) => ramp(scheme, i / 256))
  paintField(context, { x: 0, y: 0, width, height }, fieldScale(width, height, 1.4), (px, py, out) => {
    const x = (px / unit) * 1.15
    const y = (py / unit) * 1.15
    const ax = noise.fbm(x * 1.2, y * 1.2, 3)
    const ay = noise.fbm(x * 1.2 + 5.2, y * 1.2 + 1.3, 3)
    const bx = noise.fbm(x + ax * 2.2 + 1.7, y + ay * 2.2 + 9.2, 3)
    const v = noise.fbm(x + bx * 2.4, y + ax * 2.1, 4)
    const ridge = Math.abs(((v * 4.5 + bx) % 1) - 0.0)
    const c = table[Math.round(clamp(0.5 + v * 0.85 + ax * 0.22, 0, 1) * 256)]!
    const sheen = 0.9 + 0.24 * smooth(0.1, 0.5, bx) - 0.14 * smooth(0.5, 0.96, ridge)
    out[0] = c.r * sheen
    out[1] = c.g * sheen
    out[2] = c.b * sheen
  })
}

function softGround(context: SKRSContext2D, stage: Stage, a: Rgb, b: Rgb): void {
  const { unit, width, height } = stage
  const noise = stage.noise('ground')
  paintField(context, { x: 0, y: 0, width, height }, fieldScale(width, height, 0.5), (x, y, out) => {
    const t = clamp(0.15 + 0.7 * (y / height) + noise.fbm((x / unit) * 1.4, (y / unit) * 1.4, 3) * 0.5, 0, 1)
    out[0] = a.r + (b.r - a.r) * t
    out[1] = a.g + (b.g - a.g) * t
    out[2] = a.b + (b.b - a.b) * t
  })
}

/** Draws silky ribbons across the picture; each gets darker towards its edge. */
const ribbons: Generator = (context, stage, scheme, random) => {
  const { unit, width, height } = stage
  softGround(context, stage, scheme[0]!, mix(scheme[1]!, scheme[0]!, 0.4))
  const noise = stage.noise('ribbons')
  const count = 9
  for (let i = 0; i < count; i++) {
    const base = height * (0.1 + (0.85 * i) / count) + random.between(-0.05, 0.05) * unit
    const thick = unit * random.between(0.06, 0.17)
    const colour = scheme[1 + (i % (scheme.length - 1))]!
    const line = (x: number, offset: number) =>
      base +
      unit * (0.2 * noise.at((x / unit) * 0.8 + i * 0.35, i * 0.42) + 0.07 * noise.at((x / unit) * 2 + i * 2, 7)) +
      offset * thick * (0.55 + 0.75 * noise.at((x / unit) * 1.1 + 30 + i, 2))
    ribbonStrips(context, { width, unit, line, colour })
  }
}

function ribbonStrips(
  context: SKRSContext2D,
  ribbon: { width: number; unit: number; line: (x: number, offset: number) => number; colour: Rgb },
): void {
  const strips = 14
  const step = ribbon.unit * 0.02
  for (let k = 0; k < strips; k++) {
    const a = -1 + (2 * k) / strips
    const b = -1 + (2 * (k + 1)) / strips + 0.03
    const shine = Math.cos(a * 1.35) ** 3
    context.fillStyle = css(shift(ribbon.colour, -0.42 + 0.62 * shine + (k === 0 ? 0.3 : 0)), 0.94)
    context.beginPath()
    for (let x = -step; x <= ribbon.width + step; x += step) context.lineTo(x, ribbon.line(x, a))
    for (let x = ribbon.width + step; x >= -step; x -= step) context.lineTo(x, ribbon.line(x, b))
    context.fill()
  }
}

/** Draws overlapping rings and discs, as in early abstract paintings. */
const circles: Generator = (context, stage, scheme, random) => {
  const { unit, width, height } = stage
  softGround(context, stage, mix(scheme.at(-1)!, rgb('#f6f0e4'), 0.55), mix(scheme.at(-2)!, rgb('#f6f0e4'), 0.6))
  const count = Math.round((26 * width * height) / (unit * unit))
  for (let i = 0; i < Math.min(240, count); i++) {
    const x = random.next() * width
    const y = random.next() * height
    const radius = unit * (0.02 + 0.2 * random.next() ** 2.2)
    const rings = random.integer(1, 4)
    for (let k = rings; k >= 1; k--) {
      const r = (radius * k) / rings
      const colour = random.pick(scheme)
      const gradient = context.createRadialGradient(x - r * 0.3, y - r * 0.3, r * 0.1, x, y, r)
      gradient.addColorStop(0, css(shift(colour, 0.18), 0.92))
      gradient.addColorStop(1, css(shift(colour, -0.12), 0.92))
      context.globalCompositeOperation = i % 3 === 0 ? 'multiply' : 'source-over'
      context.fillStyle = gradient
      context.beginPath()
      context.arc(x, y, r, 0, 7)
      context.fill()
    }
  }
  context.globalCompositeOperation = 'source-over'
  lines(context, stage, scheme[0]!, random)
}

function lines(context: SKRSContext2D, stage: Stage, colour: Rgb, random: Random): void {
  const { unit, width, height } = stage
  context.strokeStyle = css(colour, 0.85)
  for (let i = 0; i < (12 * width) / unit; i++) {
    context.lineWidth = unit * random.between(0.0015, 0.006)
    const x = random.next() * width
    const y = random.next() * height
    const angle = random.next() * Math.PI
    const length = unit * random.between(0.15, 0.6)
    context.beginPath()
    if (random.next() < 0.6) {
      context.moveTo(x, y)
      context.lineTo(x + Math.cos(angle) * length, y + Math.sin(angle) * length)
    } else context.arc(x, y, length * 0.5, angle, angle + random.between(0.8, 2.4))
    context.stroke()
  }
}

/** Draws a pattern of shaded triangles whose colours change smoothly over the picture. */
const facets: Generator = (context, stage, scheme, random) => {
  const { unit, width, height } = stage
  const noise = stage.noise('facets')
  const cell = unit * 0.098
  const columns = Math.ceil(width / cell) + 2
  const rows = Math.ceil(height / cell) + 2
  const point = (i: number, k: number) => ({
    x: (i - 0.5 + (noise.cell(i, k) - 0.5) * 0.72) * cell,
    y: (k - 0.5 + (noise.cell(i + 50, k + 9) - 0.5) * 0.72) * cell,
  })
  context.lineWidth = Math.max(0.6, unit * 0.0012)
  for (let k = 0; k < rows; k++) {
    for (let i = 0; i < columns; i++) {
      const [a, b, c, d] = [point(i, k), point(i + 1, k), point(i, k + 1), point(i + 1, k + 1)]
      for (const [p, q, r] of random.next() < 0.5
        ? ([
            [a, b, c],
            [b, d, c],
          ] as const)
        : ([
            [a, b, d],
            [a, d, c],
          ] as const)) {
        const x = (p.x + q.x + r.x) / 3 / unit
        const y = (p.y + q.y + r.y) / 3 / unit
        const t = clamp(0.5 + noise.fbm(x * 1.3, y * 1.3, 3) * 1.1 + random.between(-0.07, 0.07), 0, 1)
        const colour = css(shift(ramp(scheme, t), random.between(-0.12, 0.12)))
        context.fillStyle = colour
        context.strokeStyle = colour
        context.beginPath()
        context.moveTo(p.x, p.y)
        context.lineTo(q.x, q.y)
        context.lineTo(r.x, r.y)
        context.closePath()
        context.fill()
        context.stroke()
      }
    }
  }
}

const generators: readonly Generator[] = [fluid, ribbons, circles, facets]

/** Paints an abstract composition of colours. Words such as `geometric`, `circles`, `waves` or
 *  `fluid` in the setting choose its kind. */
export const abstract: PlacePainter = stage => ({
  floor: 'none',
  isIndoors: true,
  light: { side: -0.4, height: 0.6, key: rgb('#ffffff'), ambient: rgb('#ffffff'), shadow: 0, rim: 0.2 },
  haze: { colour: rgb('#ffffff'), strength: 0 },
  paintBack: context => {
    const pattern = patternOf(stage)
    if (pattern) {
      paintPattern(context, stage, pattern)
      return
    }
    const random = stage.random.fork('abstract')
    const scheme = schemeOf(stage, random)
    const chosen = stage.has('geometric', 'triangles', 'polygons', 'cubist')
      ? facets
      : stage.has('circles', 'dots')
        ? circles
        : stage.has('waves', 'lines', 'flowing', 'ribbons')
          ? ribbons
          : stage.has('fluid', 'liquid', 'marble', 'smoke')
            ? fluid
            : random.pick(generators)
    chosen(context, stage, scheme, random)
  },
})
