import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../../drawing.ts'
import { triples } from '../../pairs.ts'
import { glowDisc, paintStars } from '../celestial.ts'
import { clamp, css, hsl, mix, rgb, smooth } from '../colour.ts'
import { fieldScale, paintField } from '../field.ts'
import { screened } from '../screened.ts'
import { paintSky } from '../sky.ts'
import type { Stage } from '../stage.ts'
import type { PlacePainter } from './place.ts'

const starLight = { height: 0.5, key: rgb('#fff2e0'), ambient: rgb('#c3c9e6'), shadow: 0, rim: 0.8 }

/** Draws a nebula: clouds of glowing gas, dark lanes of dust, and stars. */
export function paintNebula(context: SKRSContext2D, stage: Stage, bottom: number, strength = 1): void {
  const { unit, width, height } = stage
  const noise = stage.noise('nebula')
  const random = stage.random.fork('nebula')
  const own = stage.scene.setting.colour
  const hue = own === undefined ? random.pick([205, 275, 320, 15, 175]) : undefined
  const first = own === undefined ? hsl(hue!, 0.72, 0.5) : rgb(own.hex)
  const second = own === undefined ? hsl(hue! + random.between(70, 130), 0.66, 0.5) : mix(rgb(own.hex), rgb('#ff7ac8'), 0.5)
  const tilt = random.between(-0.6, 0.6)
  paintField(context, { x: 0, y: 0, width, height: bottom }, fieldScale(width, height, 0.9), (px, py, out) => {
    const x = px / unit
    const y = py / unit
    const warpX = noise.fbm(x * 1.4 + 3, y * 1.4, 3)
    const warpY = noise.fbm(x * 1.4, y * 1.4 + 9, 3)
    const band = Math.exp(-(((y - height / unit / 2 - (x - width / unit / 2) * tilt) * 1.5 + warpX * 0.7) ** 2) * 2.4)
    const gas = smooth(-0.3, 0.62, noise.fbm(x * 1.7 + warpX * 1.3, y * 1.7 + warpY * 1.3, 5)) * (0.28 + 0.72 * band)
    const other = smooth(-0.1, 0.6, noise.fbm(x * 1.3 + 20 - warpY, y * 1.3 + warpX, 4)) * (0.22 + 0.6 * band)
    const dust = smooth(0.05, 0.5, noise.fbm(x * 2.6 + warpY * 2 + 40, y * 2.6 + warpX * 2, 4)) * band * 0.75
    const core = gas * gas * other * 1.2
    const a = gas * gas * 0.95 * strength * (1 - dust)
    const b = other * other * 0.6 * strength * (1 - dust)
    out[0] = 6 + first.r * a + second.r * b + core * 150
    out[1] = 8 + first.g * a + second.g * b + core * 130
    out[2] = 20 + first.b * a + second.b * b + core * 140
  })
  paintStars(context, stage, bottom * 1.3, 1.3)
}

export interface Globe {
  x: number
  y: number
  radius: number
  kind: 'earth' | 'gas' | 'rock'
  hue: number
  /** Direction of the light in the picture. */
  lightX: number
  lightY: number
}

/** Draws a planet lit from one side, with an atmosphere. Its surface is like the earth's, banded
 *  like a gas planet's, or rocky. */
export function paintGlobe(context: SKRSContext2D, stage: Stage, globe: Globe, name: string): void {
  const noise = stage.noise(`globe ${name}`)
  const { x: cx, y: cy, radius } = globe
  const air = globe.kind === 'earth' ? rgb('#7fc4ff') : hsl(globe.hue, 0.6, 0.7)
  const rect = { x: cx - radius * 1.1, y: cy - radius * 1.1, width: radius * 2.2, height: radius * 2.2 }
  const scale = Math.min(1, fieldScale(stage.width, stage.height, 1.2) * 1.3)
  paintField(context, rect, scale, (px, py, out) => {
    const dx = (px - cx) / radius
    const dy = (py - cy) / radius
    const d2 = dx * dx + dy * dy
    const d = Math.sqrt(d2)
    if (d > 1.1) {
      out[3] = 0
      return
    }
    const nz = Math.sqrt(Math.max(0, 1 - d2))
    const facing = clamp((dx * globe.lightX + dy * globe.lightY + nz * 0.55) * 0.95, -1, 1)
    const light = smooth(-0.12, 0.85, facing)
    globeColour(noise, globe, { x: dx / (0.55 + 0.45 * nz), y: dy / (0.6 + 0.4 * nz) }, out)
    const rim = (1 - nz) ** 2.5 * (0.25 + 0.75 * light)
    const level = 0.035 + 1.02 * light
    out[0] = out[0]! * level + (air.r - out[0]! * level) * rim * 0.7
    out[1] = out[1]! * level + (air.g - out[1]! * level) * rim * 0.7
    out[2] = out[2]! * level + (air.b - out[2]! * level) * rim * 0.7
    if (d > 1) {
      const halo = (1 - (d - 1) / 0.1) ** 2 * 0.6 * smooth(-0.5, 0.7, facing)
      out[0] = air.r
      out[1] = air.g
      out[2] = air.b
      out[3] = 255 * halo
    }
  })
}

