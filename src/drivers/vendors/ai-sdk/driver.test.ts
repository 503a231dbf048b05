/** Runs the shared suite twice: on a real provider package, and on a package that follows links and
 *  sends its credential to every host, which the driver must prevent. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { errorReply, hangingReply, jsonReply, rawReply } from '../../../testing/fakes/fake-upstream.ts'
import { driverSuite } from '../../suite/suite.ts'
import aiSdk, { aiSdkDriver } from './driver.ts'
import { fakePackage } from './testing/fake-package.ts'
import { drawing, picture } from './testing/run.ts'

let drawn: Buffer
before(async () => {
  drawn = await picture()
})

const usage = [
  { unit: 'images', units: 1 },
  { unit: 'pixels', units: 64 * 48 },
]

driverSuite('@ai-sdk/openai-compatible', {
  driver: aiSdk,
  settings: (base_url, api_key) => ({ package: '@ai-sdk/openai-compatible', base_url, api_key, options: { name: 'local' }, seed: false }),
  capability: 'image.generate',
  request: drawing,
  good: () => [jsonReply({ data: [{ b64_json: drawn.toString('base64') }], usage: { input_tokens: 5, output_tokens: 9 } })],
  check: done => {
    assert.deepEqual(done.report, { seed: '7', prompt: drawing.prompt, notDrawn: [], notFollowed: ['seed'] })
    const kinds = done.files.map(({ mediaType, width, height }) => [mediaType, width, height])
    assert.deepEqual(kinds, [['image/png', 64, 48]])
    assert.deepEqual(done.usage, [...usage, { unit: 'input_tokens', units: 5 }, { unit: 'output_tokens', units: 9 }])
  },
  hanging: hangingReply(['never ending']),
  refusal: (status, message, headers) => errorReply(status, { message }, headers),
  failed: { replies: [errorReply(400, { message: 'no', code: 'content_policy_violation' })], code: 'request_moderated' },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { leftOut: 'the package waits itself' },
  outputs: { leftOut: 'this package gives bytes' },
  relays: { leftOut: 'pictures are no conversation' },
})

driverSuite('a package with links', {
  driver: aiSdkDriver(fakePackage().source),
  settings: (base_url, api_key) => ({ package: 'fake-provider', base_url, api_key }),
  capability: 'image.generate',
  request: drawing,
  good: (_baseUrl, otherBaseUrl) => [jsonReply({ links: [`${otherBaseUrl}/picture`] })],
  check: done => {
    assert.deepEqual(done.report, { seed: '7', prompt: drawing.prompt, notDrawn: [], notFollowed: [] })
    assert.deepEqual(done.usage, usage)
  },
  hanging: hangingReply(['never ending']),
  refusal: (status, message, headers) => errorReply(status, { message }, headers),
  failed: { replies: [errorReply(429, { message: 'insufficient_quota' })], code: 'upstream_quota_exhausted' },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { leftOut: 'the package waits itself' },
  outputs: 'files',
  file: (response, request) => rawReply(drawn, 200, { 'content-type': 'image/png' })(response, request),
  relays: { leftOut: 'pictures are no conversation' },
})

test('the address of a service is shown only if the settings contain it', () => {
  const given = { package: '@ai-sdk/openai' }
  assert.equal(aiSdk.addressOf?.(given), undefined)
  assert.equal(aiSdk.addressOf?.({ ...given, base_url: 'https://api.example/v1' })?.origin, 'https://api.example')
})
