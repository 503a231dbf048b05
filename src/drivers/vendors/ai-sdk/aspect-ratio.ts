/** Finds the aspect ratio of a size, for services that accept only ratios. */
import { usualRatios as usual } from '../../shared/image/usual-ratios.ts'

/** Interfaces that accept an aspect ratio convert it to a size whose sides are multiples of this
 *  number of pixels. */
const step = 32

/** Returns the common aspect ratio of the size; undefined when it has none. When both sides are
 *  multiples of 32, a width that was rounded to such a multiple counts as exact. */
export function aspectRatioOf(width: number, height: number): string | undefined {
  const exact = usual.find(([wide, high]) => width * high === height * wide)
  if (exact !== undefined || width % step !== 0 || height % step !== 0) return exact?.join(':')
  return usual.find(([wide, high]) => Math.round((height * wide) / high / step) * step === width)?.join(':')
}

export const namedRatios: string = usual.map(ratio => ratio.join(':')).join(', ')
