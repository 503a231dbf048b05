/** Runs the shared suite for videos twice: on a real provider package, and on a package that
 *  returns the finished video from its one call. */
import assert from 'node:assert/strict'
import { before } from 'node:test'
import type { Done } from '@generation-gateway/kit/requests/job.ts'
import { errorReply, type FakeReply, hangingReply, jsonReply, rawReply } from '../../../testing/fakes/fake-upstream.ts'
import { smallVideo } from '../../../testing/small-video.ts'
import { driverSuite } from '../../suite/suite.ts'
import aiSdk, { aiSdkDriver } from './driver.ts'
import { fakeVideoPackage, sdkError } from './testing/fake-package.ts'
import { filming } from './testing/run.ts'

let clip: Buffer
before(async () => {
  clip = await smallVideo({ seconds: 1 })
})

const check = (done: Done) => {
  assert.deepEqual(done.report, { seed: '7', prompt: filming.prompt, filtered: [], notFollowed: [] })
  const kinds = done.files.map(({ role, mediaType, width, height }) => [role, mediaType, width, height])
  assert.deepEqual(kinds, [['video', 'video/mp4', 64, 36]])
  assert.deepEqual(done.usage, [{ unit: 'seconds', units: 1 }])
}
const linked = (baseUrl: string) => ({ videos: [{ type: 'url', url: `${baseUrl}/v.mp4`, mediaType: 'video/mp4' }], warnings: [] })
const file: FakeReply = (response, request) => rawReply(clip, 200, { 'content-type': 'video/mp4' })(response, request)

driverSuite('@ai-sdk/gateway', {
  driver: aiSdk,
  settings: (base_url, api_key) => ({ package: '@ai-sdk/gateway', export: 'createGateway', base_url, api_key }),
  capability: 'video.generate',
  request: filming,
  good: (_baseUrl, otherBaseUrl) => [
    jsonReply({ operation: { id: 'op-1' }, warnings: [] }),
    jsonReply({ status: 'pending' }),
    jsonReply({ status: 'completed', ...linked(otherBaseUrl) }),
  ],
  check,
  hanging: hangingReply(['never ending']),
  refusal: (status, message, headers) => errorReply(status, { message, type: 'x' }, headers),
  failed: {
    replies: [jsonReply({ operation: 'op-1' }), jsonReply({ status: 'error', error: 'against the content policy' })],
    code: 'content_moderated',
  },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { isStart: ({ path }) => path.endsWith('/start') },
  outputs: 'files',
  file,
  relays: { leftOut: 'videos are no conversation' },
})

driverSuite('a package that waits itself', {
  driver: aiSdkDriver(
    fakeVideoPackage({
      specificationVersion: 'v3',
      doGenerate: async (_call, send) => {
        const answer = await send('/videos', { method: 'POST', body: '{}' })
        const responseBody = await answer.text()
        const facts = { statusCode: answer.status, responseHeaders: Object.fromEntries(answer.headers), responseBody }
        if (!answer.ok) throw sdkError('AI_APICallError', facts)
        return JSON.parse(responseBody)
      },
    }).source,
  ),
  settings: (base_url, api_key) => ({ package: 'fake-provider', base_url, api_key }),
  capability: 'video.generate',
  request: filming,
  good: (_baseUrl, otherBaseUrl) => [jsonReply(linked(otherBaseUrl))],
  check,
  hanging: hangingReply(['never ending']),
  refusal: (status, message, headers) => errorReply(status, { message }, headers),
  failed: { replies: [errorReply(429, { message: 'insufficient_quota' })], code: 'upstream_quota_exhausted' },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { isStart: ({ method }) => method === 'POST' },
  outputs: 'files',
  file,
  relays: { leftOut: 'videos are no conversation' },
})
