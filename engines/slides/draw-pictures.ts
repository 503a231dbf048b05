/** Lets an image model draw pictures for the slides that describe one. */
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile, RunSubRequest } from '@generation-gateway/kit/requests/job.ts'
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'

const drawMs = 3 * 60_000
/** Size of the pictures in pixels: wide enough for the left half of a page, and as high as a
 *  page. */
const size = { width: 960, height: 1216 }

interface SlidePictures {
  slides: Slide[]
  /** The pictures of the request, followed by the drawn ones. */
  pictures: InputFile[]
  usage: UsageUnits[]
  /** A sentence about pictures that could not be drawn, for the comment. */
  why?: string
}

interface PictureRequest {
  slides: readonly Slide[]
  given: readonly InputFile[]
  model: { id: string } | 'built-in'
  most: number
  /** Style of the template, appended to the description of a picture. */
  style?: string
}

/** Returns the slides with a picture for each of the first `most` descriptions; equal
 *  descriptions share a picture. When the model cannot draw a picture, the slide stays without
 *  one and later shows the template's ornament. */
export async function drawPictures(
  help: RunSubRequest,
  { slides, given, model, most, style }: PictureRequest,
  signal: AbortSignal,
): Promise<SlidePictures> {
  const drawn: SlidePictures = { slides: [...slides], pictures: [...given], usage: [] }
  const wanted = [
    ...new Set(slides.flatMap(({ picture, pictureInput }) => (picture !== undefined && pictureInput === undefined ? [picture] : []))),
  ]
  const missing: string[] = []
  for (const [k, picture] of wanted.slice(0, most).entries()) {
    try {
      const prompt = style === undefined ? picture : `${picture}, ${style}`
      const answer = await help({ capability: 'image.generate', request: requestOf(prompt, k), model, signal: AbortSignal.timeout(drawMs) })
      if (!answer) return drawn
      drawn.usage.push(...answer.usage)
      const [file] = answer.files
      if (!file || hasLeftOut(answer.report.notDrawn)) continue
      const at = drawn.pictures.push({ ...file, bytes: 0, role: 'picture' }) - 1
      drawn.slides = drawn.slides.map(slide =>
        slide.picture === picture && slide.pictureInput === undefined ? { ...slide, pictureInput: at } : slide,
      )
    } catch (error) {
      signal.throwIfAborted()
      missing.push(error instanceof Error ? error.message : 'something went wrong.')
    }
  }
  if (missing.length > 0)
    drawn.why = `${missing.length === 1 ? 'A picture' : `${missing.length} pictures`} could not be drawn: ${missing[0]}`
  return drawn
}

function requestOf(prompt: string, k: number): ImageGenerateRequest {
  return {
    prompt,
    count: 1,
    ...size,
    aspectRatio: '4:5',
    seed: String(7 + 13 * k),
    expandPrompt: false,
    safetyTolerance: 2,
    format: 'jpeg',
  }
}

/** True when the image model reports words of the prompt that it left out; words replaced by
 *  something similar ("drawn as ...") do not count. */
function hasLeftOut(notDrawn: unknown): boolean {
  return Array.isArray(notDrawn) && notDrawn.some(each => typeof each === 'string' && !each.includes('(drawn as '))
}
