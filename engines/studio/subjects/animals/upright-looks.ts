import type { SKRSContext2D } from '@napi-rs/canvas'
import { fill, polygon } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Species } from './anatomy.ts'
import { type BeakedFace, paintBeakedHead } from './beaked-head.ts'
import { paintFrontHead } from './front-head.ts'
import { paintLongHead } from './long-head.ts'
import { paintScalyHead, type ScalyFace } from './scaly-head.ts'
import { facesOnly } from './small-and-odd.ts'
import { species } from './species.ts'

/** Appearance of an animal that stands and acts like a person. */
export interface UprightLook {
  coat: string
  belly: string
  /** Kind of hands and feet: furry paws, hooves, feathered wings, claws. */
  limb: 'paw' | 'hoof' | 'wing' | 'claw'
  limbColour: string
  /** Size of the head, 1 for the usual size, and length of the neck in units (the body is 100 units
   *  high). */
  headSize: number
  neck: number
  /** The species from which the tail and the coat pattern are taken. */
  tail?: Species
  /** True for a long face, such as a horse's, whose muzzle is lower than the chin of other
   *  animals. */
  isLong: boolean
  /** Draws the head, in coordinates in which half its width and height are 1. */
  paintHead(context: SKRSContext2D, isAsleep: boolean): void
}

/** Returns the upright appearance of an animal by the name of its rig or emoji; undefined for
 *  animals that are never drawn in clothes. `colour` replaces the colour of coat or plumage. */
export function uprightLook(name: string, colour?: string): UprightLook | undefined {
  const plain = name.replace(/-face$/, '')
  const known = aliases[plain] ?? plain
  const mammal = species[known] ?? facesOnly[known]
  if (known !== 'platypus' && mammal)
    return mammalLook(colour ? { ...mammal, coat: colour, ...(mammal.socks === mammal.coat ? { socks: colour } : {}) } : mammal)
  const beaked = beakedFaces[known]
  if (beaked) return beakedLook(colour ? { ...beaked, coat: colour } : beaked)
  const scaly = scalyFaces[known]
  return scaly && scalyLook(colour ? { ...scaly, coat: colour } : scaly)
}

const longHeads = new Set(['equine', 'bovine', 'deer', 'sheep', 'giraffe', 'elephant'])

function mammalLook(kind: Species): UprightLook {
  const isLong = longHeads.has(kind.head)
  const unit = (context: SKRSContext2D) => context.scale(2 / kind.headWidth, 2 / kind.headHeight)
  return {
    coat: kind.coat,
    belly: kind.belly,
    limb: kind.hoof ? 'hoof' : 'paw',
    limbColour: kind.hoof ?? kind.socks,
    headSize: isLong ? 0.84 : 1,
    neck: isLong ? (kind.head === 'giraffe' ? 17 : kind.head === 'elephant' ? 0 : 6) : 0,
    tail: kind,
    isLong,
    paintHead: (context, isAsleep) => {
      if (kind.markings.includes('quills')) quills(context)
      if (isLong) {
        paintLongHead(context, kind, isAsleep)
        return
      }
      unit(context)
      paintFrontHead(context, kind, isAsleep)
    },
  }
}

/** Draws spines that stand around the head. */
function quills(context: SKRSContext2D): void {
  for (const [reach, tone] of [
    [1.62, '#4f3a2e'],
    [1.4, '#7a5c48'],
  ] as const) {
    const points: [number, number][] = []
    for (let i = 0; i <= 40; i++) {
      const angle = (i / 40) * Math.PI * 2
      const far = i % 2 ? reach : reach * 0.78
      points.push([Math.cos(angle) * far, -0.1 + Math.sin(angle) * far * 1.02])
    }
    fill(context, polygon(points), tone)
  }
}

function beakedLook(face: BeakedFace & { belly?: string; neck?: number; headSize?: number; leg?: string }): UprightLook {
  return {
    coat: face.coat,
    belly: face.belly ?? face.face ?? shade(face.coat, 0.3),
    limb: 'wing',
    limbColour: face.leg ?? face.beak,
    headSize: face.headSize ?? 0.92,
    neck: face.neck ?? 0,
    isLong: false,
    paintHead: (context, isAsleep) => paintBeakedHead(context, face, isAsleep),
  }
}

function scalyLook(face: ScalyFace & { neck?: number; headSize?: number }): UprightLook {
  return {
    coat: face.coat,
    belly: face.belly,
    limb: 'claw',
    limbColour: face.coat,
    headSize: face.headSize ?? 0.95,
    neck: face.neck ?? 0,
    isLong: face.kind === 'crocodile' || face.kind === 't-rex',
    paintHead: (context, isAsleep) => paintScalyHead(context, face, isAsleep),
  }
}

