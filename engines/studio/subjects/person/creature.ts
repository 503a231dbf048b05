import type { SKRSContext2D } from '@napi-rs/canvas'
import type { PersonLook } from '../../scene.ts'
import type { Outfit } from './clothes.ts'
import type { HeadFrame } from './head.ts'
import type { Build, Skeleton } from './poses.ts'

/** A being that is not human but stands, dresses and holds things like one. The person rig draws
 *  its body with these functions in place of a human's. */
export interface Creature {
  build: Build
  /** Returns the outfit with fur or feathers on the bare parts. */
  dress(outfit: Outfit, look: PersonLook): Outfit
  /** Paints the tail and other parts behind the body. */
  paintBehind(context: SKRSContext2D, bones: Skeleton, outfit: Outfit): void
  /** Paints the head in its frame (middle at the origin). */
  paintHead(context: SKRSContext2D, frame: HeadFrame, bones: Skeleton): void
  /** Paints one worn thing on the head, in its frame. */
  paintWorn(context: SKRSContext2D, frame: HeadFrame, worn: { kind: string; colour: string }): void
  /** Paints the pattern of the coat over a bare torso, clipped to it; the hips are the origin. */
  paintCoat(context: SKRSContext2D): void
  /** Paints paws, hooves, wing tips and claws over the bare hands and feet. */
  paintLimbs(context: SKRSContext2D, bones: Skeleton, outfit: Outfit): void
}
