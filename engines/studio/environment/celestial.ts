import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../drawing.ts'
import { pairs } from '../pairs.ts'
import { css, mix, rgb, smooth } from './colour.ts'
import { fieldScale, paintField } from './field.ts'
import { screened } from './screened.ts'
import { moonShare, type Stage } from './stage.ts'

/** Draws a round spot of light, which has the opacity `strength` (0 to 1) at the centre and fades
 *  to nothing at the rim. */
export function glowDisc(
  context: SKRSContext2D,
  at: { x: number; y: number; radius: number },
  colour: Parameters<typeof css>[0],
  strength: number,
): void {
  const gradient = context.createRadialGradient(at.x, at.y, 0, at.x, at.y, at.radius)
  for (const [place, share] of pairs([0, 1, 0.15, 0.72, 0.35, 0.36, 0.6, 0.12, 1, 0]))
    gradient.addColorStop(place, css(colour, strength * share))
  context.fillStyle = gradient
  context.fillRect(at.x - at.radius, at.y - at.radius, at.radius * 2, at.radius * 2)
}

export function paintSun(context: SKRSContext2D, stage: Stage): void {
  const { palette, sun, unit } = stage
  const isLow = palette.lightHeight < 0.2
  const radius = unit * (isLow ? 0.056 : 0.022)
  screened(context, () => {
    glowDisc(context, { x: sun.x, y: sun.y, radius: unit * 0.42 }, palette.glow, 0.5 * palette.sharpness)
    glowDisc(context, { x: sun.x, y: sun.y, radius: unit * (isLow ? 0.16 : 0.11) }, palette.sun, 0.9 * palette.sharpness)
  })
  const disc = context.createRadialGradient(sun.x, sun.y, radius * 0.6, sun.x, sun.y, radius * 1.12)
  disc.addColorStop(0, css(mix(palette.sun, rgb('#ffffff'), 0.6), palette.sharpness))
  disc.addColorStop(0.75, css(mix(palette.sun, rgb('#ffffff'), 0.35), palette.sharpness))
  disc.addColorStop(1, css(palette.sun, 0))
  context.fillStyle = disc
  context.fillRect(sun.x - radius * 1.2, sun.y - radius * 1.2, radius * 2.4, radius * 2.4)
}

/** Returns the moon's place and radius in pixels. At night, the moon is the light of the
 *  picture; by day, it stands on the side opposite the sun. */
export function moonOf({ palette, sun, unit, width }: Stage): { x: number; y: number; radius: number } {
  return { x: palette.isNight ? sun.x : width - sun.x, y: sun.y, radius: unit * moonShare }
}

export function paintMoon(context: SKRSContext2D, stage: Stage): void {
  const { palette } = stage
  const { x: centreX, y: centreY, radius } = moonOf(stage)
  screened(context, () => {
    glowDisc(context, { x: centreX, y: centreY, radius: radius * 7 }, palette.glow, 0.34)
    glowDisc(context, { x: centreX, y: centreY, radius: radius * 2.2 }, palette.glow, 0.5)
  })
  const noise = stage.noise('moon')
  const phase = phaseOf(stage)
  const rect = { x: centreX - radius * 1.1, y: centreY - radius * 1.1, width: radius * 2.2, height: radius * 2.2 }
  paintField(context, rect, 1, (x, y, out) => {
    const dx = (x - centreX) / radius
    const dy = (y - centreY) / radius
    const d = Math.sqrt(dx * dx + dy * dy)
    const seas = smooth(0.02, 0.4, noise.fbm(dx * 1.25 + 3, dy * 1.25, 4)) * 0.26
    const limb = 1 - 0.16 * d * d
    const grain = noise.fbm(dx * 5, dy * 5, 2) * 0.06
    const v = (1 - seas + grain) * limb
    out[0] = 246 * v
    out[1] = 246 * v
    out[2] = 238 * v + 8
    out[3] = 255 * (1 - smooth(1 - 1.6 / radius, 1, d)) * phase(dx, dy)
  })
}

/** Returns a function that gives the brightness of the moon at a point of its disc, 0 to 1. The
 *  coordinates of a point are -1 to 1. */
