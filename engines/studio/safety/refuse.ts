/** Refuses pictures that the safety rules forbid, before they are delivered. */
import { loadOnce } from '@generation-gateway/kit/load-once.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import type { Pixels } from '../style/pixels.ts'
import { type ImageClassifier, openClassifier } from './image-classifier.ts'
import { judgeImage } from './image-rules.ts'

const classifiers = new Map<'opened', Promise<ImageClassifier>>()

/** Returns the classifier. The first call opens it; later calls return the same one. */
export function openedClassifier(): Promise<ImageClassifier> {
  return loadOnce(classifiers, 'opened', openClassifier)
}

/** Returns the refusal of a picture; undefined when the picture is allowed. For an input picture
 *  (`code` is `request_moderated`), the scores of its worst part decide; for a picture that the
 *  studio drew, the mean of all parts. */
export async function refusePicture(
  pixels: Pixels,
  tolerance: number,
  code: 'request_moderated' | 'content_moderated',
): Promise<Failed | undefined> {
  const counts = code === 'request_moderated' ? 'worst' : 'average'
  const scores = await (await openedClassifier()).classify({ pixels: pixels.data, width: pixels.width, height: pixels.height }, counts)
  const verdict = judgeImage(scores, tolerance)
  if (verdict.allowed) return undefined
  return {
    state: 'failed',
    code,
    message: `The ${code === 'request_moderated' ? 'input image' : 'picture'} was refused by the safety rules.`,
    reasons: [...verdict.reasons],
  }
}
