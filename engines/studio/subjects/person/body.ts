import type { Path2D, SKRSContext2D } from '@napi-rs/canvas'
import type { Point } from '../artwork.ts'
import { between, blob, capsule, ellipse, fill, form, inside, limb, line, rectangle } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Outfit } from './clothes.ts'
import { printCloth } from './garments.ts'
import type { Skeleton } from './poses.ts'

type Side = 'A' | 'B'

/** Draws a leg. The far leg is slightly darker than the near one, so that both can be distinguished
 *  without an outline. */
export function paintLeg(context: SKRSContext2D, bones: Skeleton, outfit: Outfit, side: Side): void {
  const [hip, knee, foot] = side === 'A' ? [bones.hipA, bones.kneeA, bones.footA] : [bones.hipB, bones.kneeB, bones.footB]
  const { leg } = bones.build
  const dim = side === 'A' ? -0.13 * bones.stance.turn : 0
  const tone = (colour: string) => (dim === 0 ? colour : shade(colour, dim))
  const bulk = outfit.top === 'spacesuit' ? 1.42 : outfit.top === 'armour' ? 1.14 : 1
  const skinLeg = limb(hip, knee, foot, [leg * 1.02, leg * 0.74, leg * 0.5])
  if (outfit.legs !== 'long') form(context, skinLeg, tone(outfit.skin), { depth: leg * 0.4, amount: 0.14 })
  paintShoe(context, bones, outfit, { knee, foot, tone })
  if (outfit.legs === 'long') {
    const radii = [leg * 1.12 * bulk, leg * 0.86 * bulk, leg * 0.76 * bulk] as const
    const end = outfit.shoes === 'boots' ? between(knee, foot, 0.5) : between(knee, foot, 0.93)
    form(context, limb(hip, knee, end, radii), tone(outfit.legColour), { depth: leg * 0.42 })
    if (outfit.top === 'spacesuit') for (const at of [knee, between(hip, knee, 0.45)]) ring(context, at, knee, foot, leg * 1.2, '#b9c1cd')
    if (outfit.top === 'armour')
      form(context, ellipse(knee.x, knee.y, leg * 1.0, leg * 1.05), shade(outfit.legColour, 0.2), { depth: leg * 0.3 })
  } else if (outfit.legs === 'short') {
    form(
      context,
      limb(hip, between(hip, knee, 0.5), between(hip, knee, 0.86), [leg * 1.14, leg * 1.08, leg * 1.08]),
      tone(outfit.legColour),
      { depth: leg * 0.42 },
    )
  }
}

function ring(context: SKRSContext2D, at: Point, from: Point, to: Point, radius: number, colour: string): void {
  const angle = Math.atan2(to.y - from.y, to.x - from.x)
  fill(context, ellipse(at.x, at.y, radius * 0.28, radius, angle), colour)
}

function paintShoe(
  context: SKRSContext2D,
  { build, stance }: Skeleton,
  outfit: Outfit,
  part: { knee: Point; foot: Point; tone(colour: string): string },
): void {
  const { knee, foot, tone } = part
  const size = build.leg
  const long = outfit.shoes === 'fins' ? 3.2 : outfit.top === 'spacesuit' ? 2.2 : 1.7
  // The sole is rotated with the shin: when a raised heel tilts the shin, the toes point down.
  const shin = Math.atan2(foot.x - knee.x, foot.y - knee.y)
  const tilt = Math.max(-1.2, Math.min(0.5, shin * -0.75))
  const colour = tone(outfit.shoes === 'bare' ? outfit.skin : outfit.shoeColour)
  context.save()
  context.translate(foot.x, foot.y)
  if (outfit.shoes === 'boots') {
    const shaft = capsule({ x: (knee.x - foot.x) * 0.5, y: (knee.y - foot.y) * 0.5 }, size * 0.92, { x: 0, y: 0 }, size * 0.82)
    form(context, shaft, colour, { depth: size * 0.35 })
  }
  context.rotate(tilt)
  const toes = size * long * (0.42 + 0.58 * stance.turn)
  const shoe = blob([
    [-size * 0.78, -size * 0.5],
    [size * 0.5, -size * 0.75],
    [toes + size * 0.1, -size * 0.1],
    [toes + size * 0.3, size * 0.42],
    [toes * 0.5, size * 0.5],
    [-size * 0.82, size * 0.5],
  ])
  form(context, shoe, colour, { depth: size * 0.22 })
  if (outfit.shoes === 'shoes')
    inside(context, shoe, () => fill(context, rectangle(-size * 2, size * 0.24, size * 6, size), tone('#efe9dd')))
  context.restore()
}

