import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import type { PersonLook } from '../../scene.ts'
import { blob, ellipse, fill, form, inside, line } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Outfit } from './clothes.ts'
import type { Build, Stance } from './poses.ts'

/** Coordinates of a head: the origin is its middle, `w` and `h` are half its width and height,
 *  `look` is the sideways shift of the face. */
export interface HeadFrame {
  w: number
  h: number
  look: number
}

export function headFrame(build: Build, stance: Stance): HeadFrame {
  return { w: build.headWidth / 2, h: build.headHeight / 2, look: stance.turn * build.headWidth * 0.13 }
}

function headShape({ w, h, look }: HeadFrame) {
  const s = look * 0.35
  return blob([
    [s * 0.2, -h],
    [w * 0.86, -h * 0.56],
    [w * 0.98 + s * 0.2, h * 0.06],
    [w * 0.72 + s, h * 0.68],
    [s * 1.6, h],
    [-w * 0.72 + s * 0.6, h * 0.68],
    [-w * 0.98 + s * 0.2, h * 0.06],
    [-w * 0.86, -h * 0.56],
  ])
}

/** Draws the head with ears and face, without hair. */
export function paintHead(context: SKRSContext2D, frame: HeadFrame, outfit: Outfit, look: PersonLook, stance: Stance): void {
  paintEars(context, frame, outfit)
  const skull = headShape(frame)
  form(context, skull, outfit.skin, { depth: frame.w * 0.22, amount: 0.13 })
  inside(context, skull, () => {
    const blush = outfit.face === 'zombie' || outfit.face === 'vampire' ? 0.08 : 0.3
    for (const side of [-1, 1]) {
      const x = frame.look + side * frame.w * 0.56
      const gradient = context.createRadialGradient(x, frame.h * 0.36, 0, x, frame.h * 0.36, frame.w * 0.3)
      gradient.addColorStop(0, `rgba(235,92,84,${blush})`)
      gradient.addColorStop(1, 'rgba(235,92,84,0)')
      context.fillStyle = gradient
      context.fillRect(x - frame.w, -frame.h, frame.w * 2, frame.h * 2)
    }
  })
  if (outfit.isFreckled) freckles(context, frame, outfit.skin)
  paintFace(context, frame, outfit, look, stance)
}

function freckles(context: SKRSContext2D, { w, h, look }: HeadFrame, skin: string): void {
  for (const side of [-1, 1])
    for (const [x, y] of pairs([0.34, 0.3, 0.48, 0.26, 0.6, 0.34, 0.42, 0.4, 0.56, 0.45, 0.24, 0.36]))
      fill(context, ellipse(look * 1.25 + side * x * w, y * h, w * 0.035, w * 0.035), shade(skin, -0.3))
}

function paintEars(context: SKRSContext2D, { w, h, look }: HeadFrame, outfit: Outfit): void {
  for (const side of [-1, 1]) {
    const x = side * w * 0.98 - look * 0.55
    if (outfit.isElf) {
      form(context, blob([x - side * w * 0.12, -h * 0.06, x + side * w * 0.5, -h * 0.42, x + side * w * 0.1, h * 0.28]), outfit.skin, {
        depth: 0.5,
      })
      continue
    }
    form(context, ellipse(x, h * 0.12, w * 0.17, h * 0.2), outfit.skin, { depth: 0.5 })
    fill(context, ellipse(x + side * w * 0.01, h * 0.13, w * 0.09, h * 0.11), shade(outfit.skin, -0.2))
  }
}

function paintFace(context: SKRSContext2D, frame: HeadFrame, outfit: Outfit, look: PersonLook, stance: Stance): void {
  const { w, h } = frame
  const young = look.age === 'baby' || look.age === 'child'
  const eyeY = young ? h * 0.14 : h * 0.04
  const spread = w * (young ? 0.42 : 0.4)
  const ink = '#2a1c1c'
  for (const side of [-1, 1]) {
    const near = 1 - 0.16 * stance.turn * (side > 0 ? 1 : 0)
    const x = frame.look * 1.25 + side * spread * near
    paintEye(context, { x, y: eyeY, rx: w * (young ? 0.115 : 0.095) * near, ry: h * (young ? 0.15 : 0.118), side }, outfit, look, stance)
    paintBrow(context, { x, y: eyeY - h * (young ? 0.27 : 0.25), half: w * 0.17 * near, side, slant: stance.brows }, outfit, look)
  }
  const noseX = frame.look * 1.7
  line(context, [noseX - w * 0.02, eyeY + h * 0.2, noseX + w * 0.09, eyeY + h * 0.31, noseX - w * 0.06, eyeY + h * 0.34], {
    width: w * 0.055,
    colour: shade(outfit.skin, -0.34),
  })
  if (stance.hasTears)
    for (const side of [-1, 1])
      form(context, ellipse(frame.look * 1.25 + side * w * 0.5, eyeY + h * 0.34, w * 0.075, h * 0.15), '#7cc4f2', { depth: 0.2 })
  if (outfit.face === 'clown') clownFace(context, frame, noseX, eyeY)
  paintMouth(context, { x: frame.look * 1.4, y: h * (young ? 0.6 : 0.57), half: w * 0.25 }, outfit, stance, ink)
  if (look.age === 'elder') wrinkles(context, frame, outfit.skin, eyeY)
}

interface EyeSpot {
  x: number
  y: number
  rx: number
  ry: number
  side: number
}

