import type { SKRSContext2D } from '@napi-rs/canvas'
import { between, blob, capsule, ellipse, fill, form, inside, limb, line, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Species } from './anatomy.ts'
import type { Frame, Leg } from './frame.ts'
import { paintMarkings } from './markings.ts'

/** Returns the outline of the trunk: its middle is the origin, the chest is to the right. */
function trunkShape({ length, depth, head }: Species) {
  const slim = head === 'canine' || head === 'feline' || head === 'deer' || head === 'equine' ? 0.82 : 1
  return blob([
    [-length * 0.5, -depth * 0.02],
    [-length * 0.46, -depth * 0.34],
    [-length * 0.26, -depth * 0.47],
    [0, -depth * 0.43],
    [length * 0.26, -depth * 0.48],
    [length * 0.45, -depth * 0.3],
    [length * 0.5, depth * 0.06],
    [length * 0.38, depth * 0.42],
    [length * 0.06, depth * 0.47 * slim],
    [-length * 0.24, depth * 0.4 * slim],
    [-length * 0.44, depth * 0.3],
  ])
}

export function paintTrunk(context: SKRSContext2D, frame: Frame): void {
  const { species, body, pose } = frame
  if (pose === 'sitting' || pose === 'rearing') {
    paintSeatedTrunk(context, frame)
    return
  }
  context.save()
  context.translate(body.x, body.y)
  context.rotate((frame.tilt * Math.PI) / 180)
  const shape = trunkShape(species)
  form(context, shape, species.coat, { depth: species.depth * 0.1, amount: 0.17 })
  inside(context, shape, () => {
    fill(context, ellipse(species.length * 0.04, species.depth * 0.52, species.length * 0.44, species.depth * 0.24), species.belly)
    fill(
      context,
      ellipse(species.length * 0.03, -species.depth * 0.42, species.length * 0.4, species.depth * 0.14),
      `${shade(species.coat, 0.24)}88`,
    )
    paintMarkings(context, species)
  })
  context.restore()
  if (pose === 'lying' || pose === 'sleeping') paintFolded(context, frame)
}

function paintSeatedTrunk(context: SKRSContext2D, frame: Frame): void {
  const { species, neckBase } = frame
  const { length, depth } = species
  const hip = { x: -length * 0.2, y: -depth * 0.5 }
  const chest = { x: neckBase.x - depth * 0.04, y: neckBase.y + depth * 0.1 }
  const shape = capsule(hip, depth * 0.5, chest, depth * 0.42)
  form(context, shape, species.coat, { depth: depth * 0.1, amount: 0.17 })
  inside(context, shape, () => {
    fill(context, ellipse(chest.x + depth * 0.26, chest.y + depth * 0.24, depth * 0.3, depth * 0.52), species.belly)
    context.translate((hip.x + chest.x) / 2, (hip.y + chest.y) / 2)
    context.rotate(Math.atan2(chest.y - hip.y, chest.x - hip.x))
    paintMarkings(context, species)
  })
}

/** Draws the haunch and hind foot of a sitting animal, in front of the trunk and the far legs. */
export function paintHaunch(context: SKRSContext2D, { species }: Frame): void {
  const { length, depth, legWidth } = species
  form(context, ellipse(-length * 0.02, -legWidth * 0.45, legWidth * 1.35, legWidth * 0.52), legColour(species), { depth: legWidth * 0.14 })
  const haunch = ellipse(-length * 0.17, -depth * 0.46, depth * 0.47, depth * 0.47, -0.3)
  form(context, haunch, species.coat, { depth: depth * 0.08, amount: 0.17 })
  inside(context, haunch, () => {
    context.translate(-length * 0.1, -depth * 0.5)
    paintMarkings(context, species)
  })
}

function legColour(species: Species): string {
  return species.hoof ? species.coat : species.socks
}

function paintFolded(context: SKRSContext2D, { species }: Frame): void {
  const { length, depth, legWidth } = species
  form(
    context,
    capsule({ x: length * 0.16, y: -legWidth * 0.5 }, legWidth * 0.55, { x: length * 0.5, y: -legWidth * 0.45 }, legWidth * 0.5),
    species.socks,
    { depth: legWidth * 0.15 },
  )
  const haunch = ellipse(-length * 0.26, -depth * 0.36, depth * 0.46, depth * 0.37, 0.15)
  form(context, haunch, species.coat, { depth: depth * 0.08, amount: 0.17 })
  form(
    context,
    capsule({ x: -length * 0.3, y: -legWidth * 0.45 }, legWidth * 0.5, { x: -length * 0.02, y: -legWidth * 0.42 }, legWidth * 0.45),
    species.socks,
    { depth: legWidth * 0.15 },
  )
}

