import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Pose } from '../../scene.ts'
import type { Outfit } from './clothes.ts'
import { gear } from './gear.ts'
import { instruments } from './instruments.ts'
import type { Skeleton } from './poses.ts'
import { tools } from './tools.ts'

/** Things held in a pose when the prompt names none: a book for reading, a rod for fishing. */
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

/** Draws the props that are behind the near hand. */
export function paintProp(context: SKRSContext2D, kind: string, bones: Skeleton): void {
  const painter = gear[kind] ?? tools[kind] ?? instruments[kind]
  painter?.(context, bones.handB, bones)
}
