import type { SKRSContext2D } from '@napi-rs/canvas'
import { mix, parseHex } from '../../colour.ts'
import { pairs } from '../../pairs.ts'
import type { Colour, Subject } from '../../scene.ts'
import type { Anchors, Artwork } from '../artwork.ts'
import { blob, ellipse, fill, form, line, scaled } from '../brush.ts'
import { shade, toHex } from '../colour.ts'
import { vectorArtwork } from '../vector.ts'
import type { Species } from './anatomy.ts'
import { paintClip } from './fluff.ts'
import { animalPose, type Frame, frameOf, isProfile } from './frame.ts'
import { paintFrontHead } from './front-head.ts'
import { paintLongHead } from './long-head.ts'
import { paintProfileHead } from './profile-head.ts'
import { species } from './species.ts'
import { paintTail } from './tails.ts'
import { paintHaunch, paintLegs, paintNeck, paintTrunk } from './trunk.ts'
import { isNeckwear, paintHeadwear, paintNeckwear, type WornItem, wornColour } from './worn.ts'

/** True for the names that this file can draw (`fox` in `rig:fox`). */
export function isAnimal(name: string): boolean {
  return species[name] !== undefined
}

/** Draws a whole four-legged animal in the pose and colour of the subject; `phase` is a moment of
 *  its gait, 0 to 1. Throws `RangeError` for an unknown name. */
export function animalArtwork(name: string, subject: Subject, phase?: number): Artwork {
  const known = species[name]
  if (!known) throw new RangeError(`no animal rig ${name}`)
  const own = subject.looks.includes('spraying') ? { ...known, isSpraying: true } : known
  const coloured = subject.colour ? dyed(own, subject.colour) : own
  const frame = frameOf(coloured, animalPose(subject.pose, { isFlier: coloured.wings === true, sits: !isProfile(coloured) }), phase)
  const worn = (subject.person?.wears ?? []).map(item => ({ kind: item.kind, colour: wornColour(item) }))
  return { ...vectorArtwork({ paint: context => paintAnimal(context, frame, worn), facing: 'right' }), anchors: anchorsOf(frame) }
}

/** Returns the species with a coat in this colour. Belly and socks get the same colour if they
 *  had that of the old coat; otherwise they change only in part. A mane gets a darker tone;
 *  patches and saddles disappear. For a black coat, belly, socks, muzzle and ears become black
 *  or dark grey, and all markings disappear. Eyes, nose and hooves keep their colours. */
function dyed(species: Species, colour: Colour): Species {
  const base = colour.hex
  const pale = (from: string) => (from === species.coat ? base : toHex(mix(parseHex(from), parseHex(base), 0.35)))
  const isDark = colour.name === 'black'
  return {
    ...species,
    coat: base,
    belly: isDark ? shade(base, 0.12) : pale(species.belly),
    socks: isDark ? base : pale(species.socks),
    inner: isDark ? shade(base, 0.25) : species.inner,
    muzzle: isDark ? shade(base, 0.16) : species.muzzle,
    tailTip:
      species.tail === 'thin' || species.tail === 'short' || species.tail === 'curly' ? shade(base, -0.1) : isDark ? base : species.tailTip,
    markings: isDark ? [] : species.markings.filter(marking => marking !== 'patches' && marking !== 'saddle'),
    ...(species.maneColour ? { maneColour: shade(base, -0.35) } : {}),
  }
}

function paintAnimal(context: SKRSContext2D, frame: Frame, worn: readonly WornItem[]): void {
  const { species: kind, pose } = frame
  const isSeated = pose === 'sitting' || pose === 'rearing'
  paintTail(context, frame)
  if (kind.wings) paintWing(context, frame, true)
  paintLegs(context, frame, true)
  // The neck is normally drawn over the trunk. The neck of a panda is drawn first, so that its
  // black shoulders cover the lower part of its white neck.
  const hasBand = kind.markings.includes('panda')
  if (hasBand) paintNeck(context, frame)
  if (!isSeated) paintTrunk(context, frame)
  if (kind.mane === 'horse') paintMane(context, frame)
  if (isSeated) paintTrunk(context, frame)
  paintLegs(context, frame, false)
  if (isSeated) paintHaunch(context, frame)
  if (!hasBand) paintNeck(context, frame)
  paintClip(context, frame)
  if (kind.mane && kind.mane !== 'lion') paintMane(context, frame)
  if (kind.wings) paintWing(context, frame, false)
  for (const item of worn) if (isNeckwear(item.kind)) paintNeckwear(context, neckOf(frame), item)
  context.save()
  context.translate(frame.head.x, frame.head.y)
  paintFace(context, kind, { isAsleep: pose === 'sleeping', worn: worn.filter(item => !isNeckwear(item.kind)) })
  context.restore()
}

/** Draws the head. When the animal wears something on its head, the head faces the viewer, so that
 *  both eyes and the whole hat are visible. */
function paintFace(context: SKRSContext2D, kind: Species, { isAsleep, worn }: { isAsleep: boolean; worn: readonly WornItem[] }): void {
  if (!isProfile(kind)) {
    context.save()
    paintFrontHead(context, kind, isAsleep)
    context.restore()
    const w = kind.headWidth / 2
    for (const item of worn) paintHeadwear(context, { w, h: kind.headHeight / 2, look: w * 0.16 }, item)
    return
  }
  if (worn.length === 0) {
    paintProfileHead(context, kind, isAsleep)
    return
  }
  const [w, h] = kind.head === 'elephant' ? [kind.headWidth * 0.42, kind.headHeight * 0.46] : [kind.headWidth * 0.3, kind.headWidth * 0.36]
  context.translate(kind.headWidth * 0.1, -h * 0.2)
  context.save()
  context.scale(w, h)
  paintLongHead(context, kind, isAsleep)
  context.restore()
  for (const item of worn) paintHeadwear(context, { w, h, look: 0 }, item)
}

