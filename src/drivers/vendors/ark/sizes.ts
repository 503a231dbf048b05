/** Translates the size of a request into the vendor's notation. A requested size that the model
 *  cannot draw is refused, neither rounded nor clamped. */
import { type ImageField, type PictureSize, sizeFields } from '@generation-gateway/kit/requests/image.ts'
import { pictureOf } from '@generation-gateway/kit/requests/image-inputs.ts'
import { haveSameShape, type ImageJobFacts, sidesOf } from '../../shared/image/image-job.ts'
import { refused } from '../../shared/refusal.ts'
import { type ModelGroup, mostRatio } from './models.ts'

/** Number of pixels of the new picture for an edit without a size, when the model cannot draw the
 *  size of the input. The new picture keeps the aspect ratio of the input. Every model with free
 *  sizes can draw this many pixels. */
const usualPixels = 2048 * 2048
const sideStep = 32
/** Allowed deviation between two aspect ratios, as a natural logarithm. Rounded sides and the
 *  vendor's presets cause smaller deviations. */
const shapeTolerance = 0.07

/** Returns a tier (a class of sizes such as 2K), `<W>x<H>` or `adaptive`; undefined when the size
 *  is unknown, which selects the vendor's default. `who` names the model in messages. Throws a
 *  `RefusedError` for a size that the model cannot draw. */
export function sizeOf(jobFacts: ImageJobFacts, { sizes }: ModelGroup, who: string): string | undefined {
  const { request } = jobFacts
  const { width, height, tier } = request
  const isNamed = width !== undefined && height !== undefined
  if (sizes.kind === 'adaptive') {
    if (isNamed && !haveSameShape({ width, height }, pictureOf(jobFacts.inputs), shapeTolerance))
      throw refused(sizeFields(request)[0], `${who} keeps the shape of the picture, and ${width}x${height} is another one.`)
    return 'adaptive'
  }
  const word = tier?.name.toUpperCase()
  if (word !== undefined && sizes.kind === 'free' && sizes.tiers.includes(word)) return word
  const sides = sidesOf(jobFacts)
  if (sides === undefined) return undefined
  const problem = sizeProblem(sides, sizes)
  if (problem === undefined) return wordOf(sides)
  if (isNamed) throw refused(sizeFields(request)[0], `${who} ${problem}.`)
  return wordOf(inShapeOf(pictureOf(jobFacts.inputs) ?? sides))
}

/** Returns the size fields that a picture does not match. Requested sides that were sent as a
 *  tier are not compared, because the model chooses the shape. Without requested sides, the
 *  picture must have the shape of the input. */
export function sizeMissed({ request, inputs }: ImageJobFacts, size: string | undefined, picture: PictureSize): ImageField[] {
  const { width, height } = request
  if (width === undefined || height === undefined)
    return haveSameShape(picture, pictureOf(inputs), shapeTolerance) ? [] : sizeFields(request)
  const isFree = size !== undefined && size !== 'adaptive' && !size.includes('x')
  return isFree || (picture.width === width && picture.height === height) ? [] : sizeFields(request)
}

function sizeProblem({ width, height }: PictureSize, sizes: Exclude<ModelGroup['sizes'], { kind: 'adaptive' }>): string | undefined {
  if (sizes.kind === 'sides') {
    const { leastSide, mostSide } = sizes
    const fits = [width, height].every(side => side >= leastSide && side <= mostSide)
    return fits ? undefined : `draws sides of ${leastSide} to ${mostSide} pixels, not ${width}x${height}`
  }
  const { leastPixels, mostPixels } = sizes
  const pixels = width * height
  if (pixels < leastPixels || pixels > mostPixels) return `draws ${leastPixels} to ${mostPixels} pixels, not ${pixels} (${width}x${height})`
  if (Math.max(width, height) > mostRatio * Math.min(width, height)) return `draws ratios up to ${mostRatio}:1, not ${width}x${height}`
  return undefined
}

function inShapeOf({ width = 1, height = 1 }: Partial<PictureSize>): PictureSize {
  const side = (pixels: number) => Math.round(Math.sqrt(pixels) / sideStep) * sideStep
  return { width: side((usualPixels * width) / height), height: side((usualPixels * height) / width) }
}

function wordOf({ width, height }: PictureSize): string {
  return `${width}x${height}`
}