function globeColour(noise: ReturnType<Stage['noise']>, globe: Globe, at: { x: number; y: number }, out: Float64Array): void {
  const { x, y } = at
  if (globe.kind === 'earth') {
    const land = noise.fbm(x * 1.5 + 4, y * 1.5, 6)
    const green = smooth(0.02, 0.09, land)
    const dry = smooth(0.1, 0.4, noise.fbm(x * 2.2 + 30, y * 2.2, 4))
    const cloud = smooth(0.06, 0.5, noise.fbm(x * 2 + noise.at(x * 1.5, y * 3) * 0.8 + 60, y * 3.2, 5))
    const ice = smooth(0.8, 0.94, Math.abs(y) + noise.at(x * 4, y * 4) * 0.05)
    out[0] = 22 + (74 + dry * 96 - 22) * green
    out[1] = 72 + (118 + dry * 26 - 72) * green
    out[2] = 140 + (62 + dry * 30 - 140) * green
    const white = Math.max(cloud, ice)
    for (let i = 0; i < 3; i++) out[i] = out[i]! + (246 - out[i]!) * white
    return
  }
  const base = hsl(globe.hue, globe.kind === 'gas' ? 0.45 : 0.22, 0.55)
  const other = hsl(globe.hue + 28, 0.5, 0.72)
  const t =
    globe.kind === 'gas' ? 0.5 + 0.5 * Math.sin(y * 13 + noise.fbm(x * 1.6, y * 5, 4) * 3.4) : 0.5 + noise.fbm(x * 2.4, y * 2.4, 6) * 1.1
  const k = clamp(t, 0, 1)
  out[0] = base.r + (other.r - base.r) * k
  out[1] = base.g + (other.g - base.g) * k
  out[2] = base.b + (other.b - base.b) * k
}

function paintRings(context: SKRSContext2D, globe: Globe, colour: Rgb, front: boolean): void {
  context.save()
  context.translate(globe.x, globe.y)
  context.rotate(-0.32)
  context.scale(1, 0.27)
  for (const [radius, wide, alpha] of triples([1.42, 0.12, 0.55, 1.64, 0.2, 0.75, 1.9, 0.1, 0.4])) {
    context.strokeStyle = css(colour, alpha)
    context.lineWidth = globe.radius * wide
    context.beginPath()
    context.arc(0, 0, globe.radius * radius, front ? 0 : Math.PI, front ? Math.PI : Math.PI * 2)
    context.stroke()
  }
  context.restore()
}

/** Paints space: nebulae, stars, a planet with rings and a small planet. */
export const space: PlacePainter = stage => ({
  floor: 'void',
  light: { ...starLight, side: stage.sun.side },
  haze: { colour: rgb('#1c1a3c'), strength: 0.1 },
  paintBack: context => {
    const { unit, width, height } = stage
    paintNebula(context, stage, height)
    const random = stage.random.fork('planets')
    const side = -Math.sign(stage.sun.side)
    const big: Globe = {
      x: width / 2 + side * Math.min(width * 0.34, unit * 0.9),
      y: height * random.between(0.2, 0.3),
      radius: unit * random.between(0.12, 0.17),
      kind: 'gas',
      hue: random.between(0, 360),
      lightX: -side * 0.75,
      lightY: -0.35,
    }
    const small: Globe = {
      ...big,
      x: width / 2 - side * Math.min(width * 0.36, unit),
      y: height * 0.82,
      radius: unit * 0.05,
      kind: 'rock',
      hue: random.between(0, 360),
    }
    const ring = hsl(big.hue + 20, 0.35, 0.75)
    paintRings(context, big, ring, false)
    paintGlobe(context, stage, big, 'big')
    paintRings(context, big, ring, true)
    paintGlobe(context, stage, small, 'small')
    screened(context, () => {
      glowDisc(
        context,
        { x: width / 2 - side * Math.min(width * 0.6, unit * 1.6), y: -0.1 * unit, radius: unit * 0.7 },
        rgb('#ffe9c8'),
        0.5,
      )
    })
  },
})

