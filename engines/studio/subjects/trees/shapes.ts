import { Path2D } from '@napi-rs/canvas'
import { pairs, triples } from '../../pairs.ts'
import { blob, capsule, ellipse, fill, form, line, rectangle, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Easel } from './easel.ts'

export function conifer({ context, random, season }: Easel, shape: { half: number; tiers: number; colour: string; trunk: number }): void {
  form(context, rectangle(-2.6, -shape.trunk - 8, 5.2, shape.trunk + 8), '#6b4a34', { depth: 1.4 })
  const green = season === 'winter' ? shade(shape.colour, 0.12) : shape.colour
  for (let tier = 0; tier < shape.tiers; tier++) {
    const t = tier / (shape.tiers - 1)
    const y = -shape.trunk - t ** 0.94 * (94 - shape.trunk)
    const reach = shape.half * (1 - t) ** 0.82 + 2.4
    const rise = ((98 - shape.trunk) / shape.tiers) * (2.3 - t * 0.7)
    for (const [share, tone, lift] of triples([1, -0.26, 0, 0.9, -0.06, -1, 0.68, 0.12, -2.2])) {
      const fringe: number[] = [lift * 0.4, y - rise + lift]
      for (let i = 0; i <= 9; i++) {
        const u = 1 - (i / 9) * 2
        const edge = y + (1 - Math.abs(u)) * rise * 0.26 + random.between(-0.5, 0.9) + lift * 0.5
        fringe.push(
          u * reach * share - (share < 1 ? reach * 0.1 : 0),
          edge,
          (u - 0.1) * reach * share - (share < 1 ? reach * 0.1 : 0),
          edge - rise * 0.2,
        )
      }
      const tiered = new Path2D()
      for (let i = 0; i < fringe.length; i += 2)
        i === 0 ? tiered.moveTo(fringe[0] ?? 0, fringe[1] ?? 0) : tiered.lineTo(fringe[i] ?? 0, fringe[i + 1] ?? 0)
      tiered.closePath()
      fill(context, tiered, shade(green, tone))
    }
    if (season === 'winter')
      fill(
        context,
        blob(scaled([0, -0.96, 0.4, -0.36, 0.62, -0.06, 0.1, -0.3, -0.3, -0.1, -0.74, -0.04, -0.4, -0.5], [reach, rise], [0, y])),
        '#f6faff',
      )
  }
}

export function palm({ context, random }: Easel): void {
  const lean = random.between(8, 16)
  const spine = Array.from({ length: 15 }, (_, i) => ({ x: lean * (i / 14) ** 2, y: -(i / 14) * 68 }))
  spine.forEach((at, i) => {
    const next = spine[i + 1]
    if (next) form(context, capsule(at, 3.6 - i * 0.13, next, 3.3 - i * 0.12), i % 2 ? '#9a7550' : '#86623f', { depth: 1 })
  })
  const top = spine[14] ?? { x: lean, y: -68 }
  const frond = (angle: number, length: number, tone: number) => {
    const tip = { x: top.x + Math.cos(angle) * length, y: top.y + Math.sin(angle) * length * 0.7 + length * 0.34 }
    const mid = { x: top.x + Math.cos(angle) * length * 0.55, y: top.y + Math.sin(angle) * length * 0.72 - length * 0.06 }
    for (let i = 2; i <= 18; i++) {
      const t = i / 18
      const x = (1 - t) ** 2 * top.x + 2 * t * (1 - t) * mid.x + t * t * tip.x
      const y = (1 - t) ** 2 * top.y + 2 * t * (1 - t) * mid.y + t * t * tip.y
      const size = Math.sin(Math.min(1, t * 1.25 + 0.15) * Math.PI * 0.8) * length * 0.34
      for (const side of [-1, 1])
        line(context, [x, y, x + Math.cos(angle) * size * 0.5, y + (side > 0 ? size * 0.75 : size * 0.16)], {
          width: 1.5,
          colour: shade('#4f9a44', tone + (side > 0 ? -0.12 : 0.06)),
        })
    }
    line(context, [top, mid, tip], { width: 0.9, colour: shade('#4f9a44', tone + 0.2) })
  }
  for (let i = 0; i < 11; i++) frond(-Math.PI * (-0.08 + (i / 10) * 1.16), random.between(30, 38), [-0.2, 0.02, 0.14][i % 3] ?? 0)
  for (const [x, y] of pairs([-3, 3, 3, 4, 0.6, 6])) form(context, ellipse(top.x + x, top.y + y, 3, 3.2), '#6b4426', { depth: 0.9 })
}

