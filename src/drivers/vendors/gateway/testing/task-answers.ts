/** Answers of another gateway about its tasks, and its pictures. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { onePixelPng } from '../../../../testing/fakes/fake-driver.ts'
import { type FakeReply, jsonReply, rawReply } from '../../../../testing/fakes/fake-upstream.ts'

/** Of F1. */
export const accepted: FakeReply = jsonReply({ id: 't1', polling_url: 'http://elsewhere.example/v1/ai/default/imgf/get_result?id=t1' })
export const pictureReply: FakeReply = rawReply(onePixelPng, 200, { 'content-type': 'application/octet-stream' })

const task = { id: 't1', object: 'task', outputs: [], error: null, pictures: null, progress: 0 }

/** `progress`: 0 to 100. */
export function running(progress: number): FakeReply {
  return jsonReply({ ...task, state: 'running', progress })
}

/** `urls` are the links of its pictures. */
export function ready(urls: string | string[], told: JsonObject = {}): FakeReply {
  const outputs = [urls].flat().map((url, index) => ({ role: 'output', index, url }))
  const pictures = { seed: '7', prompt: 'a drawn cat', not_drawn: ['blurb'], not_followed: ['width', 'height'], refused: [], ...told }
  return jsonReply({ ...task, state: 'succeeded', outputs, pictures })
}

export function ended(state: string, error: JsonObject | null, more: JsonObject = {}): FakeReply {
  return jsonReply({ ...task, state, error, ...more })
}
