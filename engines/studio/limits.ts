/** The largest pictures that the engine draws (docs/decisions/0004). */
export const largestSide = 16_384
export const mostPixels = 16_777_216
/** The largest picture that is decoded: phone photographs have up to 50 million pixels. Families
 *  may set lower limits. */
export const mostInputPixels = 100_000_000

/** Returns the size of a picture enlarged by `factor`, or a refusal of the factor when the size
 *  exceeds the limits. */
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
