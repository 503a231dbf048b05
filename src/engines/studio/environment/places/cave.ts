import type { SKRSContext2D } from '@napi-rs/canvas'
import { glowDisc } from '../celestial.ts'
import { clamp, css, mix, rgb, shift, smooth } from '../colour.ts'
import { fieldScale, paintField } from '../field.ts'
import { paintSky } from '../sky.ts'
import type { Stage } from '../stage.ts'
import type { PlacePainter } from './place.ts'

export const cave: PlacePainter = stage => {
  const { view, unit, width, height } = stage
  const near = view.depth(view.nearY)
  const noise = stage.noise('cave')
  const own = stage.scene.setting.colour
  const glow = own === undefined ? rgb(stage.has('crystal', 'crystals', 'magical') ? '#7fc8ff' : '#ffe0ae') : rgb(own.hex)
  const mouth = { x: view.centreX + stage.sun.side * 0.12 * unit, y: view.horizonY - unit * 0.14, radius: unit * 0.25 }
  return {
    floor: 'stone',
    light: { side: stage.sun.side * 0.4, height: 0.5, key: glow, ambient: mix(rgb('#8f8a94'), glow, 0.25), shadow: 0.3, rim: 0.7 },
    haze: { colour: mix(rgb('#2a2730'), glow, 0.3), strength: 0.5 },
    isIndoors: true,
    paintBack: context => {
      paintSky(context, stage, { bottom: height, horizon: view.horizonY })
      paintField(context, { x: 0, y: 0, width, height }, fieldScale(width, height, 1.2), (x, y, out) => {
        const dx = (x - mouth.x) / mouth.radius
        const dy = (y - mouth.y) / mouth.radius
        const angle = Math.atan2(dy, dx)
        const r = Math.hypot(dx, dy * (dy > 0 ? 0.85 : 0.8))
        const edge = 1 + 0.34 * noise.fbm(Math.cos(angle) * 2.2 + 4, Math.sin(angle) * 2.2, 4)
        const depth = r / edge
        if (depth < 0.97) {
          out[3] = 0
          return
        }
        const floor = y > view.horizonY ? smooth(view.horizonY, view.horizonY + unit * 0.1, y) : 0
        const z = view.depth(y)
        const fx = ((x - view.centreX) / view.focal) * z
        const wall = noise.ridge(angle * 2.2 + 3, Math.log(depth) * 2.6, 5)
        const slope = wall - noise.ridge(angle * 2.2 + 3.05, Math.log(depth) * 2.6 - 0.06, 5)
        const ground = 0.5 + noise.fbm((fx / near) * 3, (z / near) * 2.4, 4) * 0.8
        const light = Math.exp(-(depth - 0.97) * 0.75)
        const texture = (1 - floor) * (0.34 + wall * 0.42 + slope * 1.9) + floor * (0.5 + ground * 0.45)
        const level = clamp(texture, 0.05, 1.4) * (0.1 + 0.72 * light)
        out[0] = 118 * level * (0.4 + 0.6 * (glow.r / 255)) + glow.r * light * light * 0.16 + 7
        out[1] = 108 * level * (0.4 + 0.6 * (glow.g / 255)) + glow.g * light * light * 0.14 + 7
        out[2] = 104 * level * (0.4 + 0.6 * (glow.b / 255)) + glow.b * light * light * 0.13 + 10
        out[3] = 255 * smooth(0.97, 1.01, depth)
      })
      context.save()
      context.globalCompositeOperation = 'screen'
      glowDisc(context, { x: mouth.x, y: mouth.y, radius: unit * 0.75 }, glow, stage.palette.isNight ? 0.2 : 0.42)
      context.restore()
      if (stage.has('crystal', 'crystals', 'magical')) paintCrystals(context, stage, glow)
      stalactites(context, stage)
    },
  }
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

function paintCrystals(context: SKRSContext2D, stage: Stage, glow: ReturnType<typeof rgb>): void {
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
    context.save()
    context.globalCompositeOperation = 'screen'
    glowDisc(context, { x, y: y - size * 0.5, radius: size * 2 }, glow, 0.3)
    context.restore()
  }
}
