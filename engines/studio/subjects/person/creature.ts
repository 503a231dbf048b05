import type { SKRSContext2D } from '@napi-rs/canvas'
import type { PersonLook } from '../../scene.ts'
import type { Outfit } from './clothes.ts'
import type { HeadFrame } from './head.ts'
import type { Build, Skeleton } from './poses.ts'

/** The functions with which the person rig draws a being that is not human, but stands, wears
 *  clothes and holds things like a person. */
export interface Creature {
  build: Build
  /** Returns the outfit of the creature: where no garment covers the body, it shows fur or feathers
   *  instead of skin. */
  dress(outfit: Outfit, look: PersonLook): Outfit
  /** Draws the tail and other parts behind the body. */
  paintBehind(context: SKRSContext2D, bones: Skeleton, outfit: Outfit): void
  /** Draws the head; the origin is its middle. */
  paintHead(context: SKRSContext2D, frame: HeadFrame, bones: Skeleton): void
  /** Draws one worn thing on the head, in the head's coordinates. */
  paintWorn(context: SKRSContext2D, frame: HeadFrame, worn: { kind: string; colour: string }): void
  /** Draws the coat pattern over a bare torso, clipped to it; the origin is at the hips. */
  paintCoat(context: SKRSContext2D): void
  /** Draws paws, hooves, wing tips or claws over bare hands and feet. */
  paintLimbs(context: SKRSContext2D, bones: Skeleton, outfit: Outfit): void
}