export function bamboo({ context, random }: Easel): void {
  for (let i = 0; i < 7; i++) {
    const x = (i - 3) * 8.5 + random.between(-2, 2)
    const height = random.between(82, 100)
    const lean = random.between(-4, 4)
    const tone = shade('#7fae4a', [-0.14, 0.06, 0][i % 3] ?? 0)
    for (let k = 0; k < 9; k++) {
      const at = { x: x + lean * (k / 9), y: (-height * k) / 9 }
      const to = { x: x + lean * ((k + 1) / 9), y: (-height * (k + 1)) / 9 + 0.8 }
      form(context, capsule(at, 1.9 - k * 0.08, to, 1.8 - k * 0.08), tone, { depth: 0.7 })
      fill(context, ellipse(at.x, at.y, 2.2 - k * 0.08, 0.6), shade(tone, 0.3))
      if (k < 4) continue
      for (const side of [-1, 1]) {
        for (let leaf = 0; leaf < 3; leaf++)
          fill(
            context,
            ellipse(at.x + side * (4 + leaf * 2.2), at.y + leaf * 1.6 - 1, 4.4, 0.95, side * (0.35 + leaf * 0.3)),
            shade('#5f9a3c', leaf * 0.12 - 0.1),
          )
      }
    }
  }
}

export function cactus({ context, random }: Easel): void {
  const green = '#4f8f56'
  const arm = (points: number[], width: number) => {
    line(context, points, { width, colour: shade(green, -0.24) })
    line(
      context,
      points.map((value, index) => (index % 2 ? value : value - width * 0.12)),
      { width: width * 0.74, colour: green },
    )
    for (const shift of [-0.24, 0.02, 0.26])
      line(
        context,
        points.map((value, index) => (index % 2 ? value : value + width * shift)),
        { width: width * 0.05, colour: shade(green, 0.28) },
      )
  }
  const left = random.between(-40, -34)
  arm([-2, left, -20, left + 2, -23, left - 8, -23, left - 26], 9)
  arm([2, -30, 18, -30, 21, -38, 21, -58], 8.4)
  arm([0, -1, 0, -50, 0, -93], 14)
  for (const [x, y] of [
    [0, -99],
    [-23, left - 30],
    [21, -62],
  ] as const)
    for (let i = 0; i < 5; i++)
      fill(context, ellipse(x + Math.cos(i * 1.257) * 2, y + Math.sin(i * 1.257) * 1.5, 1.8, 1.8), i % 2 ? '#f08fb0' : '#f6aac4')
}

export function stump({ context }: Easel): void {
  form(context, blob([-62, 2, -50, -18, -46, -86, 46, -86, 50, -18, 64, 2, 30, -4, 0, 3, -32, -4]), '#7a5436', { depth: 12 })
  for (const x of [-34, -14, 8, 28]) line(context, [x, -80, x + 2, -40, x - 3, -6], { width: 1.8, colour: '#54381f' })
  form(context, ellipse(0, -86, 46, 13), '#d9b07c', { depth: 4, amount: 0.1 })
  for (const r of [34, 22, 10]) {
    context.strokeStyle = '#b0804e'
    context.lineWidth = 1.6
    context.stroke(ellipse(-2, -86, r, r * 0.28))
  }
}

export function log({ context }: Easel): void {
  form(context, rectangle(-190, -92, 370, 92, 34), '#7a5436', { depth: 14 })
  for (const [x, y] of pairs([-140, -66, -60, -40, 40, -70, 90, -30]))
    line(context, [x, y, x + 40, y + 3, x + 84, y - 2], { width: 3, colour: '#54381f' })
  form(context, ellipse(176, -46, 24, 46), '#d9b07c', { depth: 5, amount: 0.1 })
  for (const r of [34, 22, 10]) {
    context.strokeStyle = '#b0804e'
    context.lineWidth = 3
    context.stroke(ellipse(176, -46, r * 0.52, r))
  }
  form(context, ellipse(-90, -93, 36, 9), '#6f9a44', { depth: 3 })
}
