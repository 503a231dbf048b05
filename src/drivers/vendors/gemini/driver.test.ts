import { strict as assert } from 'node:assert'
import { errorReply, hangingReply, jsonReply, sseReply } from '../../../testing/fakes/fake-upstream.ts'
import { driverSuite } from '../../suite/suite.ts'
import type { DriverSuite } from '../../suite/suite-options.ts'
import driver from './driver.ts'

const usageMetadata = {
  promptTokenCount: 9,
  cachedContentTokenCount: 2,
  candidatesTokenCount: 2,
  thoughtsTokenCount: 1,
  totalTokenCount: 12,
}
const piece = (parts: object[], finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }],
  usageMetadata,
  modelVersion: 'gemini-test',
  responseId: 'r1',
})
const frames = [piece([{ text: 'Hello ' }]), piece([{ text: 'there' }], 'STOP')]

const suite: DriverSuite<'text.respond'> = {
  driver,
  settings: (base_url, api_key) => ({ base_url, api_key }),
  capability: 'text.respond',
  request: {
    items: [{ type: 'message', role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
    tools: [],
    toolChoice: { mode: 'auto' },
    parallelToolCalls: true,
    format: { type: 'text' },
    extras: { protocol: 'generate-content', fields: {} },
  },
  good: () => [sseReply(frames)],
  check: (done, events) => {
    const said = events.map(event => (typeof event === 'object' && event !== null ? Reflect.get(event, 'delta') : ''))
    assert.equal(said.join(''), 'Hello there')
    assert.deepEqual(done.report, {
      finish: 'stop',
      usage: { inputTokens: 9, cachedInputTokens: 2, outputTokens: 3, reasoningTokens: 1 },
    })
  },
  hanging: hangingReply(frames.slice(0, 1)),
  refusal: (status, message, headers) => errorReply(status, { code: status, message, status: 'INVALID_ARGUMENT' }, headers),
  failed: {
    replies: [sseReply([{ error: { code: 403, message: 'no', status: 'PERMISSION_DENIED' } }])],
    code: 'upstream_error',
  },
  polled: { leftOut: 'conversations are streamed, not polled' },
  outputs: { leftOut: 'conversations have no files' },
  relays: ['generate-content'],
}

driverSuite('gemini', suite)
driverSuite('gemini that answers with one object', {
  ...suite,
  good: () => [jsonReply(piece([{ text: 'Hello there' }], 'STOP'))],
})
