import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Point } from '../artwork.ts'
import { polygon } from '../brush.ts'
import type { Skeleton } from './poses.ts'

/** A function that draws a thing in the near hand. */
export type PropPainter = (context: SKRSContext2D, hand: Point, bones: Skeleton) => void

export const steel = '#c3ccd6'
export const wood = '#8a5a32'

export function starShape(x: number, y: number, radius: number) {
  return polygon(
    Array.from(
      { length: 10 },
      (_, i) =>
        [
          x + Math.sin((i * Math.PI) / 5) * radius * (i % 2 ? 0.45 : 1),
          y - Math.cos((i * Math.PI) / 5) * radius * (i % 2 ? 0.45 : 1),
        ] as const,
    ),
  )
}
