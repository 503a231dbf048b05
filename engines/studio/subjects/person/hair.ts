import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { blob, ellipse, fill, form, inside, line, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Outfit } from './clothes.ts'
import type { HeadFrame } from './head.ts'

/** Draws the hair that is visible behind the head and the body. Draws nothing for styles without
 *  such hair. */
export function paintBackHair(context: SKRSContext2D, { w, h, look }: HeadFrame, outfit: Outfit): void {
  backs[outfit.hairStyle]?.({ context, w, h, look, x: -look * 0.5, outfit, dark: shade(outfit.hairColour, -0.22) })
}

interface HairSpot extends HeadFrame {
  context: SKRSContext2D
  /** Middle of the back of the head. */
  x: number
  outfit: Outfit
  dark: string
}

const backs: Record<string, (spot: HairSpot) => void> = {
  long: ({ context, w, h, x, dark }) => {
    form(
      context,
      blob(scaled([0, -1.06, 1.08, -0.4, 1.16, 0.8, 0.95, 2.05, 0, 2.25, -1.1, 2.05, -1.24, 0.8, -1.1, -0.4], [w, h], [x, 0])),
      dark,
      { depth: w * 0.2 },
    )
  },
  bob: ({ context, w, h, x, dark }) => {
    form(context, blob(scaled([0, -1.06, 1.12, -0.3, 1.18, 0.72, 0.6, 0.98, -0.7, 0.98, -1.22, 0.72, -1.12, -0.3], [w, h], [x, 0])), dark, {
      depth: w * 0.2,
    })
  },
  curly: ({ context, w, h, look, dark }) => {
    curls(context, { w, h, look }, dark, 0.34)
  },
  afro: ({ context, w, h, x, dark }) => {
    form(context, ellipse(x, -h * 0.3, w * 1.5, h * 1.32), dark, { depth: w * 0.25 })
  },
  ponytail: ({ context, w, h, x, dark }) => {
    form(context, blob(scaled([-0.55, -0.85, -1.3, -0.9, -1.75, -0.1, -1.45, 1.1, -1.2, 0.3, -0.9, -0.35], [w, h], [x, 0])), dark, {
      depth: w * 0.12,
    })
  },
  tails: ({ context, w, h, x, outfit }) => {
    for (const side of [-1, 1]) {
      form(context, blob(scaled([0.9, -0.05, 1.38, 0.16, 1.46, 0.8, 1.18, 1.42, 1.02, 0.7], [side * w, h], [x, 0])), outfit.hairColour, {
        depth: w * 0.1,
      })
    }
  },
  bun: ({ context, w, h, x, outfit }) => {
    form(context, ellipse(x - w * 0.1, -h * 1.16, w * 0.48, h * 0.4), outfit.hairColour, { depth: w * 0.14 })
  },
}

function curls(context: SKRSContext2D, { w, h, look }: HeadFrame, colour: string, size: number): void {
  for (let i = 0; i < 15; i++) {
    const angle = Math.PI * (0.86 + (1.28 * i) / 14)
    form(context, ellipse(Math.cos(angle) * w * 1.08 - look * 0.4, Math.sin(angle) * h * 0.98 - h * 0.08, w * size, w * size), colour, {
      depth: w * 0.07,
    })
  }
}