/** Paints the sky high above the clouds; in a clear night, the starry sky over dark hills. */
export const sky: PlacePainter = stage => ({
  floor: 'none',
  paintBack: context => {
    const { height } = stage
    const isStarry = stage.palette.isNight && !stage.has('clouds', 'cloudy') && stage.palette.cover < 0.6
    paintSky(context, stage, { bottom: height, horizon: height * (isStarry ? 0.94 : 1.02), clouds: !isStarry })
    if (isStarry) paintHillLine(context, stage)
    else paintCloudSea(context, stage, { top: height * 0.66, bottom: height })
  },
})

/** Draws dark wooded hills along the bottom edge. */
function paintHillLine(context: SKRSContext2D, stage: Stage): void {
  const { palette, unit, width, height } = stage
  const noise = stage.noise('hill line')
  for (const layer of [0, 1, 2]) {
    const base = height - unit * (0.13 - layer * 0.045)
    const colour = mix(palette.sky[3], rgb('#050914'), 0.45 + layer * 0.22)
    context.fillStyle = css(colour)
    context.beginPath()
    context.moveTo(0, height)
    const step = unit * 0.0035
    for (let x = 0; x <= width + step; x += step) {
      const u = x / unit
      const trees = layer === 0 ? 0 : Math.abs(noise.at(u * 46, layer * 9)) * 0.022 + Math.abs(noise.at(u * 17, layer)) * 0.012
      context.lineTo(x, base - unit * (0.05 * noise.fbm(u * 1.5, layer * 4 + 1, 3) + trees * layer * 0.6))
    }
    context.lineTo(width, height)
    context.fill()
  }
}

/** Draws a layer of clouds seen from above; nearer clouds are larger. */
function paintCloudSea(context: SKRSContext2D, stage: Stage, band: { top: number; bottom: number }): void {
  const { palette, unit, width, height } = stage
  const noise = stage.noise('cloud sea')
  const { cloudLit, cloudShade } = palette
  for (let layer = 0; layer < 4; layer++) {
    const t = layer / 3
    const line = band.top + (band.bottom - band.top) * t * 0.72
    const size = 0.7 + t * 1.1
    const edge = (x: number) =>
      line - unit * (0.03 + 0.05 * t) * (1 + 2.1 * noise.billow((x / unit / size) * 1.7 + layer * 13, layer * 7.3, 4))
    const fade = 0.62 * (1 - t)
    paintField(
      context,
      { x: 0, y: Math.max(0, line - unit * 0.3), width, height: height - Math.max(0, line - unit * 0.3) },
      fieldScale(width, height, 0.5),
      (x, y, out) => {
        const top = edge(x)
        const depth = (y - top) / unit
        const cover = smooth(-0.004, 0.014, depth)
        if (cover <= 0) {
          out[3] = 0
          return
        }
        const puff = noise.billow((x / unit / size) * 2.6 + layer * 5, (y / unit / size) * 3.6, 4)
        const light = clamp(0.86 - depth * (2.9 - t) + puff * 0.6 + stage.sun.side * ((x - width / 2) / width) * 0.25, 0, 1)
        for (let i = 0; i < 3; i++) {
          const c = i === 0 ? 'r' : i === 1 ? 'g' : 'b'
          const v = cloudShade[c] + (cloudLit[c] - cloudShade[c]) * light
          out[i] = v + (palette.sky[3][c] - v) * fade
        }
        out[3] = 255 * cover
      },
    )
  }
}