/** For emoji whose animal has no head of its own here: the name of the emoji, and the name of
 *  the similar animal whose head is drawn. */
const aliases: Record<string, string> = {
  chipmunk: 'squirrel',
  ewe: 'sheep',
  ox: 'bull',
  'guide-dog': 'labrador',
  'service-dog': 'german-shepherd',
  'water-buffalo': 'buffalo',
  mammoth: 'elephant',
  'two-hump-camel': 'camel',
  rat: 'mouse',
  ram: 'goat',
  turkey: 'vulture',
  'baby-chick': 'chick',
  'front-facing-baby-chick': 'chick',
  'hatching-chick': 'chick',
  'black-bird': 'crow',
  'flying-bird': 'bird',
  dove: 'seagull',
  'tropical-fish': 'fish',
  blowfish: 'fish',
  'spouting-whale': 'whale',
  'lady-beetle': 'ladybug',
  squid: 'octopus',
  'western-dragon': 'dragon',
}

/** Plumage of a bird. `wings` has the colours of three rows of wing feathers (coverts, second row,
 *  flight feathers), when they differ from the body. */
export type BirdFace = BeakedFace & {
  belly?: string
  neck?: number
  headSize?: number
  leg?: string
  wings?: readonly [string, string, string]
}

/** Returns the plumage of a bird by the name of its drawing (`owl` for `rig:owl`); undefined for
 *  penguins, and for animals that are not birds. */
export function birdFace(name: string): BirdFace | undefined {
  const face = beakedFaces[aliases[name] ?? name]
  return face && name !== 'platypus' && name !== 'griffin' && name !== 'penguin' ? face : undefined
}

const beakedFaces: Record<string, BirdFace> = {
  bird: { coat: '#3f9fd8', belly: '#cfeaf6', beak: '#f0943a', kind: 'short', crest: 'tuft' },
  owl: { coat: '#8a6242', face: '#e9d3ae', beak: '#f0b83a', kind: 'hook', crest: 'tufts', iris: '#f6c63a', headSize: 1.05 },
  'snowy-owl': { coat: '#f4f3ef', face: '#ffffff', beak: '#4a4440', kind: 'hook', iris: '#f6c63a', headSize: 1.05, leg: '#e9e6de' },
  eagle: { coat: '#5a4030', cap: '#f6f3ea', face: '#f6f3ea', belly: '#6a4c38', beak: '#f2b632', kind: 'hook' },
  hawk: { coat: '#8a6242', face: '#e9d3ae', beak: '#d9a83a', kind: 'hook' },
  vulture: { coat: '#d9a8a0', belly: '#3a3236', beak: '#e6d8b4', kind: 'hook', neck: 6, headSize: 0.72 },
  parrot: { coat: '#e0392f', face: '#fbf3e6', belly: '#e0392f', beak: '#3a3438', kind: 'hook', wings: ['#e0392f', '#f2c230', '#2a6fd0'] },
  penguin: { coat: '#2c3444', face: '#fbfaf5', belly: '#fbfaf5', beak: '#f2a23a', kind: 'short' },
  duck: { coat: '#2f7a52', belly: '#b9a488', beak: '#f2b63a', kind: 'flat' },
  'white-duck': { coat: '#fbfaf5', belly: '#ffffff', beak: '#f2a53a', kind: 'flat' },
  goose: { coat: '#e9e6df', belly: '#fbfaf5', beak: '#f0943a', kind: 'flat', neck: 9, headSize: 0.7 },
  swan: { coat: '#fbfaf7', belly: '#ffffff', beak: '#f0843a', kind: 'flat', neck: 13, headSize: 0.64 },
  flamingo: { coat: '#f48aa8', belly: '#f9b4c6', beak: '#fbe3d6', kind: 'bent', neck: 15, headSize: 0.58 },
  ostrich: { coat: '#e0b9a0', belly: '#3a3438', beak: '#e0a878', kind: 'short', neck: 16, headSize: 0.56, crest: 'tuft' },
  stork: { coat: '#fbfaf7', belly: '#ffffff', beak: '#d9503a', kind: 'long', neck: 12, headSize: 0.6 },
  peacock: { coat: '#2a5fb0', belly: '#2f9fb8', face: '#fbfaf5', beak: '#8a8478', kind: 'short', crest: 'fan', neck: 5, headSize: 0.74 },
  chicken: { coat: '#f6efe2', belly: '#fbf6ea', beak: '#f0a73a', kind: 'short', crest: 'comb', headSize: 0.8 },
  rooster: { coat: '#d9772e', belly: '#a8432f', beak: '#f2b632', kind: 'short', crest: 'comb', headSize: 0.8 },
  chick: { coat: '#f7d34a', belly: '#fbe88a', beak: '#f0943a', kind: 'short', headSize: 1.05 },
  crow: { coat: '#2b2d3a', belly: '#343748', beak: '#4a4c58', kind: 'short' },
  seagull: { coat: '#f7f8fa', belly: '#ffffff', beak: '#f0b02e', kind: 'short' },
  dodo: { coat: '#8f95a3', face: '#d9d4cc', beak: '#c9a26a', kind: 'hook' },
  toucan: { coat: '#26262e', face: '#fbf3da', belly: '#fbf3da', beak: '#f2942e', kind: 'bent' },
  hummingbird: { coat: '#2f9a6a', belly: '#e9f3ee', face: '#d8344f', beak: '#2a2428', kind: 'long' },
  phoenix: { coat: '#e8622a', belly: '#f6c63a', beak: '#f6c63a', kind: 'hook', crest: 'tuft' },
  griffin: { coat: '#c99a52', face: '#fbf6ea', belly: '#e9cf9a', beak: '#f2b632', kind: 'hook', crest: 'tufts' },
  platypus: { coat: '#7a553c', belly: '#a88462', beak: '#4f5560', kind: 'flat', leg: '#4f5560' },
}

