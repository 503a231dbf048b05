/** Answers of F1 of another gateway, and its pictures (Part A, F1). */
import { onePixelPng } from '../../../testing/fake-driver.ts'
import { type FakeReply, jsonReply, rawReply } from '../../../testing/fake-upstream.ts'

export const accepted: FakeReply = jsonReply({ id: 't1', polling_url: 'http://elsewhere.example/v1/ai/default/imgf/get_result?id=t1' })
export const pictureReply: FakeReply = rawReply(onePixelPng, 200, { 'content-type': 'application/octet-stream' })

export function pending(progress: number): FakeReply {
  return jsonReply({ id: 't1', status: 'Pending', result: null, progress, details: null, preview: null })
}

/** `sample` is the link; the seed is written digit by digit. */
export function ready(sample: string, seed = '7'): FakeReply {
  const result = `{"seed":${seed},"prompt":"a drawn cat","sample":${JSON.stringify(sample)},"duration":1,"start_time":1,"end_time":2,"not_drawn":["blurb"],"not_followed":["size"]}`
  return rawReply(`{"id":"t1","status":"Ready","result":${result},"progress":null,"details":null,"preview":null}`, 200, {
    'content-type': 'application/json',
  })
}

export function ended(status: string, details: Record<string, unknown> | null): FakeReply {
  return jsonReply({ id: 't1', status, result: null, progress: null, details, preview: null })
}
