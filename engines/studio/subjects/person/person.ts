import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import type { PersonLook, Subject } from '../../scene.ts'
import type { Anchors, Artwork, Point } from '../artwork.ts'
import { capsule, form, inside, turned } from '../brush.ts'
import { scaledArtwork, vectorArtwork } from '../vector.ts'
import { fromBehind, paintHeadBack } from './back-view.ts'
import { paintArm, paintLeg, paintSkirt, torsoShape } from './body.ts'
import { paintChair } from './chair.ts'
import type { Outfit } from './clothes.ts'
import type { Creature } from './creature.ts'
import { paintBefore, paintBehind } from './extras.ts'
import { paintTorso } from './garments.ts'
import { type Grip, gripOfProp, stanceOfGrip } from './grips.ts'
import { paintBackHair, paintBeard, paintFrontHair } from './hair.ts'
import { headFrame, paintHead } from './head.ts'
import { paintWorn } from './headwear.ts'
import { resolveOutfit } from './outfit.ts'
import { armsOf, buildOf, type PersonPose, type Skeleton, type Stance, skeletonOf, stanceOf, strideAt } from './poses.ts'
import type { Seat } from './posture.ts'
import { paintProfile, paintProfileHair } from './profile.ts'
import { paintProp, propOf } from './props.ts'

interface PersonContext {
  subject: Subject
  copy: number
  random: Random
  /** True when the layout places another subject in the hand; the prop of the person's role is then
   *  left out. */
  isHolding: boolean
  seat: Seat
  /** The grip for the thing in the hands, if things of its kind are held in a special way. */
  grip?: Grip
  /** Kind of a prop that is drawn as a part of this person. Example: two players share one racket
   *  in the prompt; the racket is placed in the hand of the first player, and a second one is drawn
   *  with the other player. */
  tool?: string
  /** True when seen from behind. */
  isBack: boolean
  /** True when the person looks at somebody or something at the side; the person is then drawn
   *  nearly in profile. */
  isFacing: boolean
  /** Share of the height that is shown, from the top of the head downwards: 1 is the whole person,
   *  0.45 only the head and the chest. */
  shown: number
  /** Set for an animal that acts like a person. */
  creature?: Creature | undefined
  /** Moment of a step, 0 to 1; when absent, the typical moment for a still picture. */
  phase?: number | undefined
}

const plainLook: PersonLook = { age: 'adult', gender: 'any', clothes: [], wears: [] }

/** Draws a person, or its upper part, in the pose, clothes and appearance of the subject.
 *  Whatever the prompt leaves open is chosen with `random`. */
export function personArtwork({
  subject,
  copy,
  random,
  isHolding,
  seat,
  grip,
  tool,
  isBack,
  isFacing,
  shown,
  creature,
  phase,
}: PersonContext): Artwork {
  const given = subject.person ?? plainLook
  const gender =
    given.gender === 'any' && !given.role && !given.beard ? random.fork('gender').pick(['woman', 'man'] as const) : given.gender
  const look = creature ? { ...given, gender: 'man' as const } : tinted(member({ ...given, gender }, subject, copy), subject)
  const action = tool ?? actionProp(subject, copy)
  const hold = (tool === undefined ? grip : undefined) ?? (action === undefined || isBack ? undefined : gripOfProp(action))
  const pose = action && subject.pose === 'playing' ? 'standing' : poseOf(subject, isHolding, seat)
  const eases = {
    ...eased(stanceOf(pose, look.age === 'elder'), pose, random.fork('ease')),
    ...(pose === 'seated' ? armsOf(subject.pose) : {}),
  }
  const stance = {
    ...(isFacing && eases.turn < 0.75 ? { ...eases, turn: 0.8 } : eases),
    ...(hold ? stanceOfGrip(hold, seat === 'host' || seat === 'chair') : {}),
    ...(phase === undefined ? {} : strideAt(pose, phase)),
    ...moodOf(subject.looks),
    ...(isFacing && !creature && canTurnHead(look) ? { isProfile: true } : {}),
    ...(isFacing && pose === 'dancing' ? heldInDance : {}),
    ...(isBack ? { isBack, turn: Math.min(eases.turn, 0.1) } : {}),
  }
  const bones = skeletonOf(creature?.build ?? buildOf(look), stance)
  const worn = dressed(resolveOutfit(look, random), subject, isBack)
  const outfit = creature ? creature.dress(worn, look) : worn
  const prop = propOf(outfit, subject.pose, (!isHolding || tool !== undefined) && !isBack, action)
  const isTurned = stance.turn > 0.28
  const part = seat === 'cabin' ? 0.3 : seat === 'bed' ? 0.62 : shown
  const isCut = part < 1 && stance.roll === 0 && stance.lift === 0
  const drawn = vectorArtwork({
    paint: context =>
      rolled(context, bones, () => paintPerson(context, bones, { outfit, look, prop, hasChair: seat === 'chair', creature })),
    anchors: anchorsOf(bones, grip),
    facing: isTurned ? 'right' : 'front',
    ...(isCut ? { cropBelow: cropLine(bones, part) } : {}),
  })
  // A drawing that is marked as cropped is placed at the lower edge of the picture, like a
  // portrait. A person in a vehicle or a bathtub, which hides the legs, is placed in that thing, so
  // the drawing is not marked.
  const artwork = seat === 'cabin' || seat === 'bed' ? { ...drawn, isCropped: false } : drawn
  return look.age === 'child' && given.age !== 'child' ? scaledArtwork(artwork, 0.7) : artwork
}

