import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../../drawing.ts'
import { glowDisc } from '../celestial.ts'
import { clamp, css, mix, rgb, shift, smooth } from '../colour.ts'
import { fieldScale, paintField } from '../field.ts'
import type { Noise } from '../noise.ts'
import { screened } from '../screened.ts'
import { paintSky } from '../sky.ts'
import type { Stage } from '../stage.ts'
import type { PlacePainter } from './place.ts'

interface Mouth {
  x: number
  y: number
  radius: number
}

/** Paints the inside of a cave, seen towards its mouth with the sky outside. */
export const cave: PlacePainter = stage => {
  const { view, unit, height } = stage
  const own = stage.scene.setting.colour
  const hasCrystals = stage.has('crystal', 'crystals', 'magical')
  const glow = rgb(own?.hex ?? (hasCrystals ? '#7fc8ff' : '#ffe0ae'))
  const mouth: Mouth = { x: view.centreX + stage.sun.side * 0.12 * unit, y: view.horizonY - unit * 0.14, radius: unit * 0.25 }
  return {
    floor: 'stone',
    light: { side: stage.sun.side * 0.4, height: 0.5, key: glow, ambient: mix(rgb('#8f8a94'), glow, 0.25), shadow: 0.3, rim: 0.7 },
    haze: { colour: mix(rgb('#2a2730'), glow, 0.3), strength: 0.5 },
    isIndoors: true,
    paintBack: context => {
      paintSky(context, stage, { bottom: height, horizon: view.horizonY })
      paintRock(context, stage, mouth, glow)
      screened(context, () => glowDisc(context, { x: mouth.x, y: mouth.y, radius: unit * 0.75 }, glow, stage.palette.isNight ? 0.2 : 0.42))
      if (hasCrystals) paintCrystals(context, stage, glow)
      stalactites(context, stage)
    },
  }
}

/** Draws the floor of the cave and the walls around its mouth, lit from outside. */
function paintRock(context: SKRSContext2D, stage: Stage, mouth: Mouth, glow: Rgb): void {
  const { view, unit, width, height } = stage
  const noise = stage.noise('cave')
  const near = view.depth(view.nearY)
  const base = [118, 108, 104].map((v, i) => v * (0.4 + (0.6 * [glow.r, glow.g, glow.b][i]!) / 255))
  paintField(context, { x: 0, y: 0, width, height }, fieldScale(width, height, 1.2), (x, y, out) => {
    const dx = (x - mouth.x) / mouth.radius
    const dy = (y - mouth.y) / mouth.radius
    const r = Math.sqrt(dx * dx + dy * dy)
    const [cx, cy] = [dx / (r + 1e-6), dy / (r + 1e-6)]
    const depth = (r * (dy > 0 ? 0.93 : 0.9)) / (1 + 0.34 * noise.fbm(cx * 2.2 + 4, cy * 2.2, 4))
    out[3] = 255 * smooth(0.97, 1.01, depth)
    if (out[3]! <= 0) return
    const floor = smooth(view.horizonY, view.horizonY + unit * 0.1, y)
    const deep = Math.log(depth)
    const [wx, wy] = [cx * 2.1 + deep * 0.9, cy * 2.1 + deep * 1.9]
    const wall = noise.ridge(wx, wy, 5)
    const slope = wall - noise.ridge(wx + 0.05, wy - 0.06, 5)
    let texture = 0.34 + wall * 0.42 + slope * 1.9
    if (floor > 0) texture += (caveFloor(noise, ((x - view.centreX) / view.focal) * view.depth(y), view.depth(y), near) - texture) * floor
    const light = Math.exp(-(depth - 0.97) * 0.75)
    const level = clamp(texture, 0.05, 1.4) * (0.1 + 0.72 * light)
    out[0] = base[0]! * level + glow.r * light * light * 0.16 + 7
    out[1] = base[1]! * level + glow.g * light * light * 0.14 + 7
    out[2] = base[2]! * level + glow.b * light * light * 0.13 + 10
  })
}

function caveFloor(noise: Noise, x: number, z: number, near: number): number {
  const ground = 0.5 + noise.fbm((x / near) * 3, (z / near) * 2.4, 4) * 0.8
  return 0.3 + ground * 0.5 + 0.5 * noise.ridge((x / near) * 1.6, (z / near) * 1.3, 4)
}

function stalactites(context: SKRSContext2D, stage: Stage): void {
  const { unit, width } = stage
  const random = stage.random.fork('stalactites')
  const count = Math.ceil((width / unit) * 20)
  for (let i = 0; i < count; i++) {
    const x = random.next() * width
    const edge = Math.abs((x / width) * 2 - 1)
    const length = unit * (0.04 + 0.2 * edge * random.next() + 0.06 * random.next())
    const half = unit * random.between(0.008, 0.028)
    const gradient = context.createLinearGradient(x - half, 0, x + half, 0)
    const base = rgb('#39343a')
    gradient.addColorStop(0, css(shift(base, stage.sun.side < 0 ? 0.16 : -0.3)))
    gradient.addColorStop(1, css(shift(base, stage.sun.side < 0 ? -0.4 : 0.14)))
    context.fillStyle = gradient
    context.beginPath()
    context.moveTo(x - half * 1.5, -1)
    context.quadraticCurveTo(x - half * 0.5, length * 0.4, x, length)
    context.quadraticCurveTo(x + half * 0.5, length * 0.4, x + half * 1.5, -1)
    context.fill()
  }
}

function paintCrystals(context: SKRSContext2D, stage: Stage, glow: Rgb): void {
  const { unit, width, view, height } = stage
  const random = stage.random.fork('crystals')
  for (let i = 0; i < (width / unit) * 12; i++) {
    const x = random.next() * width
    if (Math.abs(x - view.centreX) < unit * 0.24) continue
    const y = view.horizonY + random.next() ** 1.5 * (height - view.horizonY) * 0.7 + unit * 0.04
    const size = unit * random.between(0.03, 0.1) * (0.5 + (y - view.horizonY) / unit)
    for (let k = 0; k < 4; k++) {
      const lean = random.between(-0.5, 0.5)
      const h = size * random.between(0.7, 1.6)
      const w = size * 0.18
      const bx = x + (k - 1.5) * size * 0.22
      for (const [a, b, amount] of [
        [-w, 0, 0.35],
        [0, w, -0.2],
      ] as const) {
        context.fillStyle = css(shift(glow, amount), 0.85)
        context.beginPath()
        context.moveTo(bx + a, y)
        context.lineTo(bx + b, y)
        context.lineTo(bx + b + lean * h * 0.8, y - h * 0.8)
        context.lineTo(bx + lean * h, y - h)
        context.lineTo(bx + a + lean * h * 0.8, y - h * 0.8)
        context.fill()
      }
    }
    screened(context, () => glowDisc(context, { x, y: y - size * 0.5, radius: size * 2 }, glow, 0.3))
  }
}