function phaseOf(stage: Stage): (dx: number, dy: number) => number {
  if (stage.has('half-moon')) return dx => smooth(-0.03, 0.03, dx)
  if (stage.has('crescent')) return (dx, dy) => smooth(0.97, 1.03, Math.hypot(dx + 0.42, dy + 0.08))
  return () => 1
}

/** Draws stars: many faint ones and a few bright ones with a soft cross. Their brightness follows a
 *  power law, as that of real stars does. */
export function paintStars(context: SKRSContext2D, stage: Stage, horizon: number, density = 1): void {
  const { unit, width } = stage
  const random = stage.random.fork('stars')
  const area = (width * Math.max(0, horizon)) / (unit * unit)
  const count = Math.min(9000, Math.round(1050 * area * density))
  context.save()
  for (let i = 0; i < count; i++) {
    const x = random.next() * width
    const height = random.next()
    const y = height ** 1.15 * horizon
    const power = 0.12 / (random.next() + 0.045) ** 0.8
    const size = unit * Math.min(0.0034, 0.0007 + 0.00076 * power)
    const fade = smooth(1, 0.72, y / horizon)
    const tint = random.next()
    const colour = tint < 0.16 ? '#ffd9b5' : tint < 0.4 ? '#c3d6ff' : '#ffffff'
    context.globalAlpha = Math.min(1, 0.4 + power * 0.6) * fade
    context.fillStyle = colour
    context.beginPath()
    context.arc(x, y, Math.max(0.42, size), 0, 7)
    context.fill()
    if (power > 1.05) paintSparkle(context, { x, y, radius: size * 7 }, colour, fade)
  }
  context.restore()
}

function paintSparkle(context: SKRSContext2D, at: { x: number; y: number; radius: number }, colour: string, fade: number): void {
  context.globalAlpha = 0.55 * fade
  glowDisc(context, { ...at, radius: at.radius * 0.8 }, rgb(colour), 0.5)
  const thin = at.radius * 0.05
  context.fillStyle = colour
  context.beginPath()
  context.ellipse(at.x, at.y, at.radius, thin, 0, 0, 7)
  context.ellipse(at.x, at.y, thin, at.radius, 0, 0, 7)
  context.fill()
}

/** Draws an aurora: curtains of green light with fine vertical rays, violet towards their tops. */
export function paintAurora(context: SKRSContext2D, stage: Stage, horizon: number): void {
  const { unit, width } = stage
  const noise = stage.noise('aurora')
  const sky = horizon / unit
  const curtains = [0.62, 0.4, 0.22].map((share, i) => ({
    base: sky * (1 - share * 0.9) - 0.02,
    seed: i * 31.7,
    strength: [1, 0.8, 0.55][i]!,
  }))
  const strength = stage.palette.isNight ? 1 : 0.6
  context.save()
  context.globalCompositeOperation = 'screen'
  paintField(context, { x: 0, y: 0, width, height: horizon }, fieldScale(width, stage.height, 0.55), (px, py, out) => {
    const x = px / unit
    const y = py / unit
    let green = 0
    let violet = 0
    for (const curtain of curtains) {
      const fold = noise.at(x * 0.9 + curtain.seed, 1.7) * 0.17 + noise.at(x * 2.3 + curtain.seed, 5.2) * 0.06
      const above = curtain.base + fold - y
      if (above < -0.06) continue
      const rays =
        0.55 + 0.45 * noise.at(x * 15 + fold * 40, curtain.seed + y * 0.5) + 0.22 * noise.at(x * 52 + fold * 90, curtain.seed + y * 0.7)
      const patch = smooth(-0.42, 0.35, noise.at(x * 0.8 + curtain.seed * 2, y * 0.5 + 3))
      const edge = smooth(-0.05, 0.015, above)
      const power = edge * patch * Math.max(0.08, rays) * curtain.strength
      green += power * Math.exp(-above * 5)
      violet += power * Math.exp(-above * 2.9) * smooth(0.06, 0.32, above)
    }
    out[0] = (green * 46 + violet * 128) * strength
    out[1] = (green * 235 + violet * 60) * strength
    out[2] = (green * 150 + violet * 190) * strength
  })
  context.restore()
}