/** Draws the hair on the head: the top, a fringe, and strands beside the face. */
export function paintFrontHair(context: SKRSContext2D, frame: HeadFrame, outfit: Outfit): void {
  const { w, h, look } = frame
  const colour = outfit.hairColour
  if (outfit.hairStyle === 'bald') {
    fill(context, ellipse(-w * 0.3, -h * 0.62, w * 0.26, h * 0.14, -0.5), '#ffffff55')
    return
  }
  const cap = capShape(frame, outfit)
  form(context, cap, colour, { depth: w * 0.12, amount: 0.18 })
  inside(context, cap, () => {
    const shine = shade(colour, 0.28)
    line(context, [-w * 0.62 + look, -h * 0.52, -w * 0.2 + look, -h * 0.78, w * 0.34 + look, -h * 0.8], {
      width: w * 0.09,
      colour: `${shine}99`,
    })
    line(context, [-w * 0.1 + look, -h, w * 0.16 + look, -h * 0.74, w * 0.5 + look, -h * 0.5], {
      width: w * 0.045,
      colour: shade(colour, -0.3),
    })
  })
  if (outfit.hairStyle === 'curly')
    for (const [x, y] of pairs([-0.72, -0.62, -0.36, -0.84, 0.02, -0.9, 0.4, -0.82, 0.74, -0.58, -0.9, -0.22, 0.92, -0.2]))
      form(context, ellipse(x * w, y * h, w * 0.27, w * 0.27), colour, { depth: w * 0.06 })
  if (outfit.hairStyle === 'tails')
    for (const side of [-1, 1]) fill(context, ellipse(side * w * 1.02 - look * 0.5, h * 0.02, w * 0.11, w * 0.13), '#e2506b')
}

/** Returns the outline of the hair on the head; its lower edge is the hairline. */
function capShape(frame: HeadFrame, outfit: Outfit) {
  const { w, h, look } = frame
  const l = look
  const isLong = outfit.hairStyle === 'long' || outfit.hairStyle === 'bob'
  const side = isLong ? h * 0.62 : outfit.hairStyle === 'short' ? h * 0.02 : h * 0.1
  const swell = outfit.hairStyle === 'afro' ? 1.16 : 1.07
  return blob([
    [-l * 0.1, -h * swell * 1.02],
    [w * 0.72, -h * 0.86 * swell],
    [w * 1.05, -h * 0.3],
    [w * 1.05, side],
    [w * 0.9 + l * 0.1, side - h * 0.02],
    [w * 0.84 + l * 0.2, -h * 0.18],
    [w * 0.5 + l, -h * 0.46],
    [w * 0.12 + l, -h * 0.5],
    [-w * 0.28 + l, -h * 0.34],
    [-w * 0.66 + l * 0.6, -h * 0.26],
    [-w * 0.84 + l * 0.3, -h * 0.02],
    [-w * 0.92, side - h * 0.02],
    [-w * 1.06, side],
    [-w * 1.08, -h * 0.3],
    [-w * 0.74, -h * 0.86 * swell],
  ])
}

export function paintBeard(context: SKRSContext2D, frame: HeadFrame, outfit: Outfit): void {
  const { w, h, look } = frame
  const x = look * 1.2
  const long = outfit.hasLongBeard ? 1 : 0
  const beard = blob([
    [x - w * 0.96, h * 0.05],
    [x - w * 0.74, h * 0.36],
    [x - w * 0.3, h * 0.4],
    [x, h * 0.34],
    [x + w * 0.3, h * 0.4],
    [x + w * 0.7, h * 0.36],
    [x + w * 0.9, h * 0.05],
    [x + w * 0.84, h * 0.85],
    [x + w * (0.4 + long * 0.2), h * (1.42 + long * 0.5)],
    [x, h * (1.62 + long * 1.3)],
    [x - w * (0.44 + long * 0.2), h * (1.42 + long * 0.5)],
    [x - w * 0.9, h * 0.85],
  ])
  form(context, beard, outfit.hairColour, { depth: w * 0.14, amount: 0.16 })
  const dark = shade(outfit.hairColour, -0.22)
  for (const dx of [-0.32, 0.04, 0.36]) line(context, [x + dx * w, h * 0.9, x + dx * w * 0.7, h * 1.24], { width: w * 0.04, colour: dark })
  form(
    context,
    blob(scaled([0, 0.42, -0.26, 0.36, -0.52, 0.58, -0.2, 0.58, 0, 0.52, 0.2, 0.58, 0.52, 0.58, 0.26, 0.36], [w, h], [x, 0])),
    shade(outfit.hairColour, 0.15),
    { depth: w * 0.05 },
  )
  line(context, [x - w * 0.16, h * 0.66, x, h * 0.72, x + w * 0.16, h * 0.66], { width: w * 0.06, colour: '#8c3b3b' })
}
