/** Maps sizes to the aspect ratios that services name. */
import { usualRatios as usual } from '../../shared/image/usual-ratios.ts'

/** Interfaces that accept an aspect ratio convert it to a size whose sides are multiples of this
 *  number of pixels. */
const step = 32

/** Returns the common ratio of the size, either exact or rounded to sides that are multiples of 32;
 *  undefined for any other size. */
export function aspectRatioOf(width: number, height: number): string | undefined {
  const exact = usual.find(([wide, high]) => width * high === height * wide)
  if (exact !== undefined || width % step !== 0 || height % step !== 0) return exact?.join(':')
  return usual.find(([wide, high]) => Math.round((height * wide) / high / step) * step === width)?.join(':')
}

export const namedRatios: string = usual.map(ratio => ratio.join(':')).join(', ')