/** Draws a rainbow opposite the sun, with a fainter second bow. */
export function paintRainbow(context: SKRSContext2D, stage: Stage, horizon: number): void {
  const { unit } = stage
  const size = Math.max(0.5, Math.min(1.25, (0.98 * horizon) / unit))
  const x = stage.view.centreX - stage.sun.side * 0.2 * Math.min(stage.width, unit * 1.6)
  const y = horizon + 0.1 * unit
  context.save()
  context.beginPath()
  context.rect(0, 0, stage.width, horizon + unit * 0.01)
  context.clip()
  for (const bow of [
    { radius: 0.98, width: 0.085, strength: 0.4, turned: false },
    { radius: 1.22, width: 0.075, strength: 0.13, turned: true },
  ]) {
    const inner = (bow.radius - bow.width) * size * unit
    const outer = bow.radius * size * unit
    const gradient = context.createRadialGradient(x, y, inner, x, y, outer)
    const colours = ['#6b3fd0', '#2f6fe8', '#27c7d8', '#3fd65a', '#f4e83c', '#ff9a2e', '#ff3f3a']
    if (bow.turned) colours.reverse()
    gradient.addColorStop(0, css(rgb(colours[0]!), 0))
    colours.forEach((colour, i) => void gradient.addColorStop(0.12 + (i / 6) * 0.76, css(rgb(colour), bow.strength)))
    gradient.addColorStop(1, css(rgb(colours[6]!), 0))
    context.strokeStyle = gradient
    context.lineWidth = outer - inner
    context.beginPath()
    context.arc(x, y, (inner + outer) / 2, Math.PI, Math.PI * 2)
    context.stroke()
  }
  context.restore()
}

/** Draws a forked flash of lightning, with a blurred glow around it. */
export function paintLightning(context: SKRSContext2D, stage: Stage, horizon: number): void {
  const { unit, width } = stage
  const random = stage.random.fork('lightning')
  const startX = width / 2 + random.between(-0.34, 0.34) * Math.min(width, unit * 1.8)
  const scale = Math.min(1, 512 / unit)
  const span = unit * 1.2
  const layer = createCanvas(Math.ceil(span * scale), Math.max(2, Math.ceil(horizon * scale)))
  const ink = layer.getContext('2d')
  ink.scale(scale, scale)
  ink.translate(span / 2 - startX, 0)
  ink.lineCap = 'round'
  ink.lineJoin = 'round'
  const bolts: Bolt[] = []
  growBolt(bolts, { x: startX, y: -0.02 * unit, endY: horizon, width: 0.0085 * unit, unit, depth: 0 }, random)
  strokeBolts(ink, bolts, '#9fb4ff', 2.6)
  screened(context, () => {
    glowDisc(context, { x: startX, y: horizon * 0.35, radius: unit * 0.75 }, rgb('#8fa4e8'), 0.4)
    context.filter = `blur(${unit * 0.012}px)`
    context.drawImage(layer, startX - span / 2, 0, span, horizon)
    context.filter = 'none'
    strokeBolts(context, bolts, '#f4f6ff', 1)
  })
}

interface Bolt {
  points: { x: number; y: number }[]
  width: number
}

function strokeBolts(context: SKRSContext2D, bolts: Bolt[], colour: string, thick: number): void {
  context.strokeStyle = colour
  for (const bolt of bolts) {
    context.lineWidth = bolt.width * thick
    context.beginPath()
    bolt.points.forEach((p, i) => void (i === 0 ? context.moveTo(p.x, p.y) : context.lineTo(p.x, p.y)))
    context.stroke()
  }
}

function growBolt(
  bolts: Bolt[],
  from: { x: number; y: number; endY: number; width: number; unit: number; depth: number },
  random: Random,
): void {
  const points = [{ x: from.x, y: from.y }]
  let { x, y } = from
  let lean = random.between(-0.3, 0.3)
  const step = from.unit * 0.032
  for (let i = 0; i < 60 && y < from.endY; i++) {
    lean = lean * 0.7 + random.between(-0.55, 0.55)
    x += step * lean
    y += step * random.between(0.5, 1.1)
    points.push({ x, y })
    if (from.depth < 2 && random.next() < 0.13) {
      const endY = y + (from.endY - y) * random.between(0.2, 0.6)
      growBolt(bolts, { x, y, endY, width: from.width * 0.5, unit: from.unit * 0.8, depth: from.depth + 1 }, random)
    }
  }
  bolts.push({ points, width: from.width })
}
