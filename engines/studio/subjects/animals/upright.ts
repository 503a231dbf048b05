import type { SKRSContext2D } from '@napi-rs/canvas'
import { words } from '../../language/lexicon/senses.ts'
import type { PersonLook } from '../../scene.ts'
import type { Point } from '../artwork.ts'
import { blob, ellipse, fill, form, inside, line, polygon } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Outfit } from '../person/clothes.ts'
import type { Creature } from '../person/creature.ts'
import type { Build, Skeleton } from '../person/poses.ts'
import { paintMarkings } from './markings.ts'
import { paintTail } from './tails.ts'
import { type UprightLook, uprightLook } from './upright-looks.ts'
import { paintHeadwear } from './worn.ts'

/** Returns the body of an animal that acts like a person; undefined when the name (of a rig or
 *  emoji) has no such appearance. */
export function uprightCreature(name: string, colour: string | undefined): Creature | undefined {
  const look = uprightLook(name, colour)
  return look && creatureOf(look)
}

function creatureOf(look: UprightLook): Creature {
  return {
    build: buildOf(look),
    dress: (outfit, person) => dressed(outfit, person, look),
    paintBehind: (context, bones) => paintTailBehind(context, bones, look),
    paintHead: (context, frame, { stance }) => {
      context.save()
      context.scale(frame.w, frame.h)
      look.paintHead(context, stance.eyes === 'closed')
      context.restore()
    },
    paintWorn: paintHeadwear,
    paintCoat: context => {
      if (!look.tail) return
      context.translate(0, -15)
      context.rotate(Math.PI / 2)
      paintMarkings(context, {
        ...look.tail,
        length: 40,
        depth: 34,
        markings: look.tail.markings.filter(marking => allAround.has(marking)),
      })
    },
    paintLimbs: (context, bones, outfit) => paintLimbs(context, bones, outfit, look),
  }
}

/** Patterns of the coat that look the same on all sides of the body, so that they can also be drawn
 *  on the belly of an upright animal. A saddle, for example, belongs only on the back. */
const allAround: ReadonlySet<string> = new Set(words('stripes, zebra, giraffe, rosettes, dots, spots, tabby, wool, curls, patches, calico'))

/** Returns body proportions with a larger head, a broader trunk and shorter limbs than a
 *  person's. */
function buildOf({ headSize, neck, isLong }: UprightLook): Build {
  return {
    headHeight: (isLong ? 25 : 28) * headSize,
    headWidth: (isLong ? 31 : 33) * headSize,
    neck: neck + (isLong ? 5 : 0.2),
    torso: 31,
    shoulder: 10.2,
    hip: 10,
    upperArm: 12.4,
    foreArm: 11.4,
    thigh: 13.5,
    shin: 13,
    arm: 4.1,
    leg: 6,
  }
}

const legwear = /trouser|pants|jean|short|legging|suit|tux|gown|dress|skirt|kilt|robe|kimono|armou?r|uniform|overall|gi$|pyjama/
const topless = /^(trousers|pants|jeans|leggings|shorts|skirt|kilt|boots|shoes|sneakers|apron|cape|cloak|scarf|belt|gloves|tie|bow-tie)$/
const shod = /boot|shoe|sneaker|armou?r|spacesuit/

/** Returns the outfit of an animal. An animal with a role wears the whole costume. On any other,
 *  a part of the body for which the prompt names no garment shows the fur: a bear in a jacket
 *  has no trousers. */
function dressed(outfit: Outfit, { clothes, role }: PersonLook, look: UprightLook): Outfit {
  const hasLegs = role !== undefined || clothes.some(({ kind }) => legwear.test(kind))
  const hasTop = role !== undefined || clothes.some(({ kind }) => !topless.test(kind))
  const hasShoes = role !== undefined || clothes.some(({ kind }) => shod.test(kind))
  const fur = { skin: look.coat, hairStyle: 'bald' as const, beard: false, isElf: false }
  const trims = hasTop ? outfit.trims : [{ kind: 'belly', colour: look.belly }, ...outfit.trims]
  const { skirt, ...rest } = outfit
  const keepsSkirt = skirt !== undefined && (hasTop || hasLegs)
  return {
    ...rest,
    ...fur,
    trims,
    ...(keepsSkirt ? { skirt } : {}),
    ...(hasLegs ? {} : { legs: 'bare' as const }),
    ...(hasTop ? {} : { top: 'bare' as const, sleeves: 'none' as const }),
    ...(hasShoes ? {} : { shoes: 'bare' as const }),
  }
}

/** The body length, in units, from which the tail of an upright animal is derived. The real length
 *  of a long body would give a tail that drags on the ground. */
const tailLength = 44

