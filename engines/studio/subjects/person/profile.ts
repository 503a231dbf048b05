import type { SKRSContext2D } from '@napi-rs/canvas'
import { blob, ellipse, fill, form, line, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Outfit } from './clothes.ts'
import type { HeadFrame } from './head.ts'
import type { Stance } from './poses.ts'

/** Draws a head in profile, facing right. One eye is visible; the nose and the chin are parts of
 *  the outline. */
export function paintProfile(context: SKRSContext2D, frame: HeadFrame, outfit: Outfit, stance: Stance): void {
  const { w, h } = frame
  const skull = blob(
    scaled(
      [
        -0.06, -1, 0.62, -0.72, 0.86, -0.2, 0.86, 0.02, 1.12, 0.3, 0.9, 0.4, 0.9, 0.62, 0.7, 0.98, 0.2, 0.92, -0.5, 0.72, -0.96, 0.1, -0.8,
        -0.62,
      ],
      [w, h],
    ),
  )
  form(context, skull, outfit.skin, { depth: w * 0.2, amount: 0.13 })
  form(context, ellipse(-w * 0.14, h * 0.14, w * 0.16, h * 0.2), shade(outfit.skin, -0.06), { depth: 0.5 })
  fill(context, ellipse(w * 0.4, h * 0.42, w * 0.2, h * 0.13), 'rgba(235,92,84,0.16)')
  eye(context, frame, outfit, stance)
  mouthOf(context, frame, outfit, stance)
}

function eye(context: SKRSContext2D, { w, h }: HeadFrame, outfit: Outfit, stance: Stance): void {
  const x = w * 0.6
  const y = h * 0.04
  if (stance.eyes === 'open') {
    fill(context, ellipse(x, y, w * 0.1, h * 0.13), '#fdfaf6')
    fill(context, ellipse(x + w * 0.03, y, w * 0.08, h * 0.115), '#2b1a17')
    fill(context, ellipse(x + w * 0.05, y + h * 0.01, w * 0.045, h * 0.07), outfit.eyeColour)
    fill(context, ellipse(x + w * 0.02, y - h * 0.04, w * 0.025, h * 0.03), '#ffffff')
  } else line(context, [x - w * 0.1, y, x, y + h * 0.06, x + w * 0.1, y], { width: w * 0.06, colour: '#2b1a17' })
  const tilt = stance.brows * h * 0.08
  line(context, [x - w * 0.14, y - h * 0.22 - tilt, x + w * 0.16, y - h * 0.24 + tilt], {
    width: w * 0.07,
    colour: shade(outfit.hairColour, -0.2),
  })
}

function mouthOf(context: SKRSContext2D, { w, h }: HeadFrame, outfit: Outfit, stance: Stance): void {
  if (stance.mouth === 'open' || stance.mouth === 'laugh') {
    fill(context, blob(scaled([0.5, 0.54, 0.88, 0.5, 0.86, 0.72, 0.66, 0.74], [w, h])), '#7c2430')
    return
  }
  const lift = stance.mouth === 'frown' ? 0.07 : stance.mouth === 'calm' ? 0 : -0.06
  line(context, [w * 0.54, h * (0.58 + lift), w * 0.7, h * 0.6, w * 0.88, h * 0.56], {
    width: w * 0.06,
    colour: shade(outfit.skin, -0.5),
  })
}

/** Draws the hair of a head seen from the side. */
export function paintProfileHair(context: SKRSContext2D, { w, h }: HeadFrame, outfit: Outfit): void {
  if (outfit.hairStyle === 'bald') return
  const isLong = outfit.hairStyle === 'long' || outfit.hairStyle === 'bob'
  const nape = isLong ? 1.05 : 0.6
  const hair = blob([
    [0, -h * 1.1],
    [w * 0.66, -h * 0.86],
    [w * 0.84, -h * 0.42],
    [w * 0.5, -h * 0.5],
    [w * 0.22, -h * 0.3],
    [w * 0.06, -h * 0.02],
    [-w * (isLong ? 0.04 : 0.34), h * 0.14],
    [-w * (isLong ? 0.2 : 0.46), h * nape],
    [-w * 0.86, h * nape * 0.9],
    [-w * 1.08, -h * 0.05],
    [-w * 0.84, -h * 0.8],
  ])
  form(context, hair, outfit.hairColour, { depth: w * 0.14, amount: 0.18 })
}
