import { strict as assert } from 'node:assert'
import { decodedVector, type EmbedEvent } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { errorReply, jsonReply, silentReply } from '../../../testing/fakes/fake-upstream.ts'
import { driverSuite } from '../../suite/suite.ts'
import driver from './driver.ts'

driverSuite('gemini, embeddings', {
  driver,
  settings: (base_url, api_key) => ({ base_url, api_key }),
  capability: 'text.embed',
  request: { inputs: ['one', 'two'], dimensions: 2 },
  good: () => [jsonReply({ embeddings: [{ values: [1, 0] }, { values: [0, 0.5] }] })],
  check: (_done, events) => {
    // The cast is safe: events of this capability are vectors.
    const vectors = (events as EmbedEvent[]).flatMap(event => event.vectors.map(vector => Array.from(decodedVector(vector))))
    assert.deepEqual(vectors, [
      [1, 0],
      [0, 0.5],
    ])
  },
  hanging: silentReply,
  refusal: (status, message, headers) => errorReply(status, { code: status, message, status: 'INVALID_ARGUMENT' }, headers),
  failed: { replies: [jsonReply({ embeddings: [{ values: [1, 0] }] })], code: 'upstream_error' },
  polled: { leftOut: 'vectors come in the answer' },
  outputs: { leftOut: 'vectors are no files' },
  relays: { leftOut: 'embeddings are translated' },
})