function poseOf(subject: Subject, isHolding: boolean, seat: Seat): PersonPose {
  if (seat === 'board') return 'balancing'
  if (seat === 'cabin') return 'seated'
  const isSeated = seat === 'host' || seat === 'chair'
  const given = subject.pose ?? (subject.person?.role === 'chef' ? 'cooking' : 'standing')
  const pose = given === 'flying' && isSeated ? 'riding' : given
  if (isSeated && pose !== 'riding' && pose !== 'sleeping' && pose !== 'lying') return pose === 'reading' ? 'seated-reading' : 'seated'
  return isHolding && pose === 'standing' ? 'holding' : pose
}

/** False when something on the head can be drawn only from the front: a beard, glasses, a mask or a
 *  helmet, also as a part of the role's costume. False for babies and old people, too. */
function canTurnHead({ beard, wears, role, age }: PersonLook): boolean {
  const isMasked =
    role !== undefined &&
    /^(superhero|ninja|knight|samurai|astronaut|clown|diver|witch|wizard|santa|dwarf|zombie|vampire|pirate|scientist|teacher|tennis player)$/.test(
      role,
    )
  return (
    !beard &&
    !isMasked &&
    age !== 'elder' &&
    age !== 'baby' &&
    wears.every(({ kind }) => !/glasses|goggles|mask|patch|moustache|veil|hijab|earrings|helmet/.test(kind))
  )
}

/** Adds a long beard and freckles from the prompt to the outfit. For a person seen from behind,
 *  removes everything that is visible only from the front. */
function dressed(outfit: Outfit, { looks }: Subject, isBack: boolean): Outfit {
  const full = { ...outfit, hasLongBeard: looks.includes('long beard'), isFreckled: looks.includes('freckled') }
  return isBack ? fromBehind(full) : full
}

/** Returns the kind of the prop that an activity or a role puts into the hands: a camera, a mop, or
 *  the instrument of a musician, which differs for each member of a band. Undefined for other
 *  activities and roles. */
function actionProp({ person, pose, looks, noun }: Subject, copy: number): string | undefined {
  const said = looks.map(look => doneWith[look]).find(prop => prop !== undefined)
  if (said !== undefined) return said
  const isPlaying = pose === undefined || pose === 'playing' || pose === 'singing' || pose === 'standing'
  if (person?.role === 'musician' && isPlaying) return players.find(([words]) => words.test(noun))?.[1]
  return person?.role === 'band' && isPlaying ? ['microphone', 'guitar', 'drum', 'saxophone', 'guitar', 'violin'][copy % 6] : undefined
}

const doneWith: Record<string, string> = {
  'with camera': 'camera',
  'with watering can': 'watering-can',
  'with pipe': 'pipe',
  'with chalk': 'chalk',
  'with mop': 'mop',
  'with basketball': 'basketball',
}

const players: readonly [RegExp, string][] = [
  [/guitar|bassist/, 'guitar'],
  [/violin|fiddl/, 'violin'],
  [/sax|trumpet|flut|flaut/, 'saxophone'],
  [/drum/, 'drum'],
]

/** Returns the look of one member of a family: copies 0 and 1 are the parents, all others the
 *  children. */
function member(look: PersonLook, subject: Subject, copy: number): PersonLook {
  if (!/family|parents/.test(subject.noun) || subject.count < 2) return look
  const isParent = copy < 2
  return { ...look, age: isParent ? 'adult' : 'child', gender: copy % 2 === 0 ? 'man' : 'woman' }
}

/** Returns the facial expression (and the tilt of the head) for the mood words in the prompt. */
function moodOf(looks: readonly string[]): Partial<Stance> {
  const moods: Record<string, Partial<Stance>> = {
    happy: { mouth: 'laugh' },
    sad: { mouth: 'frown', brows: -0.8, headTilt: 7, hasTears: true },
    angry: { mouth: 'frown', brows: 1 },
    shouting: { mouth: 'open', brows: 0.6 },
    surprised: { mouth: 'open', brows: -0.3 },
    sleepy: { eyes: 'closed', mouth: 'calm' },
    proud: { headTilt: -6, mouth: 'calm' },
  }
  const face: Partial<Stance> = {}
  for (const look of looks) Object.assign(face, moods[look])
  return face
}

