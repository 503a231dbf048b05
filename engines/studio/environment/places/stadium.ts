import type { SKRSContext2D } from '@napi-rs/canvas'
import { glowDisc } from '../celestial.ts'
import { css, mix, rgb, smooth } from '../colour.ts'
import { fieldScale, paintField } from '../field.ts'
import { paintLand } from '../land.ts'
import { screened } from '../screened.ts'
import { greensOf } from '../season.ts'
import { paintSky } from '../sky.ts'
import { fillRects, frontPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { courtOf, paintWet } from './courts.ts'
import type { PlacePainter } from './place.ts'

export const stadium: PlacePainter = stage => {
  const { view, unit } = stage
  const near = view.depth(view.nearY)
  const end = near * 9
  const grass = stage.noise('pitch')
  const court = courtOf(stage)
  return {
    floor: 'grass',
    paintBack: context => {
      paintSky(context, stage)
      paintLand(context, stage, {
        height: () => 0,
        far: end * 1.2,
        clearness: 900,
        paint: (point, out) => {
          const stripe = Math.floor(point.z / (near * 0.7)) % 2 === 0 ? 1.1 : 0.94
          const fine = 1 + grass.fbm(point.x * 3, point.z * 2, 2) * 0.16 * (8 / (8 + point.z))
          const line = court ? court.line(point.x / near, point.z / near) : pitchLine(point.x / near, point.z / near)
          const tone = court?.tone(point.x / near, point.z / near) ?? pitch
          const snow = greensOf(stage).snow > 0.9 ? 0.8 : 0
          for (const [i, v] of tone.entries()) {
            const turf = v * (court ? 1 : stripe) * fine
            out[i] = turf + (245 - turf) * Math.max(line, snow)
          }
        },
      })
      paintStands(context, stage, end)
      court?.paintThings?.(context, stage, near)
      paintWet(context, stage, view.row(0, end))
      floodlights(context, stage, unit)
    },
  }
}

const pitch = [84, 158, 66] as const

function pitchLine(x: number, z: number): number {
  const w = 0.028
  const on = (d: number) => smooth(w, w * 0.6, Math.abs(d))
  const ring = on(Math.hypot(x, (z - 4.4) * 1) - 1.05)
  return (
    0.92 *
    Math.max(
      on(z - 4.4),
      ring,
      on(z - 8.2),
      on(Math.abs(x) - 3.4) * (z < 8.2 ? 1 : 0),
      on(Math.abs(x) - 1.5) * (z > 6.6 && z < 8.2 ? 1 : 0),
      on(z - 6.6) * (Math.abs(x) < 1.5 ? 1 : 0),
    )
  )
}

interface Stand {
  base: number
  top: number
  /** Returns the number of pixels by which the upper edge of the stands is raised at a pixel
   *  column. */
  bend: (x: number) => number
}

/** Draws the stands of a stadium: tiers of spectators, a roof, and advertising boards along the
 *  pitch. */
function paintStands(context: SKRSContext2D, stage: Stage, end: number): void {
  const { view, unit, width, palette } = stage
  const base = view.row(0, end)
  const stand: Stand = { base, top: base - unit * 0.24, bend: x => ((x - view.centreX) / Math.max(unit, width)) ** 2 * unit * 0.16 }
  paintCrowd(context, stage, stand)
  const plane = frontPlane(view, end * 0.99)
  const half = ((width / 2) * end) / view.focal + 4
  const random = stage.random.fork('boards')
  const colours = ['#1f5fa8', '#c8352c', '#f4f1ea', '#1d8a5a', '#e0a52e'].map(rgb)
  for (let u = -half; u < half; u += 6) fillRects(context, plane, [[u, 0, u + 5.9, end * 0.016]], css(random.pick(colours), 0.95))
  context.fillStyle = css(mix(rgb('#5a6370'), palette.haze, 0.3))
  context.beginPath()
  const edge = (i: number, lift: number) => context.lineTo((i / 24) * width, stand.top - stand.bend((i / 24) * width) - unit * lift)
  for (let i = 0; i <= 24; i++) edge(i, 0.045)
  for (let i = 24; i >= 0; i--) edge(i, 0.008)
  context.fill()
}

/** Draws spectators as coloured specks in rows; dark aisles divide the rows. */
function paintCrowd(context: SKRSContext2D, stage: Stage, { base, top, bend }: Stand): void {
  const { unit, width, palette } = stage
  const noise = stage.noise('crowd')
  const colours = ['#d9483b', '#f2efe6', '#3d6fb5', '#f0b83e', '#2f3540', '#c98a6a'].map(rgb)
  const cell = unit * 0.0075
  const light = palette.isNight ? rgb('#d2d2e1') : palette.key
  const area = { x: 0, y: top - unit * 0.09, width, height: base - top + unit * 0.09 }
  paintField(context, area, fieldScale(width, stage.height, 1.4), (x, y, out) => {
    const lift = bend(x)
    const v = (base - y) / (base - top + lift)
    out[3] = v > 1 ? 0 : 255
    if (v > 1) return
    const isAisle = Math.abs((((x / unit) * 7) % 1) - 0.5) > 0.47 || Math.abs(v - 0.46) < 0.03
    const ix = Math.floor(x / cell)
    const iy = Math.floor((y + lift * (1 - v)) / (cell * 1.15))
    const isEmpty = isAisle || noise.cell(ix, iy) < 0.16
    const c = isEmpty ? rgbDark : colours[Math.floor(noise.cell(ix + 77, iy) * 5.99)]!
    const level = ((palette.isNight ? 0.75 : 0.95) * (0.62 + 0.4 * (1 - v)) * (0.8 + 0.4 * noise.cell(ix, iy + 31))) / 255
    out[0] = c.r * level * light.r
    out[1] = c.g * level * light.g
    out[2] = c.b * level * light.b
  })
}

const rgbDark = rgb('#4a4f58')

function floodlights(context: SKRSContext2D, stage: Stage, unit: number): void {
  const top = Math.max(unit * 0.1, stage.view.horizonY - unit * 0.42)
  for (const share of [0.1, 0.9]) {
    const x = stage.width * share
    context.fillStyle = css(mix(rgb('#4d5560'), stage.palette.haze, 0.25))
    context.fillRect(x - unit * 0.006, top, unit * 0.012, stage.view.horizonY - top)
    context.fillRect(x - unit * 0.055, top - unit * 0.03, unit * 0.11, unit * 0.065)
    context.fillStyle = '#fffbe8'
    context.beginPath()
    for (let i = 0; i < 5; i++) {
      for (let k = 0; k < 3; k++) {
        const cx = x - unit * 0.042 + i * unit * 0.021
        const cy = top - unit * 0.017 + k * unit * 0.02
        context.moveTo(cx + unit * 0.007, cy)
        context.arc(cx, cy, unit * 0.007, 0, 7)
      }
    }
    context.fill()
    screened(context, () =>
      glowDisc(context, { x, y: top, radius: unit * (stage.palette.isDim ? 0.5 : 0.18) }, rgb('#f4f4ff'), stage.palette.isDim ? 0.7 : 0.4),
    )
  }
}