export function paintArm(context: SKRSContext2D, bones: Skeleton, outfit: Outfit, side: Side): void {
  const [shoulder, elbow, hand] = side === 'A' ? [bones.shoulderA, bones.elbowA, bones.handA] : [bones.shoulderB, bones.elbowB, bones.handB]
  const { arm } = bones.build
  const dim = side === 'A' ? -0.12 * bones.stance.turn : 0
  const tone = (colour: string) => (dim === 0 ? colour : shade(colour, dim))
  const gloves = outfit.trims.find(trim => trim.kind === 'gloves')
  const sleeve =
    outfit.shirtColour !== '#f4efe6' && (outfit.top === 'vest' || outfit.top === 'overall')
      ? outfit.shirtColour
      : outfit.top === 'vest'
        ? outfit.shirtColour
        : outfit.topColour
  const bulk = outfit.top === 'spacesuit' ? 1.45 : outfit.top === 'armour' ? 1.15 : 1
  form(context, limb(shoulder, elbow, hand, [arm * 1.0, arm * 0.86, arm * 0.66]), tone(outfit.skin), { depth: arm * 0.35, amount: 0.14 })
  paintHand(
    context,
    elbow,
    hand,
    arm * (gloves ? 1.7 : outfit.top === 'spacesuit' ? 1.3 : 1),
    tone(gloves ? gloves.colour : outfit.top === 'spacesuit' ? '#c6ccd6' : outfit.top === 'armour' ? '#8d97a6' : outfit.skin),
  )
  if (outfit.sleeves === 'none') return
  const clothe = (path: Path2D): void => {
    form(context, path, tone(sleeve), { depth: arm * 0.4 })
    const pattern = outfit.topPattern
    if (!pattern) return
    const length = bones.build.torso
    const area = { left: shoulder.x - length, top: shoulder.y - length, right: shoulder.x + length, bottom: shoulder.y + length }
    inside(context, path, () => printCloth(context, area, { pattern, colour: sleeve, size: arm }))
  }
  if (outfit.sleeves === 'short') {
    const cuff = between(shoulder, elbow, 0.62)
    clothe(capsule(shoulder, arm * 1.3, cuff, arm * 1.28))
    return
  }
  if (outfit.sleeves === 'wide') {
    wideSleeve(context, { shoulder, elbow, hand }, arm, tone(sleeve))
    return
  }
  const end = between(elbow, hand, 0.86)
  clothe(limb(shoulder, elbow, end, [arm * 1.28 * bulk, arm * 1.1 * bulk, arm * 0.98 * bulk]))
  if (outfit.top === 'armour') {
    form(context, ellipse(shoulder.x, shoulder.y, arm * 1.9, arm * 1.7), tone(shade(outfit.topColour, 0.14)), { depth: arm * 0.5 })
    form(context, ellipse(elbow.x, elbow.y, arm * 1.15, arm * 1.15), tone(shade(outfit.topColour, 0.1)), { depth: arm * 0.3 })
  }
  if (outfit.top === 'spacesuit') for (const at of [elbow, end]) ring(context, at, elbow, hand, arm * 1.35, '#b9c1cd')
  const cuffColour = outfit.trims.find(trim => trim.kind === 'fur' || trim.kind === 'reflective' || trim.kind === 'ermine')
  if (cuffColour)
    form(context, capsule(between(elbow, hand, 0.72), arm * 1.25, end, arm * 1.25), cuffColour.colour, { depth: arm * 0.2, amount: 0.1 })
  if (outfit.top === 'suit' || outfit.top === 'coat') ring(context, between(elbow, hand, 0.9), elbow, hand, arm * 0.92, outfit.shirtColour)
}

function wideSleeve(context: SKRSContext2D, joints: { shoulder: Point; elbow: Point; hand: Point }, arm: number, colour: string): void {
  const end = between(joints.elbow, joints.hand, 0.82)
  const drop = { x: end.x * 0.7 + joints.elbow.x * 0.3, y: Math.max(end.y, joints.elbow.y) + arm * 2.2 }
  const path = limb(joints.shoulder, joints.elbow, end, [arm * 1.35, arm * 1.7, arm * 1.6])
  path.addPath(capsule(end, arm * 1.5, drop, arm * 1.0))
  path.addPath(capsule(joints.elbow, arm * 1.6, drop, arm * 1.0))
  form(context, path, colour, { depth: arm * 0.4 })
}

