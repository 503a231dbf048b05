import type { ArtCatalogue } from '../art/entry.ts'
import type { Random } from '../drawing.ts'
import { humanPoses } from '../language/animal-look.ts'
import { words } from '../language/lexicon/senses.ts'
import { createRandom } from '../random.ts'
import type { Scene, Subject } from '../scene.ts'
import { animalArtwork, isAnimal } from './animals/animal.ts'
import { birdArtwork, doesFly, isBird } from './animals/birds.ts'
import { creatureArtwork, isCreature } from './animals/creatures.ts'
import { animalPose } from './animals/frame.ts'
import { spreadBird, spreadsWings } from './animals/spread-wings.ts'
import { uprightCreature } from './animals/upright.ts'
import type { Artwork } from './artwork.ts'
import { breaches, leaping } from './breach.ts'
import { asCopy } from './differing.ts'
import { drawnArtwork } from './drawn/drawn.ts'
import { emojiArtwork } from './emoji.ts'
import { lyingDown } from './lying-down.ts'
import { personArtwork } from './person/person.ts'
import { postureOf, tableOf } from './person/posture.ts'
import { treeArtwork } from './trees/trees.ts'

interface ArtworkContext {
  catalogue: ArtCatalogue
  scene: Scene
  random: Random
}

/** Returns the drawings of all copies of all subjects, in the order of the scene. The copies of a
 *  subject share a few drawings: one, or more for people, trees and bands, whose members look
 *  different. */
export function artworksOf(context: ArtworkContext): { subject: Subject; copy: number; artwork: Artwork }[] {
  return context.scene.subjects.flatMap(subject => {
    const different = Array.from({ length: Math.min(subject.count, individuals(subject)) }, (_, copy) =>
      moved(context, asCopy(subject, copy), copy),
    )
    return Array.from({ length: subject.count }, (_, copy) => ({
      subject,
      copy,
      artwork:
        different[subject.differing ? Math.min(copy, different.length - 1) : copy % different.length] ?? moved(context, subject, copy),
    }))
  })
}

/** Returns how many different drawings the copies of a subject share: sixteen for people, six for
 *  an animal band, three for trees, one for everything else. Copies that the prompt describes
 *  differently have a drawing each, in addition. */
function individuals(subject: Subject): number {
  if (subject.art === 'rig:person') return 16
  if (playsInBand(subject)) return 6
  const shapes = subject.art.startsWith('tree:') ? 3 : 1
  return subject.differing ? subject.differing.length + shapes : shapes
}

/** True for the animals of a band, each of which plays a different instrument. */
export function playsInBand({ person }: Subject): boolean {
  return person?.role === 'band'
}

/** Returns the drawing of one copy, rotated when an animal leaps out of the water or a thing has
 *  fallen over. Adds `atPhase` when the drawing can be animated. */
function moved(context: ArtworkContext, subject: Subject, copy: number): Artwork {
  const artwork = artworkOf(context, subject, copy)
  if (breaches(subject) && context.scene.setting.kind !== 'underwater') return leaping(artwork)
  if (subject.looks.includes('toppled') && !subject.person) return lyingDown(artwork)
  return hasGait(subject, context) ? { ...artwork, atPhase: phase => artworkOf(context, subject, copy, phase) } : artwork
}

function hasGait(subject: Subject, context: ArtworkContext): boolean {
  const { name, kind } = split(subject)
  const { pose = 'standing' } = subject
  if (kind !== 'rig') return false
  if (name === 'person' || actsLikePerson(subject, context)) return /^(walking|running|dancing|waving)$/.test(pose)
  if (isBird(name)) return doesFly(name, subject)
  return isAnimal(name) && /^(walking|running)$/.test(animalPose(pose))
}

/** Returns the drawing of one copy of a subject. `phase` is a moment of the drawing's movement, 0
 *  to 1. */
function artworkOf(context: ArtworkContext, subject: Subject, copy: number, phase?: number): Artwork {
  const { id, seed } = subject.origin ?? { id: subject.id }
  const random = (seed === undefined ? context.random : createRandom(seed).fork('artwork')).fork(`${id}-${copy}`)
  const { name, kind } = split(subject)
  const isFace = kind === 'noto' && context.catalogue.get(subject.art).headOnly
  const creature = actsLikePerson(subject, context) ? uprightCreature(split(subject).name, subject.colour?.hex) : undefined
  if (creature)
    return personArtwork({
      subject,
      copy: playsInBand(subject) ? copy : 0,
      random,
      isHolding: isHolding(subject),
      ...postureOf(subject, context.scene),
      isBack: false,
      shown: isFace ? 0.45 : shownShare(subject, context.scene),
      creature,
      phase,
    })
  if (spreadsWings(subject, name)) return spreadBird(name, subject)
  if (kind === 'tree') return treeArtwork(name, { season: context.scene.season, colour: subject.colour, random })
  if (kind === 'drawn') return drawnArtwork(name, { colour: subject.colour, parts: subject.parts, random })
  if (kind !== 'rig') return emojiArtwork(context.catalogue, subject.art, subject.colour)
  if (name === 'person')
    return personArtwork({
      subject,
      copy,
      random,
      isHolding: isHolding(subject),
      ...postureOf(subject, context.scene),
      shown: shownShare(subject, context.scene),
      phase,
    })
  if (isBird(name)) return birdArtwork(name, subject, phase)
  return isCreature(name) ? creatureArtwork(name, subject) : animalArtwork(name, subject, phase)
}