export function paintLegs(context: SKRSContext2D, frame: Frame, isFar: boolean): void {
  for (const leg of frame.legs) if (leg.isFar === isFar) paintLeg(context, frame.species, leg)
}

function paintLeg(context: SKRSContext2D, species: Species, leg: Leg): void {
  const { legWidth, depth } = species
  const tone = (colour: string) => (leg.isFar ? shade(colour, -0.2) : colour)
  // A panda's forelegs are black up to the shoulders.
  const hide = leg.isFront && species.markings.includes('panda') ? species.socks : species.coat
  const thigh = leg.isFront ? legWidth * 0.78 : legWidth * 0.98
  const upper = Math.min(thigh * 1.25, depth * 0.42)
  form(context, limb(leg.hip, leg.knee, leg.foot, [upper, legWidth * 0.52, legWidth * 0.42]), tone(hide), {
    depth: legWidth * 0.16,
  })
  if (species.socks !== species.coat)
    form(context, capsule(between(leg.knee, leg.foot, 0.32), legWidth * 0.47, leg.foot, legWidth * 0.43), tone(species.socks), {
      depth: legWidth * 0.14,
    })
  if (!leg.isFront && !leg.isFar)
    form(context, ellipse(leg.hip.x + legWidth * 0.1, leg.hip.y, upper * 1.2, Math.min(upper * 1.5, depth * 0.48), 0.2), species.coat, {
      depth: legWidth * 0.18,
      amount: 0.12,
    })
  paintFoot(context, species, leg, tone)
}

function paintFoot(
  context: SKRSContext2D,
  { legWidth, hoof, socks }: Species,
  { foot, knee }: Leg,
  tone: (colour: string) => string,
): void {
  const slope = Math.atan2(foot.x - knee.x, Math.max(0.1, foot.y - knee.y))
  context.save()
  context.translate(foot.x, foot.y)
  context.rotate(-slope * 0.6)
  if (hoof)
    form(context, blob(scaled([-0.42, -0.3, 0.42, -0.3, 0.62, 0.26, -0.5, 0.26], [legWidth, legWidth])), tone(hoof), {
      depth: legWidth * 0.1,
    })
  else {
    form(context, ellipse(legWidth * 0.22, -legWidth * 0.1, legWidth * 0.74, legWidth * 0.42), tone(socks), { depth: legWidth * 0.12 })
    for (const x of [0.36, 0.64])
      line(context, [legWidth * x, -legWidth * 0.1, legWidth * (x + 0.06), legWidth * 0.14], {
        width: legWidth * 0.06,
        colour: shade(tone(socks), -0.3),
      })
  }
  context.restore()
}

export function paintNeck(context: SKRSContext2D, frame: Frame): void {
  const { species, neckBase, head } = frame
  const width = species.neckWidth / 2
  const low = { x: neckBase.x - species.length * 0.08, y: neckBase.y + species.depth * 0.2 }
  const top = { x: head.x - species.headWidth * 0.06, y: head.y + species.headHeight * 0.1 }
  const path = capsule(
    low,
    Math.min(width * 1.35, species.depth * 0.46),
    top,
    width * (species.head === 'equine' || species.head === 'giraffe' ? 0.62 : 0.8),
  )
  form(context, path, species.coat, { depth: width * 0.2, amount: 0.15 })
  inside(context, path, () => {
    if (species.markings.includes('fox') || species.markings.includes('wolf') || species.belly !== species.coat) {
      if (species.head === 'canine' || species.head === 'feline' || species.head === 'deer')
        fill(
          context,
          ellipse(low.x + width * 1.1, (low.y + top.y) / 2 + width * 0.4, width * 0.8, Math.abs(low.y - top.y) * 0.7 + width * 0.5),
          species.belly,
        )
    }
    context.translate((low.x + top.x) / 2, (low.y + top.y) / 2)
    const kept = species.markings.filter(marking => marking === 'giraffe' || marking === 'zebra' || marking === 'wool')
    paintMarkings(context, { ...species, markings: kept, length: Math.max(species.neck, 14) * 1.5, depth: species.neckWidth * 2 })
  })
}
