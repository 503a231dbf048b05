/** The way from a size back to the aspect ratio that gives it
 *  (docs/vendors/bfl.md#pixels-of-a-ratio). */
import { usualRatios } from './usual-ratios.ts'

/** Sizes of a model that takes a ratio: about `pixels` in all, sides multiples of `step`. */
export interface RatioSizes {
  kind: 'ratio'
  pixels: number
  step: number
}

type Ratio = readonly [wide: number, high: number]

const leastRatio = 3 / 7
const mostRatio = 7 / 3
const fineSteps = 4000

/** A ratio from 3:7 to 7:3 of which the model makes exactly this size; undefined when there is none. */
export function ratioOfSize(width: number, height: number, sizes: RatioSizes): string | undefined {
  const divisor = greatestDivisor(width, height)
  const own: Ratio = [width / divisor, height / divisor]
  // What people ask for is tried first, so that the vendor gets their very words.
  const found = [...usualRatios, own, middleRatio(width, height, sizes)].find(ratio => givesSize(ratio, { width, height }, sizes))
  return found?.join(':')
}

function givesSize([wide, high]: Ratio, size: { width: number; height: number }, { pixels, step }: RatioSizes): boolean {
  if (wide / high < leastRatio || wide / high > mostRatio) return false
  const { width, height } = sizeOfRatio([wide, high], { pixels, step })
  return height === size.height && width === size.width
}

/** The size that such a model makes of a ratio. */
export function sizeOfRatio([wide, high]: Ratio, { pixels, step }: Pick<RatioSizes, 'pixels' | 'step'>): { width: number; height: number } {
  const height = Math.round(Math.sqrt(pixels / (wide / high)) / step) * step
  return { width: Math.round((height * wide) / high / step) * step, height }
}

/** From the middle of all ratios that round to this size: the reduced one of its sides need not be among them. */
function middleRatio(width: number, height: number, { pixels, step }: RatioSizes): Ratio {
  const half = step / 2
  const least = Math.max(leastRatio, pixels / (height + half) ** 2, (width - half) / height)
  const most = Math.min(mostRatio, pixels / (height - half) ** 2, (width + half) / height)
  return [Math.round(((least + most) / 2) * fineSteps), fineSteps]
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}
