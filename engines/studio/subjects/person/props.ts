import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Pose } from '../../scene.ts'
import type { Outfit } from './clothes.ts'
import { gear } from './gear.ts'
import { instruments } from './instruments.ts'
import type { Skeleton } from './poses.ts'
import { tools } from './tools.ts'

/** The prop for a pose when the prompt names no thing for the hand: a book for reading, a rod for
 *  fishing. */
const poseProps: Partial<Record<Pose, string>> = {
  reading: 'book',
  fishing: 'fishing-rod',
  cooking: 'pan',
  painting: 'brush',
  singing: 'microphone',
  eating: 'apple',
}

export function propOf(outfit: Outfit, pose: Pose | undefined, isHandFree: boolean, given: string | undefined): string | undefined {
  if (!isHandFree) return undefined
  if (given) return given
  const posed = pose && poseProps[pose]
  if (posed) return posed
  const busy =
    pose === 'swimming' ||
    pose === 'sleeping' ||
    pose === 'lying' ||
    pose === 'flying' ||
    pose === 'climbing' ||
    pose === 'waving' ||
    pose === 'riding' ||
    pose === 'speaking' ||
    pose === 'giving' ||
    pose === 'reaching' ||
    pose === 'pushing' ||
    pose === 'throwing' ||
    pose === 'kicking' ||
    pose === 'leaning' ||
    pose === 'hugging'
  return busy ? undefined : outfit.prop
}

/** Draws a prop. The caller draws the near arm afterwards, so that its hand covers the prop. */
export function paintProp(context: SKRSContext2D, kind: string, bones: Skeleton): void {
  const painter = gear[kind] ?? tools[kind] ?? instruments[kind]
  painter?.(context, bones.handB, bones)
}
