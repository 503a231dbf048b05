/** Fake answers of another gateway about its runs, with pictures. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { onePixelPng } from '../../../../testing/fakes/fake-driver.ts'
import { type FakeReply, jsonReply, rawReply } from '../../../../testing/fakes/fake-upstream.ts'

const run = { id: 'r1', object: 'gateway.run', state: 'queued', progress: 0, error: null, outputs: [], begun: [], result: null, usage: [] }

export const accepted: FakeReply = jsonReply(run)
export const pictureReply: FakeReply = rawReply(onePixelPng, 200, { 'content-type': 'application/octet-stream' })

/** Returns the answer about a run in progress; `progress` is 0 to 100. */
export function running(progress: number): FakeReply {
  return jsonReply({ ...run, state: 'running', progress })
}

/** Returns the answer about a finished run; `urls` are the links of its pictures. */
export function ready(...urls: string[]): FakeReply {
  const outputs = urls.map((url, index) => ({ role: 'output', index, url, media_type: 'image/png' }))
  const result = { seed: '7', prompt: 'a drawn cat', notDrawn: ['blurb'], notFollowed: ['width', 'height'] }
  return jsonReply({
    ...run,
    state: 'succeeded',
    outputs,
    result,
    usage: [
      { unit: 'images', units: 1 },
      { unit: 'pixels', units: 1 },
    ],
  })
}

export function ended(state: string, error: JsonObject | null, more: JsonObject = {}): FakeReply {
  return jsonReply({ ...run, state, error, ...more })
}