function paintEye(context: SKRSContext2D, eye: EyeSpot, outfit: Outfit, look: PersonLook, stance: Stance): void {
  const { x, y, rx, ry, side } = eye
  const ink = outfit.face === 'zombie' ? '#5a2a2a' : '#2b1a17'
  if (stance.eyes !== 'open') {
    const dip = stance.eyes === 'closed' ? ry * 0.5 : ry * 0.35
    line(context, [x - rx * 1.25, y, x, y + dip, x + rx * 1.25, y], { width: rx * 0.55, colour: ink })
  } else {
    fill(context, ellipse(x, y, rx * 1.3, ry * 1.12), '#fdfaf6')
    const gaze = x + stance.turn * rx * 0.3
    fill(context, ellipse(gaze, y + ry * 0.06, rx * 0.98, ry), ink)
    fill(context, ellipse(gaze, y + ry * 0.1, rx * 0.8, ry * 0.82), outfit.eyeColour)
    fill(context, ellipse(gaze, y + ry * 0.06, rx * 0.5, ry * 0.52), ink)
    fill(context, ellipse(x + stance.turn * rx * 0.3 - rx * 0.32, y - ry * 0.36, rx * 0.36, ry * 0.33), '#ffffff')
    line(context, [x - rx * 1.3, y - ry * 0.55, x, y - ry * 1.12, x + rx * 1.3, y - ry * 0.55], { width: rx * 0.34, colour: ink })
  }
  if (look.gender === 'woman' || outfit.hairStyle === 'tails') {
    line(context, [x + side * rx * 1.2, y - ry * 0.5, x + side * rx * 1.85, y - ry * 1.0], { width: rx * 0.4, colour: ink })
  }
}

function paintBrow(
  context: SKRSContext2D,
  brow: { x: number; y: number; half: number; side: number; slant: number },
  outfit: Outfit,
  look: PersonLook,
): void {
  const { x, y, half, side, slant } = brow
  const colour = shade(outfit.hairColour, look.age === 'elder' ? -0.08 : -0.25)
  const width = half * (look.gender === 'woman' || look.age === 'child' ? 0.26 : 0.38)
  line(context, [x - side * half, y + half * (0.16 + slant), x, y - half * 0.22, x + side * half, y + half * (0.2 - slant * 0.6)], {
    width,
    colour,
  })
}

function paintMouth(
  context: SKRSContext2D,
  mouth: { x: number; y: number; half: number },
  outfit: Outfit,
  stance: Stance,
  ink: string,
): void {
  const { x, y, half } = mouth
  const lip = outfit.face === 'clown' ? '#c8202a' : shade(outfit.skin, -0.5)
  if (stance.mouth === 'open' || stance.mouth === 'laugh') {
    const height = stance.mouth === 'open' ? half * 0.95 : half * 0.62
    const shape =
      stance.mouth === 'open'
        ? ellipse(x, y + half * 0.1, half * 0.62, height)
        : blob([
            x - half,
            y - half * 0.22,
            x,
            y - half * 0.1,
            x + half,
            y - half * 0.22,
            x + half * 0.5,
            y + height,
            x - half * 0.5,
            y + height,
          ])
    fill(context, shape, '#7c2430')
    inside(context, shape, () => {
      fill(context, ellipse(x, y + height * 1.05, half * 0.7, height * 0.55), '#e2707a')
      fill(context, ellipse(x, y - half * 0.3, half * 0.9, half * 0.34), '#ffffff')
    })
    return
  }
  const curve = stance.mouth === 'calm' ? half * 0.2 : stance.mouth === 'frown' ? half * -0.45 : half * 0.5
  line(context, [x - half * 0.82, y - curve * 0.4, x, y + curve * 0.6, x + half * 0.82, y - curve * 0.4], {
    width: half * 0.22,
    colour: lip,
  })
  if (outfit.face === 'vampire') {
    for (const side of [-1, 1])
      fill(
        context,
        blob([x + side * half * 0.5, y, x + side * half * 0.28, y + half * 0.06, x + side * half * 0.4, y + half * 0.55]),
        '#ffffff',
      )
  }
  if (outfit.face === 'zombie')
    line(context, [x - half, y + half * 0.2, x - half * 0.2, y + half * 0.4], { width: half * 0.12, colour: ink })
}

function clownFace(context: SKRSContext2D, { w, h }: HeadFrame, noseX: number, eyeY: number): void {
  fill(context, ellipse(noseX * 0.8, h * 0.58, w * 0.46, h * 0.24), '#ffffff')
  form(context, ellipse(noseX, eyeY + h * 0.28, w * 0.19, w * 0.19), '#e2342f', { depth: w * 0.05 })
}

function wrinkles(context: SKRSContext2D, { w, h, look }: HeadFrame, skin: string, eyeY: number): void {
  const colour = shade(skin, -0.25)
  for (const side of [-1, 1]) {
    const x = look * 1.25 + side * w * 0.4
    line(context, [x - w * 0.11, eyeY + h * 0.21, x + w * 0.1, eyeY + h * 0.2], { width: w * 0.035, colour })
    line(context, [x + side * w * 0.24, eyeY - h * 0.02, x + side * w * 0.36, eyeY - h * 0.1], { width: w * 0.035, colour })
  }
  line(context, [look - w * 0.3, -h * 0.42, look + w * 0.3, -h * 0.42], { width: w * 0.035, colour })
}