/** Draws the mane: long and flowing for horses, a row of short upright tufts for zebras and
 *  boars. */
function paintMane(context: SKRSContext2D, { species: kind, neckBase, head, pose }: Frame): void {
  const colour = kind.maneColour ?? shade(kind.coat, -0.4)
  const flow = pose === 'running' || pose === 'flying' ? 1.6 : 1
  const half = kind.neckWidth * (kind.mane === 'horse' ? 0.5 : 0.42)
  const crest = { x: head.x - half * 0.2, y: head.y - kind.headHeight * 0.62 }
  const withers = { x: neckBase.x - kind.length * 0.2, y: neckBase.y - kind.depth * 0.16 }
  if (kind.mane === 'horse') {
    const back = half * 1.5 * flow
    form(
      context,
      blob([
        crest.x + half * 0.7,
        crest.y + half * 0.1,
        crest.x - half * 0.3,
        crest.y - half * 0.3,
        crest.x - back * 0.9,
        crest.y + half * 0.9,
        (crest.x + withers.x) / 2 - back,
        (crest.y + withers.y) / 2 + half * 0.2,
        withers.x - back * 0.2,
        withers.y,
        withers.x + half * 0.8,
        withers.y + half * 0.4,
        (crest.x + withers.x) / 2 + half * 0.3,
        (crest.y + withers.y) / 2 + half * 0.6,
      ]),
      colour,
      { depth: half * 0.16 },
    )
    line(
      context,
      [crest.x - half * 0.1, crest.y + half * 0.3, (crest.x + withers.x) / 2 - half * 0.6, (crest.y + withers.y) / 2, withers.x, withers.y],
      { width: half * 0.1, colour: shade(colour, 0.25) },
    )
    form(context, blob(scaled([-0.1, 0, 0.8, 0.1, 1, 0.9, 0.4, 0.6], [half, half], [crest.x, crest.y])), colour, { depth: half * 0.08 })
    return
  }
  const steps = 9
  for (let i = 0; i <= steps; i++) {
    const t = i / steps
    const x = crest.x - half * 0.5 + (withers.x - crest.x + half * 0.2) * t
    const y = crest.y + half * 0.3 + (withers.y - crest.y) * t
    fill(context, ellipse(x, y, half * 0.3, half * 0.55, -0.5), colour)
  }
}

function paintWing(context: SKRSContext2D, { neckBase, species: kind, pose }: Frame, isFar: boolean): void {
  const raised = pose === 'flying' ? 1.25 : 0.9
  const root = { x: neckBase.x - kind.length * (isFar ? 0.2 : 0.3), y: neckBase.y + kind.depth * 0.02 }
  const colour = isFar ? '#cfd4e2' : '#fbfaf6'
  for (const [reach, rise] of pairs([0.98, 1.0, 0.86, 0.72, 0.7, 0.44])) {
    form(
      context,
      blob([
        root.x + 4,
        root.y,
        root.x - kind.length * 0.1,
        root.y - kind.length * 0.52 * rise * raised,
        root.x - kind.length * reach * 0.8,
        root.y - kind.length * rise * raised * 0.86,
        root.x - kind.length * reach,
        root.y - kind.length * rise * raised * 0.6,
        root.x - kind.length * reach * 0.6,
        root.y - kind.length * 0.12,
        root.x - 6,
        root.y + 6,
      ]),
      colour,
      { depth: 1.6, amount: 0.12 },
    )
  }
}

function anchorsOf({ species: kind, body, head, neckBase, pose }: Frame): Anchors {
  const crown = { x: head.x + (isProfile(kind) ? kind.headWidth * 0.06 : 0), y: head.y - kind.headHeight * (isProfile(kind) ? 0.5 : 0.46) }
  const isSeated = pose === 'sitting' || pose === 'rearing'
  return {
    seat: { x: body.x + kind.length * (isSeated ? -0.1 : 0.02), y: body.y - kind.depth * 0.44 },
    neck: neckOf({ species: kind, head, neckBase, pose }),
    head: { ...crown, width: isProfile(kind) ? kind.headHeight * 1.5 : kind.headWidth * 0.8 },
    hand:
      pose === 'rearing'
        ? { x: head.x + kind.headWidth * 0.36, y: head.y + kind.headHeight * 0.95 }
        : { x: head.x + kind.headWidth * (isProfile(kind) ? 0.7 : 0.1), y: head.y + kind.headHeight * 0.4 },
  }
}

/** Returns where scarves, collars and other things are drawn around the neck: half-way up the
 *  neck of an animal whose head is drawn in profile; for all others below the chin, or beside
 *  the head when the animal lies. */
function neckOf({
  species: kind,
  head,
  neckBase,
  pose,
}: Pick<Frame, 'species' | 'head' | 'neckBase' | 'pose'>): NonNullable<Anchors['neck']> {
  if (isProfile(kind)) return { x: (head.x + neckBase.x) / 2, y: (head.y + neckBase.y) / 2, width: kind.neckWidth * 1.5 }
  const width = Math.max(kind.neckWidth * 1.4, kind.headWidth * 0.52)
  const isLow = pose === 'lying' || pose === 'sleeping'
  return isLow
    ? { x: head.x + (neckBase.x - head.x) * 0.9, y: head.y, width: width * 0.8 }
    : { x: head.x + (neckBase.x - head.x) * 0.35, y: head.y + kind.headHeight * 0.4, width }
}