/** The part of the stance that people who dance hand in hand have in common; the layout places the
 *  two so that their hands meet. */
const heldInDance: Partial<Stance> = { turn: 0.8, lean: 0, armA: [58, 84], armB: [84, 100], headTilt: 0 }

/** Varies the stance of people who just stand: a hand on the hip, a turned body, a tilted head.
 *  Other poses are returned unchanged. */
function eased(stance: Stance, pose: PersonPose, random: Random): Stance {
  if (pose !== 'standing') return stance
  const variants: Partial<Stance>[] = [
    {},
    { armB: [34, -34], headTilt: 3 },
    { armA: [-34, 34], legB: [8, 3] },
    { turn: 0.45, armB: [16, 26], legB: [9, 4] },
    { armA: [-10, -2], armB: [20, 12], legA: [-7, -2], headTilt: -4 },
  ]
  return { ...stance, ...random.pick(variants) }
}

/** Applies a colour that the prompt gives to the whole person ("a red knight") to the main garment,
 *  unless the prompt names garments. */
function tinted(look: PersonLook, subject: Subject): PersonLook {
  if (!subject.colour || look.clothes.length > 0) return look
  const kind = look.role === 'knight' ? 'armour' : look.role === 'astronaut' ? 'spacesuit' : look.gender === 'woman' ? 'dress' : 'shirt'
  return { ...look, clothes: [{ kind, colour: subject.colour.hex }] }
}

/** Returns the y coordinate at which the drawing of a partly shown person is cut: below the chest,
 *  at the waist, or lower, depending on the share `shown`. */
function cropLine(bones: Skeleton, shown: number): number {
  const top = bones.head.y - bones.build.headHeight * 0.5
  if (shown < 0.4) return bones.chest.y + bones.build.torso * 0.34
  return shown < 0.5 ? bones.chest.y + bones.build.torso * 0.62 : Math.min(-4, top + (0 - top) * shown)
}

function rolled(context: SKRSContext2D, bones: Skeleton, paint: () => void): void {
  const { stance, build } = bones
  context.save()
  if (stance.roll !== 0) {
    const center = bones.hips
    const rest = stance.lift > 0 ? -32 : -build.hip - 1.5
    context.translate(center.x, rest)
    context.rotate((stance.roll * Math.PI) / 180)
    context.translate(-center.x, -center.y)
  }
  paint()
  context.restore()
}

interface Paint {
  hasChair: boolean
  outfit: Outfit
  look: PersonLook
  prop: string | undefined
  creature: Creature | undefined
}

function paintPerson(context: SKRSContext2D, bones: Skeleton, { outfit, look, prop, hasChair, creature }: Paint): void {
  const { stance } = bones
  if (stance.isBack) {
    paintFromBehind(context, bones, { outfit, look, prop, hasChair, creature })
    return
  }
  if (hasChair) paintChair(context, bones)
  const isTurned = stance.turn > 0.5
  creature?.paintBehind(context, bones, outfit)
  paintBehind(context, bones, outfit)
  if (!creature && outfit.hairStyle !== 'short' && !coversHair(outfit))
    inHead(context, bones, frame => paintBackHair(context, frame, outfit))
  if (isTurned) paintArm(context, bones, outfit, 'A')
  paintLeg(context, bones, outfit, 'A')
  paintLeg(context, bones, outfit, 'B')
  if (outfit.skirt && outfit.top !== 'dress') paintSkirt(context, bones, outfit)
  form(
    context,
    capsule({ x: bones.chest.x, y: bones.chest.y + 2 }, bones.build.headWidth * 0.19, bones.head, bones.build.headWidth * 0.19),
    outfit.skin,
    { depth: 1.2, amount: 0.24 },
  )
  context.save()
  context.translate(bones.hips.x, bones.hips.y)
  context.rotate((stance.lean * Math.PI) / 180)
  paintTorso(context, { build: bones.build, stance, outfit, shape: torsoShape(bones, outfit, look.gender === 'woman') })
  if (creature && outfit.top === 'bare') inside(context, torsoShape(bones, outfit, false), () => creature.paintCoat(context))
  context.restore()
  if (outfit.skirt && outfit.top === 'dress') paintSkirt(context, bones, outfit)
  paintBefore(context, bones, outfit)
  const behindHand = prop === 'guitar' || prop === 'surfboard' || prop === 'sack'
  if (prop === 'guitar') paintProp(context, prop, bones)
  if (!isTurned) paintArm(context, bones, outfit, 'A')
  inHead(context, bones, frame => paintHeadParts(context, frame, { outfit, look, creature }, bones))
  if (prop && !behindHand) paintProp(context, prop, bones)
  if (prop === 'surfboard' || prop === 'sack') paintProp(context, prop, bones)
  paintArm(context, bones, outfit, 'B')
  creature?.paintLimbs(context, bones, outfit)
}