function paintHand(context: SKRSContext2D, elbow: Point, hand: Point, arm: number, colour: string): void {
  const angle = Math.atan2(hand.y - elbow.y, hand.x - elbow.x)
  const x = hand.x + Math.cos(angle) * arm * 0.5
  const y = hand.y + Math.sin(angle) * arm * 0.5
  form(context, ellipse(x, y, arm * 1.02, arm * 0.8, angle), colour, { depth: arm * 0.25, amount: 0.13 })
  form(
    context,
    ellipse(hand.x + Math.cos(angle - 0.9) * arm * 0.8, hand.y + Math.sin(angle - 0.9) * arm * 0.8, arm * 0.5, arm * 0.28, angle - 0.5),
    colour,
    { depth: arm * 0.1, amount: 0.1 },
  )
}

/** Returns the outline of the torso as a path. The origin is at the hips; negative y is up. */
export function torsoShape({ build, stance }: Skeleton, outfit: Outfit, isWoman: boolean) {
  const squeeze = 1 - 0.34 * stance.turn
  const bulk = outfit.top === 'spacesuit' ? 1.3 : outfit.top === 'coat' || outfit.top === 'hoodie' || outfit.top === 'jacket' ? 1.07 : 1
  const shoulder = (build.shoulder + build.arm * 0.35) * squeeze * bulk
  const hip = (build.hip + build.leg * 0.32) * (1 - 0.2 * stance.turn) * bulk
  const waist = (isWoman ? hip * 0.8 : (hip + shoulder) * 0.48) * (build.torso < 29 ? 1.08 : 1)
  const t = build.torso
  return blob([
    [build.hip * 0.25, -t * 1.03],
    [shoulder * 0.62, -t * 0.99],
    [shoulder, -t * 0.86],
    [shoulder * 0.92, -t * 0.6],
    [waist, -t * 0.34],
    [hip, -t * 0.02],
    [hip * 0.94, t * 0.09],
    [0, t * 0.13],
    [-hip * 0.94, t * 0.09],
    [-hip, -t * 0.02],
    [-waist, -t * 0.34],
    [-shoulder * 0.92, -t * 0.6],
    [-shoulder, -t * 0.86],
    [-shoulder * 0.62, -t * 0.99],
    [-build.hip * 0.25, -t * 1.03],
  ])
}

/** Draws skirts, gowns, coat tails and robes: hanging down over upright legs, or draped over the
 *  thighs of bent legs. */
export function paintSkirt(context: SKRSContext2D, bones: Skeleton, outfit: Outfit): void {
  const { skirt } = outfit
  if (!skirt) return
  const { build, hips } = bones
  const [a, b] = [bones.stance.legA[0], bones.stance.legB[0]]
  // The skirt lies on the thighs only when both legs point forward, as in sitting and riding.
  // Otherwise it hangs down, and striding legs spread it.
  const upright = Math.abs(a) < 48 || Math.abs(b) < 48
  if (!upright) {
    drape(context, bones, outfit, skirt)
    return
  }
  const length = (build.thigh + build.shin) * skirt.length
  const at = (hip: Point, knee: Point, foot: Point) =>
    skirt.length < 0.5 ? between(hip, knee, skirt.length * 2) : between(knee, foot, skirt.length * 2 - 1)
  const legs = [at(bones.hipA, bones.kneeA, bones.footA), at(bones.hipB, bones.kneeB, bones.footB)]
  const half = build.hip + build.leg * 0.5
  const spread = half * (0.5 + skirt.flare * 0.62)
  const left = Math.min(hips.x - spread, ...legs.map(p => p.x - build.leg * 1.2))
  const right = Math.max(hips.x + spread, ...legs.map(p => p.x + build.leg * 1.2))
  const hem = hips.y + length
  const waistY = hips.y - build.torso * 0.3
  const waist = half * (1 - 0.2 * bones.stance.turn) * 0.9
  const shape = blobSkirt({ left, right, hem, waistY, waist, x: hips.x, sag: build.leg * 0.55 })
  form(context, shape, skirt.colour, { depth: build.leg * 0.55 })
  inside(context, shape, () => {
    const width = right - left
    if (outfit.skirtPattern)
      printCloth(
        context,
        { left, top: waistY, right, bottom: hem + build.leg },
        { pattern: outfit.skirtPattern, colour: skirt.colour, size: build.arm },
      )
    for (const share of [0.24, 0.42, 0.6, 0.78]) {
      line(context, [hips.x + (share - 0.5) * waist, waistY + length * 0.3, left + width * share, hem], {
        width: build.leg * 0.16,
        colour: shade(skirt.colour, -0.22),
      })
    }
    const tartan = outfit.trims.find(trim => trim.kind === 'tartan')
    if (tartan) plaid(context, { left, right, waistY, hem }, tartan.colour)
    const edging = outfit.trims.find(trim => /fur|ermine|lace|stars|blossoms|reflective/.test(trim.kind))
    if (edging)
      line(context, [left, hem - build.leg * 0.3, hips.x, hem + build.leg * 0.2, right, hem - build.leg * 0.3], {
        width: build.leg * 0.8,
        colour: edging.colour,
      })
  })
}

