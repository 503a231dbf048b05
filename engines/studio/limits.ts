/** Largest side and largest area, in pixels, of a picture that the engine draws
 *  (docs/decisions/0004). */
export const largestSide = 16_384
export const mostPixels = 16_777_216
/** Largest number of pixels of an input picture that the engine decodes. Phone cameras make
 *  pictures of up to 50 million pixels. Each image interface can set a lower limit. */
export const mostInputPixels = 100_000_000

/** Returns the size of a picture enlarged by `factor`. When that size exceeds the limits, returns
 *  the sentence that refuses the factor, as `says`. */
export function upscaledSize(
  factor: number,
  { width, height }: { width: number; height: number },
): { width: number; height: number } | { says: string } {
  const size = { width: width * factor, height: height * factor }
  if (Math.max(size.width, size.height) <= largestSide && size.width * size.height <= mostPixels) return size
  return {
    says: `${factor} times ${width}x${height} is ${size.width}x${size.height}; the built-in image engine makes at most ${largestSide} pixels a side and ${mostPixels} in all.`,
  }
}
