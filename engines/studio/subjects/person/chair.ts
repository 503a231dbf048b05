import type { SKRSContext2D } from '@napi-rs/canvas'
import { form, line, rectangle } from '../brush.ts'
import type { Skeleton } from './poses.ts'

/** Draws a plain wooden chair below a seated person, turned in the same direction as the person. */
export function paintChair(context: SKRSContext2D, { hips, build }: Skeleton): void {
  const wood = '#8a5a36'
  const seat = hips.y + build.leg * 1.1
  const left = hips.x - build.hip * 1.5
  const right = hips.x + build.thigh * 0.62
  line(context, [left + 1.4, seat, left - 1.6, seat - build.torso * 0.92], { width: 2.4, colour: wood })
  for (const share of [0.5, 0.72, 0.9])
    line(
      context,
      [
        { x: left + 1.2 - share * 2.6, y: seat - build.torso * share * 0.92 },
        { x: left + build.hip * 0.8 - share * 2.6, y: seat - build.torso * share * 0.92 },
      ],
      { width: 1.8, colour: wood },
    )
  for (const x of [left + 1.4, right - 2]) line(context, [x, seat, x, -1], { width: 2.4, colour: wood })
  form(context, rectangle(left, seat - 1, right - left, 3.4, 1), '#a06c42', { depth: 0.6 })
}