/** Draws crossing bands of a tartan. */
function plaid(
  context: SKRSContext2D,
  { left, right, waistY, hem }: Pick<SkirtFrame, 'left' | 'right' | 'waistY' | 'hem'>,
  colour: string,
): void {
  const step = (right - left) / 5
  for (let i = 0; i <= 5; i++) {
    fill(context, rectangle(left + i * step, waistY, step * 0.34, hem - waistY + step), `${colour}b0`)
    fill(context, rectangle(left + (i + 0.6) * step, waistY, step * 0.07, hem - waistY + step), '#f2d25ab0')
  }
  for (let y = waistY; y < hem; y += step) {
    fill(context, rectangle(left, y, right - left, step * 0.34), `${colour}90`)
    fill(context, rectangle(left, y + step * 0.6, right - left, step * 0.07), '#f2d25a90')
  }
}

interface SkirtFrame {
  left: number
  right: number
  hem: number
  waistY: number
  waist: number
  x: number
  sag: number
}

function blobSkirt({ left, right, hem, waistY, waist, x, sag }: SkirtFrame) {
  const path = rectangle(0, 0, 0, 0)
  path.moveTo(x - waist, waistY)
  path.bezierCurveTo(
    x - waist * 1.1,
    waistY + (hem - waistY) * 0.4,
    left + (x - left) * 0.15,
    waistY + (hem - waistY) * 0.6,
    left,
    hem - sag,
  )
  path.quadraticCurveTo(x, hem + sag * 1.3, right, hem - sag)
  path.bezierCurveTo(
    right - (right - x) * 0.15,
    waistY + (hem - waistY) * 0.6,
    x + waist * 1.1,
    waistY + (hem - waistY) * 0.4,
    x + waist,
    waistY,
  )
  path.closePath()
  return path
}

function drape(context: SKRSContext2D, bones: Skeleton, outfit: Outfit, skirt: NonNullable<Outfit['skirt']>): void {
  const { build } = bones
  const wide = build.leg * (1.25 + skirt.flare * 0.3)
  const reach = (build.thigh + build.shin) * 1.2
  const clothe = (path: Path2D, depth: number): void => {
    form(context, path, skirt.colour, { depth })
    const pattern = outfit.skirtPattern
    if (!pattern) return
    const { x, y } = bones.hips
    const area = { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach }
    inside(context, path, () => printCloth(context, area, { pattern, colour: skirt.colour, size: build.arm }))
  }
  for (const [hip, knee, foot] of [
    [bones.hipA, bones.kneeA, bones.footA],
    [bones.hipB, bones.kneeB, bones.footB],
  ] as const) {
    const past = Math.max(0, skirt.length * 2 - 1)
    const path = capsule(hip, wide * 0.98, between(hip, knee, Math.min(1, skirt.length * 2)), wide)
    if (past > 0) path.addPath(capsule(knee, wide, between(knee, foot, Math.min(0.92, past)), wide * 0.95))
    clothe(path, build.leg * 0.45)
  }
  const lap = capsule(
    { x: bones.hips.x, y: bones.hips.y - build.torso * 0.2 },
    build.hip * 1.0,
    { x: bones.hips.x, y: bones.hips.y + build.leg * 0.3 },
    build.hip * 1.35,
  )
  clothe(lap, build.leg * 0.5)
}
