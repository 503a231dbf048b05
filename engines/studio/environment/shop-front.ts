import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../drawing.ts'
import { css, mix, rgb, shift } from './colour.ts'
import type { FacadePlace, FacadeStyle } from './facade.ts'
import { farTone } from './far-tone.ts'
import { fall, fillRects, type Plane } from './solid.ts'
import type { Stage } from './stage.ts'

/** Draws the ground floor of a house with a shop: windows with goods, a door and a sign. */
export function drawShop(context: SKRSContext2D, stage: Stage, style: FacadeStyle, place: FacadePlace, random: Random): void {
  const { plane, from, to } = place
  const tone = (c: Rgb, amount: number) => farTone(stage, c, amount, place.z, place.clearness)
  const wide = to - from
  const base = tone(shift(style.shop ?? style.wall, -0.25), place.light)
  fillRects(context, plane, [[from + 0.15, 0, to - 0.15, 3]], css(base))
  const isLit = stage.palette.isDim || stage.weather('rain', 'overcast', 'storm')
  const inside = isLit
    ? mix(rgb('#ffd48a'), stage.palette.haze, Math.min(0.4, place.z / place.clearness / 3))
    : mix(tone(rgb('#5b6d78'), 0.7), stage.palette.sky[2], 0.35)
  const door = from + wide * random.between(0.2, 0.8) - 0.5
  const panes: [number, number, number, number][] = []
  for (let u = from + 0.5; u < to - 1.6; u += 1.9) if (Math.abs(u + 0.8 - door - 0.5) > 1.3) panes.push([u, 0.6, u + 1.6, 2.6])
  panes.push([door + 0.12, 0.1, door + 0.88, 2.4])
  fillRects(context, plane, panes, fall(context, plane, [from, 0.6, to, 2.6], shift(inside, 0.12), shift(inside, -0.25)))
  goodsInWindow(context, stage, plane, panes, random)
  const colour = style.shop ?? style.trim
  const sign = tone(shift(colour, -0.1), place.light + 0.2)
  fillRects(context, plane, [[from + 0.3, 2.72, to - 0.3, 3.32]], css(sign))
  fillRects(
    context,
    plane,
    [
      [from + 0.3, 3.3, to - 0.3, 3.36],
      [from + 0.3, 2.7, to - 0.3, 2.75],
    ],
    css(shift(sign, 0.35)),
  )
}

/** Draws the goods behind the window as dim shapes. */
function goodsInWindow(
  context: SKRSContext2D,
  stage: Stage,
  plane: Plane,
  panes: readonly (readonly [number, number, number, number])[],
  random: Random,
): void {
  const light: (readonly [number, number, number, number])[] = []
  const dark: (readonly [number, number, number, number])[] = []
  for (const [u0, v0, u1, v1] of panes.slice(0, -1)) {
    for (let u = u0 + 0.1; u < u1 - 0.25; u += random.between(0.24, 0.4)) {
      const h = random.between(0.15, 0.7) * (v1 - v0)
      ;(random.next() < 0.4 ? light : dark).push([u, v0, u + random.between(0.14, 0.26), v0 + h])
    }
    dark.push([u0, v0 + (v1 - v0) * 0.76, u1, v0 + (v1 - v0) * 0.79])
  }
  fillRects(context, plane, dark, `rgba(40,30,30,${stage.palette.isDim ? 0.34 : 0.2})`)
  fillRects(context, plane, light, 'rgba(255,250,235,0.28)')
}

/** Draws a striped awning that reaches from a wall along the street out over the pavement. */
export function drawAwning(
  context: SKRSContext2D,
  stage: Stage,
  at: { x: number; side: -1 | 1; z0: number; z1: number; colour: Rgb; light: number; clearness: number },
): void {
  const { view } = stage
  const plane: Plane = (u, v) => {
    const z = Math.max(0.5, u)
    return { x: view.column(at.x - at.side * 1.25 * v, z), y: view.row(2.95 - 0.6 * v, z) }
  }
  const stripes = Math.max(4, Math.round((at.z1 - at.z0) / 0.55))
  const step = (at.z1 - at.z0) / stripes
  for (let i = stripes - 1; i >= 0; i--) {
    const z = at.z0 + i * step
    if (z + step < 0.6) continue
    const c = farTone(stage, i % 2 === 0 ? at.colour : mix(at.colour, rgb('#fff8ea'), 0.88), at.light, z, at.clearness)
    fillRects(context, plane, [[z, 0, z + step, 1]], css(c))
    const a = plane(z, 1)
    const b = plane(z + step, 1)
    const drop = (0.26 * view.focal) / Math.max(0.5, z)
    context.fillStyle = css(shift(c, -0.12))
    context.beginPath()
    context.moveTo(a.x, a.y)
    context.lineTo(b.x, b.y)
    context.lineTo(b.x, b.y + drop * 0.8)
    context.quadraticCurveTo((a.x + b.x) / 2, (a.y + b.y) / 2 + drop * 1.5, a.x, a.y + drop)
    context.fill()
  }
}