/** True for an animal that is drawn with a person's body: in a portrait, or when it acts like a
 *  person (with clothes, a role, a thing in its hands, an upright stance, a place at a table or
 *  a human pose). Also true for a standing meerkat, and for an animal that wears a hat or
 *  glasses and has no four-legged rig. */
function actsLikePerson(subject: Subject, { scene, catalogue }: ArtworkContext): boolean {
  const { person, pose, art, looks } = subject
  if (art === 'rig:person') return false
  if (art === 'rig:meerkat' && (pose === undefined || pose === 'standing' || pose === 'looking')) return true
  const isPortrait = shownShare(subject, scene) < 1 && /^(animal|bird|creature)$/.test(catalogue.categoryOf(art))
  if (!person || isPortrait) return isPortrait
  const isDressed =
    person.clothes.length > 0 || person.role !== undefined || person.wears.some(({ kind }) => /^(backpack|cape|space-helmet)$/.test(kind))
  if (
    isDressed ||
    person.wears.length === 0 ||
    isHolding(subject) ||
    looks.includes('upright') ||
    tableOf(subject, scene) ||
    (pose !== undefined && humanPoses.has(pose))
  )
    return true
  return !isAnimal(split(subject).name)
}

/** Splits the key of a drawing into its kind and name. An emoji shows one pose. When the prompt
 *  asks for another pose, for clothes or for a thing to hold, the emoji of an animal is replaced
 *  by its rig, which can be posed and whose head position is known. */
function split(subject: Subject): { kind: string; name: string } {
  const [kind = '', name = ''] = subject.art.split(':')
  const isDressed =
    subject.person !== undefined || subject.looks.includes('spraying') || subject.relations.some(relation => relation.kind === 'wearing')
  if (kind === 'noto' && (isDressed || isHolding(subject) || (subject.pose !== undefined && movingPoses.has(subject.pose)))) {
    const rig = rigName(name)
    // The horse emoji shows a galloping horse and looks better than the rig, so it is kept for
    // poses of movement.
    const isFine = name === 'horse' && !isDressed && /running|jumping|playing|walking/.test(subject.pose ?? '')
    if (isAnimal(rig) && !isFine) return { kind: 'rig', name: rig }
  }
  if (kind === 'noto' && name === 'penguin' && subject.looks.includes('sliding')) return { kind: 'rig', name }
  return { kind, name }
}

/** Returns the key of the rig for an animal that is usually drawn as an emoji. Callers use it when
 *  the animal must look the same in all its poses. Undefined when there is no such rig. */
export function rigOf({ art }: Pick<Subject, 'art'>): `rig:${string}` | undefined {
  const name = rigName(art.slice(art.indexOf(':') + 1))
  return art.startsWith('noto:') && isAnimal(name) ? `rig:${name}` : undefined
}

function rigName(name: string): string {
  return rigOfEmoji[name] ?? name
}

const movingPoses = new Set(['sitting', 'sleeping', 'lying', 'running', 'jumping', 'walking', 'dancing', 'reading', 'playing', 'fighting'])
const rigOfEmoji: Record<string, string> = {
  ewe: 'sheep',
  ox: 'bull',
  chipmunk: 'squirrel',
  'guide-dog': 'labrador',
  'service-dog': 'german-shepherd',
}

function isHolding(subject: Subject): boolean {
  return subject.relations.some(relation => relation.kind === 'holding' || relation.kind === 'carrying')
}

const uprightPoses = new Set(words('standing, waving, looking, holding, singing, eating, cooking, painting, speaking, playing'))

/** Returns the share of the subject's height that is shown, from the top: less than 1 for a
 *  portrait. A portrait is drawn in a close or medium view when the subject is the only one in the
 *  foreground (apart from what it wears and holds). */
export function shownShare(subject: Subject, { camera, subjects, pins }: Scene): number {
  const isAlone = pins
    ? pins.portrait === subject.id
    : subjects.filter(other => !other.isBackground && other.habitat !== 'sky' && !belongsTo(other.id, subject)).length === 1 &&
      subject.count === 1 &&
      !subject.isBackground
  if (!isAlone || (subject.pose !== undefined && !uprightPoses.has(subject.pose))) return 1
  return camera.framing === 'close-up' ? 0.45 : camera.framing === 'medium' ? 0.56 : 1
}

/** True for a thing that a person wears or holds. */
function belongsTo(id: string, { relations }: Subject): boolean {
  return relations.some(({ kind, of }) => of === id && (kind === 'holding' || kind === 'wearing' || kind === 'carrying'))
}
