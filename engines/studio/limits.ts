/** The largest pictures that the engine draws (docs/decisions/0004). */
export const largestSide = 16_384
export const mostPixels = 16_777_216
/** The most pixels of an input picture that is decoded: phone cameras make up to 50 million. Each
 *  image interface may set a lower limit. */
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
