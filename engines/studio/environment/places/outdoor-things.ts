import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { css, mix, rgb } from '../colour.ts'
import { farTone } from '../far-tone.ts'
import { screened } from '../screened.ts'
import { drawBox, fillPolygon, fillRects, frontPlane, type Shine } from '../solid.ts'
import type { Stage } from '../stage.ts'

/** Returns the light for boxes drawn outdoors. */
export function outdoorShine(stage: Stage, z = 0, clearness = 400): Shine {
  return { side: stage.sun.side > 0 ? 0.8 : -0.8, tone: (colour, amount) => farTone(stage, colour, amount, z, clearness) }
}

/** Draws a wooden fence from side to side of the picture, with a gap. */
export function fence(context: SKRSContext2D, stage: Stage, at: { z: number; height: number; gap: readonly [number, number] }): void {
  const { view } = stage
  const plane = frontPlane(view, at.z)
  const shine = outdoorShine(stage, at.z)
  const half = ((stage.width / 2) * at.z) / view.focal + 2
  const wood = css(shine.tone(rgb('#b59b7c'), 0.7))
  const dark = css(shine.tone(rgb('#7d6850'), 0.4))
  for (const [u0, u1] of [
    [-half, at.gap[0]],
    [at.gap[1], half],
  ] as const) {
    if (u1 <= u0) continue
    fillRects(
      context,
      plane,
      [0.42, 0.8].map(v => [u0, v * at.height, u1, v * at.height + 0.1] as const),
      wood,
    )
    fillRects(
      context,
      plane,
      [0.42, 0.8].map(v => [u0, v * at.height - 0.02, u1, v * at.height] as const),
      dark,
    )
    const posts: (readonly [number, number, number, number])[] = []
    for (let u = u0; u <= u1; u += 1.9) posts.push([u, 0, u + 0.13, at.height])
    fillRects(context, plane, posts, wood)
    fillRects(
      context,
      plane,
      posts.map(([, b, c, d]) => [c - 0.04, b, c, d] as const),
      dark,
    )
  }
}

export function lampPost(context: SKRSContext2D, stage: Stage, at: { x: number; z: number }): void {
  const plane = frontPlane(stage.view, at.z)
  const dark = css(outdoorShine(stage, at.z).tone(rgb('#2f3a38'), 0.4))
  fillRects(
    context,
    plane,
    [
      [at.x - 0.05, 0, at.x + 0.05, 3],
      [at.x - 0.11, 0, at.x + 0.11, 0.35],
      [at.x - 0.16, 2.96, at.x + 0.16, 3.02],
      [at.x - 0.13, 3.48, at.x + 0.13, 3.55],
    ],
    dark,
  )
  fillPolygon(
    context,
    plane,
    pairs([at.x - 0.1, 3.02, at.x + 0.1, 3.02, at.x + 0.15, 3.48, at.x - 0.15, 3.48]),
    stage.palette.isDim ? '#ffe2a0' : css(mix(stage.palette.sky[3], rgb('#ffffff'), 0.4), 0.8),
  )
  if (!stage.palette.isDim) return
  const c = plane(at.x, 3.25)
  const radius = (2.4 * stage.view.focal) / at.z
  screened(context, () => {
    const gradient = context.createRadialGradient(c.x, c.y, 0, c.x, c.y, radius)
    gradient.addColorStop(0, 'rgba(255,206,130,0.7)')
    gradient.addColorStop(0.3, 'rgba(255,190,110,0.2)')
    gradient.addColorStop(1, 'rgba(255,180,100,0)')
    context.fillStyle = gradient
    context.fillRect(c.x - radius, c.y - radius, radius * 2, radius * 2)
  })
}

export function bench(context: SKRSContext2D, stage: Stage, at: { x: number; z: number }): void {
  const shine = outdoorShine(stage, at.z)
  const wood = rgb('#9a6b42')
  for (const x of [at.x - 0.7, at.x + 0.62])
    drawBox(context, stage.view, { x: [x, x + 0.08], y: [0, 0.85], z: [at.z, at.z + 0.4], colour: rgb('#34393a') }, shine)
  for (const y of [0.55, 0.72])
    drawBox(context, stage.view, { x: [at.x - 0.8, at.x + 0.8], y: [y, y + 0.11], z: [at.z + 0.36, at.z + 0.4], colour: wood }, shine)
  drawBox(context, stage.view, { x: [at.x - 0.8, at.x + 0.8], y: [0.4, 0.46], z: [at.z, at.z + 0.4], colour: wood }, shine)
}
