/** Runs the shared suite on an embedding model of a real provider package. */
import assert from 'node:assert/strict'
import { encodedVector } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { errorReply, hangingReply, jsonReply } from '../../../../testing/fakes/fake-upstream.ts'
import { driverSuite } from '../../../suite/suite.ts'
import aiSdk from '../driver.ts'

driverSuite('vectors of @ai-sdk/openai', {
  driver: aiSdk,
  settings: (base_url, api_key) => ({ package: '@ai-sdk/openai', base_url, api_key }),
  capability: 'text.embed',
  request: { inputs: ['hello'] },
  good: () => [jsonReply({ data: [{ index: 0, embedding: [0.5, 1] }], usage: { prompt_tokens: 2 } })],
  check: (done, events) => {
    assert.deepEqual(events, [{ type: 'vectors', vectors: [encodedVector(Float32Array.of(0.5, 1))] }])
    assert.deepEqual(done.usage, [{ unit: 'input_tokens', units: 2 }])
  },
  hanging: hangingReply(['never ending']),
  refusal: (status, message, headers) => errorReply(status, { message }, headers),
  failed: { replies: [errorReply(400, { message: 'too long', code: 'context_length_exceeded' })], code: 'context_length_exceeded' },
  polled: { leftOut: 'vectors come at once' },
  outputs: { leftOut: 'vectors are no files' },
  relays: { leftOut: 'a package takes no bytes of a caller' },
})
