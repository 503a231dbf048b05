/** Finds an aspect ratio for which a model produces a wanted size
 *  (docs/vendors/bfl.md#pixels-of-a-ratio). */
import { usualRatios } from './usual-ratios.ts'

/** Describes the sizes that a model produces when it accepts an aspect ratio but no sides: about
 *  `pixels` pixels in all, both sides multiples of `step`. */
export interface RatioSizes {
  kind: 'ratio'
  pixels: number
  step: number
}

type Ratio = readonly [wide: number, high: number]

const leastRatio = 3 / 7
const mostRatio = 7 / 3
const fineSteps = 4000

/** Returns an aspect ratio, from 3:7 to 7:3, for which the model produces exactly this size;
 *  undefined when there is none. */
export function ratioOfSize(width: number, height: number, sizes: RatioSizes): string | undefined {
  const divisor = greatestDivisor(width, height)
  const own: Ratio = [width / divisor, height / divisor]
  // The common ratios are tried first, because the caller's size was most likely derived from one
  // of them.
  const found = [...usualRatios, own, middleRatio(width, height, sizes)].find(ratio => givesSize(ratio, { width, height }, sizes))
  return found?.join(':')
}

function givesSize([wide, high]: Ratio, size: { width: number; height: number }, { pixels, step }: RatioSizes): boolean {
  if (wide / high < leastRatio || wide / high > mostRatio) return false
  const { width, height } = sizeOfRatio([wide, high], { pixels, step })
  return height === size.height && width === size.width
}

/** Returns the size in pixels that a model with these `pixels` and `step` produces for a ratio. */
function sizeOfRatio([wide, high]: Ratio, { pixels, step }: Pick<RatioSizes, 'pixels' | 'step'>): { width: number; height: number } {
  const height = Math.round(Math.sqrt(pixels / (wide / high)) / step) * step
  return { width: Math.round((height * wide) / high / step) * step, height }
}

/** Returns the middle one of the ratios that the model rounds to this size. The ratio of the sides
 *  themselves may be outside these ratios. */
function middleRatio(width: number, height: number, { pixels, step }: RatioSizes): Ratio {
  const half = step / 2
  const least = Math.max(leastRatio, pixels / (height + half) ** 2, (width - half) / height)
  const most = Math.min(mostRatio, pixels / (height - half) ** 2, (width + half) / height)
  return [Math.round(((least + most) / 2) * fineSteps), fineSteps]
}

export function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}
