import type { SKRSContext2D } from '@napi-rs/canvas'
import { blob, ellipse, form, inside, line, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Outfit } from './clothes.ts'
import type { HeadFrame } from './head.ts'

/** The details of clothes that are also visible from behind, by their `kind`. */
const allRound = /^(belt|reflective|stripes|fur|gloves|tutu|tartan|backpack|wings|fairy-wings|cape|life-support|swimwear|tail|apron-low)$/

/** Returns the outfit as seen from behind: without ties, masks, beards and other things that lie on
 *  the front of the torso or on the face. */
export function fromBehind(outfit: Outfit): Outfit {
  const isPlain = [
    'suit',
    'jacket',
    'coat',
    'shirt',
    'vest',
    'hoodie',
    'robe',
    'kimono',
    'dress',
    'overall',
    'spacesuit',
    'armour',
  ].includes(outfit.top)
  return {
    ...outfit,
    ...(isPlain ? { shirtColour: outfit.topColour } : {}),
    trims: outfit.trims.filter(trim => allRound.test(trim.kind)),
    wears: outfit.wears.filter(worn => !/glasses|goggles|mask|patch|moustache|veil/.test(worn.kind)),
    beard: false,
  }
}

/** Draws the back of a head: ears and hair, or a bald skull. */
export function paintHeadBack(context: SKRSContext2D, { w, h, look }: HeadFrame, outfit: Outfit): void {
  for (const side of [-1, 1]) form(context, ellipse(side * w * 0.98 - look * 0.5, h * 0.12, w * 0.15, h * 0.2), outfit.skin, { depth: 0.5 })
  const skull = blob(scaled([0, -1.08, 0.86, -0.66, 1, 0.06, 0.7, 0.74, 0, 0.98, -0.7, 0.74, -1, 0.06, -0.86, -0.66], [w, h]))
  form(context, skull, outfit.skin, { depth: w * 0.2, amount: 0.13 })
  if (outfit.hairStyle === 'bald') return
  const isLong = outfit.hairStyle === 'long' || outfit.hairStyle === 'bob'
  const hair = blob([
    [0, -h * 1.12],
    [w * 0.92, -h * 0.7],
    [w * 1.06, h * 0.02],
    [w * 0.82, h * (isLong ? 0.86 : 0.5)],
    [0, h * (isLong ? 1.06 : 0.72)],
    [-w * 0.82, h * (isLong ? 0.86 : 0.5)],
    [-w * 1.06, h * 0.02],
    [-w * 0.92, -h * 0.7],
  ])
  form(context, hair, outfit.hairColour, { depth: w * 0.22, amount: 0.18 })
  inside(context, hair, () => {
    for (const x of [-0.5, -0.16, 0.2, 0.52])
      line(context, [x * w * 0.4, -h, x * w * 1.1, -h * 0.1, x * w, h * 0.9], { width: w * 0.04, colour: shade(outfit.hairColour, -0.25) })
  })
}
