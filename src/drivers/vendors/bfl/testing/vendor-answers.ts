/** Answers of the vendor and of the host from which pictures are downloaded
 *  (docs/vendors/bfl.md#bodies, #task-states, #errors). */
import { onePixelPng } from '../../../../testing/fakes/fake-driver.ts'
import { type FakeReply, jsonReply, rawReply } from '../../../../testing/fakes/fake-upstream.ts'

export const taskId = '6d1b3f0a-52c4-4d0e-9a77-0c3be1a9d210'
/** A picture as the download host sends it: with a content type that does not reveal the format. */
export const pictureReply: FakeReply = rawReply(onePixelPng, 200, { 'content-type': 'application/octet-stream' })

/** Returns the answer to an accepted submit. `pollingUrl` is the address at which the task is
 *  polled; when it is absent, the answer contains none. */
export function accepted(pollingUrl?: string): FakeReply {
  return jsonReply({ id: taskId, ...(pollingUrl === undefined ? {} : { polling_url: pollingUrl }), cost: 4, input_mp: 0, output_mp: 1 })
}

export function running(status: string, progress: number | null = null): FakeReply {
  return jsonReply({ id: taskId, status, result: null, progress, details: null, preview: null })
}

/** Returns the answer for a finished task. `sample` is the link to the picture. The seed is a
 *  string, so that the JSON contains all its digits. */
export function ready(sample: string, seed = '7'): FakeReply {
  const result = `{"sample":${JSON.stringify(sample)},"prompt":"a drawn cat","seed":${seed},"start_time":1.5,"end_time":8,"duration":6.5}`
  const text = `{"id":"${taskId}","status":"Ready","result":${result},"progress":null,"details":null,"preview":null}`
  return rawReply(text, 200, { 'content-type': 'application/json' })
}

export function ended(status: string, details: unknown = null, more: Record<string, unknown> = {}): FakeReply {
  return jsonReply({ id: taskId, status, result: null, progress: null, details, preview: null, ...more })
}

/** Returns a refusal in the vendor's format. */
export function refusedReply(status: number, detail: unknown, headers: Record<string, string> = {}): FakeReply {
  return jsonReply({ detail }, status, headers)
}