const scalyFaces: Record<string, ScalyFace & { neck?: number; headSize?: number }> = {
  lizard: { kind: 'lizard', coat: '#5fae4a', belly: '#e3edb4' },
  gecko: { kind: 'lizard', coat: '#8cbf3f', belly: '#f1efc0' },
  iguana: { kind: 'lizard', coat: '#5c9a5a', belly: '#cfe0a8' },
  chameleon: { kind: 'chameleon', coat: '#4fae5c', belly: '#cfe79a' },
  salamander: { kind: 'frog', coat: '#3a3638', belly: '#f2a53a' },
  axolotl: { kind: 'frog', coat: '#f3a9b4', belly: '#fbd9dc' },
  frog: { kind: 'frog', coat: '#6fb53c', belly: '#e6eeb4' },
  turtle: { kind: 'turtle', coat: '#6fa84a', belly: '#e3d98a' },
  snake: { kind: 'snake', coat: '#5f9a3e', belly: '#e3e29a', neck: 5 },
  crocodile: { kind: 'crocodile', coat: '#5c8a48', belly: '#d9dfa0' },
  't-rex': { kind: 't-rex', coat: '#7a9a3a', belly: '#d9dc9a' },
  triceratops: { kind: 'triceratops', coat: '#7d8f5c', belly: '#d6cf9e' },
  stegosaurus: { kind: 'sauropod', coat: '#7a8f4a', belly: '#d6d39a' },
  sauropod: { kind: 'sauropod', coat: '#3fa35c', belly: '#cfe08a', neck: 14, headSize: 0.6 },
  dragon: { kind: 'dragon', coat: '#b8352d', belly: '#f0cf7a' },
  fish: { kind: 'fish', coat: '#3f9fd8', belly: '#cfeaf6' },
  goldfish: { kind: 'fish', coat: '#f08a2e', belly: '#fbd98a' },
  dolphin: { kind: 'dolphin', coat: '#6f93b4', belly: '#e3ecf2' },
  whale: { kind: 'dolphin', coat: '#4a7fa8', belly: '#d6e6f0' },
  orca: { kind: 'dolphin', coat: '#25282f', belly: '#fbfaf7' },
  shark: { kind: 'shark', coat: '#7a8a99', belly: '#eef1f3' },
  octopus: { kind: 'octopus', coat: '#d9604f', belly: '#f0a898' },
  crab: { kind: 'snail', coat: '#d9452f', belly: '#f29a7a' },
  lobster: { kind: 'snail', coat: '#c8382c', belly: '#f09a80' },
  snail: { kind: 'snail', coat: '#c9a878', belly: '#ead8b4' },
  ant: { kind: 'insect', coat: '#6a3a2a', belly: '#7a4634' },
  beetle: { kind: 'insect', coat: '#3f7a4a', belly: '#2f5f3a' },
  honeybee: { kind: 'insect', coat: '#f2bf2e', belly: '#3a2c22' },
  ladybug: { kind: 'insect', coat: '#2c282c', belly: '#d8342b' },
  cricket: { kind: 'insect', coat: '#7aa83a', belly: '#b9d47a' },
  butterfly: { kind: 'insect', coat: '#5a4a6a', belly: '#7a6a8a' },
  cockroach: { kind: 'insect', coat: '#8a5230', belly: '#a86a40' },
}