function paintTailBehind(context: SKRSContext2D, bones: Skeleton, { tail, limb, coat, belly }: UprightLook): void {
  const root = { x: bones.hips.x - bones.build.hip * 0.7, y: bones.hips.y - 1 }
  if (tail) {
    paintTail(context, {
      pose: 'standing',
      species: { ...tail, length: tailLength, legWidth: Math.min(tail.tail === 'tuft' || tail.tail === 'thin' ? 5.5 : 9, tail.legWidth) },
      body: bones.hips,
      tilt: 0,
      legs: [],
      neckBase: bones.chest,
      head: bones.head,
      tailBase: root,
      lift: 0,
    })
    return
  }
  const { x, y } = root
  if (limb === 'wing')
    form(context, blob([x + 6, y - 8, x - 8, y - 2, x - 17, y + 7, x - 10, y + 8, x - 12, y + 12, x + 2, y + 6]), shade(coat, -0.12), {
      depth: 1,
    })
  else if (belly !== coat)
    form(context, blob([x + 6, y - 7, x - 9, y + 2, x - 20, y + 12, x - 32, y + 14, x - 20, y + 18, x - 4, y + 12, x + 6, y + 6]), coat, {
      depth: 1.6,
    })
}

function paintLimbs(context: SKRSContext2D, bones: Skeleton, outfit: Outfit, look: UprightLook): void {
  const isGloved = outfit.top === 'spacesuit' || outfit.top === 'armour' || outfit.trims.some(trim => trim.kind === 'gloves')
  if (!isGloved) {
    for (const [elbow, hand] of [
      [bones.elbowA, bones.handA],
      [bones.elbowB, bones.handB],
    ] as const)
      hands[look.limb](context, { at: hand, from: elbow, size: bones.build.arm, look })
  }
  if (outfit.shoes !== 'bare') return
  for (const foot of [bones.footA, bones.footB]) feet(context, foot, bones.build.leg, look)
}

interface HandSpot {
  at: Point
  from: Point
  size: number
  look: UprightLook
}

const hands: Record<UprightLook['limb'], (context: SKRSContext2D, spot: HandSpot) => void> = {
  paw: (context, { at, size, look }) => {
    if (look.limbColour !== look.coat)
      form(context, ellipse(at.x, at.y + size * 0.2, size * 1.1, size * 1.15), look.limbColour, { depth: 0.6 })
    for (const side of [-0.4, 0.4])
      line(context, [at.x + side * size, at.y + size * 0.6, at.x + side * size, at.y + size * 1.2], {
        width: size * 0.16,
        colour: shade(look.limbColour, -0.35),
      })
  },
  hoof: (context, { at, size, look }) =>
    form(context, ellipse(at.x, at.y + size * 0.3, size * 1.1, size * 1.1), look.limbColour, { depth: 0.6 }),
  wing: (context, { at, from, size, look }) => {
    const length = Math.max(1, Math.hypot(at.x - from.x, at.y - from.y))
    const along = { x: (at.x - from.x) / length, y: (at.y - from.y) / length }
    for (const spread of [-0.9, 0, 0.9]) {
      const tip = { x: at.x + along.x * size * 2.6 - along.y * spread * size, y: at.y + along.y * size * 2.6 + along.x * spread * size }
      form(
        context,
        blob([
          at.x - along.y * size * 0.7,
          at.y + along.x * size * 0.7,
          tip.x,
          tip.y,
          at.x + along.y * size * 0.7,
          at.y - along.x * size * 0.7,
        ]),
        shade(look.coat, spread === 0 ? -0.06 : -0.14),
        { depth: 0.5 },
      )
    }
  },
  claw: (context, { at, size, look }) => {
    for (const side of [-0.6, 0, 0.6])
      fill(
        context,
        polygon([
          at.x + side * size - 0.8,
          at.y + size * 0.8,
          at.x + side * size + 0.8,
          at.y + size * 0.8,
          at.x + side * size,
          at.y + size * 1.6,
        ]),
        shade(look.belly, 0.2),
      )
  },
}

function feet(context: SKRSContext2D, foot: Point, size: number, look: UprightLook): void {
  const { x, y } = foot
  if (look.limb === 'wing') {
    for (const toe of [-0.5, 0.35, 1.2])
      form(context, ellipse(x + toe * size, y + size * 0.2, size * 0.6, size * 0.34), look.limbColour, { depth: 0.4 })
    return
  }
  const path = ellipse(x + size * 0.25, y, size * 1.05, size * 0.55)
  if (look.limb === 'hoof' || look.limbColour !== look.coat) form(context, path, look.limbColour, { depth: 0.6 })
  if (look.limb === 'hoof') return
  inside(context, path, () => {
    for (const toe of [0.5, 0.95])
      line(context, [x + toe * size, y - size * 0.1, x + toe * size, y + size * 0.5], {
        width: size * 0.12,
        colour: shade(look.limbColour, -0.35),
      })
  })
}
