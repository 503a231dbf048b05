/** Events of the vendor's streams, and short descriptions of how runs end. */
import assert from 'node:assert/strict'
import type { FakeFrame } from '../../../../testing/fakes/fake-upstream.ts'
import type { RunResult } from './run.ts'

export const named = (type: string, data: object = {}): FakeFrame => ({
  event: `image_generation.${type}`,
  data: { type: `image_generation.${type}`, model: 'm', created: 1_795_000_000, ...data },
})
export const pictureFrame = (url: string, image_index: number) => named('partial_succeeded', { image_index, url, size: '1x1' })
export const lost = (code: string, image_index = 0) =>
  named('partial_failed', { image_index, error: { code, message: 'No. Request id: 7f' } })
export const review = 'OutputImageSensitiveContentDetected'
export const completed = (generated_images: number) =>
  named('completed', { usage: { generated_images, output_tokens: 16 * generated_images, total_tokens: 16 * generated_images } })

/** Returns the end of a run: `done`, or the code of its failure, followed by `?` when the vendor
 *  may charge for more than it returned. */
export function ending({ outcome, error }: RunResult): string {
  if (error) return `${error.code}${error.code === 'outcome_unknown' ? '?' : ''}`
  assert.ok(outcome)
  return outcome.state === 'done' ? 'done' : `${outcome.code}${outcome.mayBeCharged ? '?' : ''}`
}
