import type { SKRSContext2D } from '@napi-rs/canvas'
import type { PersonLook } from '../../scene.ts'
import type { Outfit } from './clothes.ts'
import type { HeadFrame } from './head.ts'
import type { Build, Skeleton } from './poses.ts'

/** A being that is no human but stands, dresses and holds things like one. The person rig draws
 *  its body with these in place of a human's. */
export interface Creature {
  build: Build
  /** The outfit with fur or feathers where nothing is worn. */
  dress(outfit: Outfit, look: PersonLook): Outfit
  /** Tail and what else is behind the body. */
  paintBehind(context: SKRSContext2D, bones: Skeleton, outfit: Outfit): void
  /** The head in its frame (middle at the origin). */
  paintHead(context: SKRSContext2D, frame: HeadFrame, bones: Skeleton): void
  /** One worn thing on the head, in its frame. */
  paintWorn(context: SKRSContext2D, frame: HeadFrame, worn: { kind: string; colour: string }): void
  /** The pattern of the coat over a bare torso, clipped to it; the hips are the origin. */
  paintCoat(context: SKRSContext2D): void
  /** Paws, hooves, wing tips and claws, over the bare hands and feet. */
  paintLimbs(context: SKRSContext2D, bones: Skeleton, outfit: Outfit): void
}