/** Draws the person from behind: first the legs and the torso, then the arms, the chair, the things
 *  on the back, the head and the hair. */
function paintFromBehind(context: SKRSContext2D, bones: Skeleton, { outfit, look, hasChair }: Paint): void {
  const { stance, build } = bones
  paintLeg(context, bones, outfit, 'A')
  paintLeg(context, bones, outfit, 'B')
  if (outfit.skirt && outfit.top !== 'dress') paintSkirt(context, bones, outfit)
  const neck = build.headWidth * 0.19
  form(context, capsule({ x: bones.chest.x, y: bones.chest.y + 2 }, neck, bones.head, neck), outfit.skin, { depth: 1.2, amount: 0.24 })
  context.save()
  context.translate(bones.hips.x, bones.hips.y)
  context.rotate((stance.lean * Math.PI) / 180)
  paintTorso(context, { build, stance, outfit: { ...outfit, top: 't-shirt' }, shape: torsoShape(bones, outfit, look.gender === 'woman') })
  context.restore()
  if (outfit.skirt && outfit.top === 'dress') paintSkirt(context, bones, outfit)
  for (const side of ['A', 'B'] as const) paintArm(context, bones, outfit, side)
  if (hasChair) paintChair(context, bones)
  paintBehind(context, bones, outfit)
  inHead(context, bones, frame => {
    if (!coversHair(outfit)) paintHeadBack(context, frame, outfit)
    if (outfit.hairStyle !== 'short' && outfit.hairStyle !== 'bald' && !coversHair(outfit)) paintBackHair(context, frame, outfit)
    for (const worn of outfit.wears) paintWorn(context, frame, worn)
  })
}

function paintHeadParts(
  context: SKRSContext2D,
  frame: ReturnType<typeof headFrame>,
  { outfit, look, creature }: Pick<Paint, 'outfit' | 'look' | 'creature'>,
  bones: Skeleton,
): void {
  if (creature) creature.paintHead(context, frame, bones)
  else {
    if (bones.stance.isProfile) paintProfile(context, frame, outfit, bones.stance)
    else paintHead(context, frame, outfit, look, bones.stance)
    if (outfit.beard) paintBeard(context, frame, outfit)
    if (!coversHair(outfit)) (bones.stance.isProfile ? paintProfileHair : paintFrontHair)(context, frame, outfit)
  }
  const order = (kind: string) => (/glasses|goggles|mask|patch/.test(kind) ? 0 : 1)
  for (const worn of [...outfit.wears].sort((a, b) => order(a.kind) - order(b.kind)))
    (creature?.paintWorn ?? paintWorn)(context, frame, worn)
}

function coversHair(outfit: Outfit): boolean {
  return outfit.wears.some(worn => /hijab|wimple|ninja-hood|hood|swim-cap|aviator/.test(worn.kind))
}

function inHead(context: SKRSContext2D, bones: Skeleton, paint: (frame: ReturnType<typeof headFrame>) => void): void {
  context.save()
  context.translate(bones.head.x, bones.head.y)
  context.rotate(((bones.stance.lean * 0.5 + bones.stance.headTilt) * Math.PI) / 180)
  paint(headFrame(bones.build, bones.stance))
  context.restore()
}

function anchorsOf(bones: Skeleton, grip: Grip | undefined): Anchors {
  const place = (point: Point): Point => {
    if (bones.stance.roll === 0) return point
    const rest = bones.stance.lift > 0 ? -32 : -bones.build.hip - 1.5
    const spun = turned(point, bones.hips, bones.stance.roll)
    return { x: spun.x, y: spun.y - bones.hips.y + rest }
  }
  const crown = place({ x: bones.head.x, y: bones.head.y - bones.build.headHeight * 0.46 })
  return {
    hand: place(grip ? grip.at(bones) : bones.handB),
    otherHand: place(bones.handA),
    shoulder: place({ x: bones.shoulderA.x, y: bones.shoulderA.y - bones.build.arm * 1.1 }),
    lap: place({ x: bones.hips.x + Math.abs(bones.kneeB.x - bones.hips.x) * 0.5, y: bones.hips.y - bones.build.leg }),
    hips: place({ x: bones.hips.x, y: bones.hips.y + bones.build.leg }),
    head: { ...crown, width: bones.build.headWidth * 1.15 },
    panel: {
      x: bones.chest.x,
      y: bones.chest.y + bones.build.torso * 0.5,
      width: bones.build.shoulder * 1.3,
      height: bones.build.torso * 0.3,
    },
  }
}
