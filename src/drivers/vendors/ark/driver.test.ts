import assert from 'node:assert/strict'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { assertPixel, onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import { type FakeFrame, hangingReply, jsonReply, rawReply, sseReply } from '../../../testing/fakes/fake-upstream.ts'
import { driverSuite } from '../../suite/suite.ts'
import type { DriverSuite } from '../../suite/suite-options.ts'
import ark from './driver.ts'

/** A request with a tier (a class of sizes such as 2K), which leaves the aspect ratio to the
 *  model. */
const request: ImageGenerateRequest = {
  ...{ prompt: 'a cat', width: 2048, height: 2048, tier: { name: '2K', sizes: [{ width: 2048, height: 2048 }] }, count: 1, seed: '7' },
  ...{ expandPrompt: false, safetyTolerance: 2, format: 'png', watermark: true },
}
const report = { seed: '7', prompt: 'a cat', notDrawn: [], notFollowed: ['seed'] }
const head = { model: 'up-1', created: 1_795_000_000 }
const usage = (generated_images: number) => ({
  usage: { generated_images, output_tokens: 16 * generated_images, total_tokens: 16 * generated_images },
})

const shared: Omit<DriverSuite<'image.generate'>, 'request' | 'good' | 'check' | 'failed'> = {
  driver: ark,
  settings: (base_url, api_key) => ({ base_url, api_key, model_group: 'seedream-5.0' }),
  capability: 'image.generate',
  hanging: hangingReply([{ event: 'image_generation.heartbeat', data: { type: 'image_generation.heartbeat' } }]),
  refusal: (status, message, headers) =>
    jsonReply({ error: { code: 'SomeError', message: `${message} Request id: 02ab`, param: '', type: 'BadRequest' } }, status, headers),
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { leftOut: 'pictures come in the answer itself' },
  outputs: 'files',
  file: rawReply(onePixelPng, 200, { 'content-type': 'application/octet-stream' }),
  relays: { leftOut: 'pictures are no conversation; those of the vendor are spoken by openai-compatible' },
}

driverSuite('Ark, one picture', {
  ...shared,
  request,
  good: (_baseUrl, otherBaseUrl) => [jsonReply({ ...head, data: [{ url: `${otherBaseUrl}/0.png`, size: '1x1' }], ...usage(1) })],
  check: done => assertPixel(done, report, [{ unit: 'output_tokens', units: 16 }]),
  failed: {
    replies: [jsonReply({ error: { code: 'InputTextSensitiveContentDetected', message: 'no', type: 'BadRequest' } }, 400)],
    code: 'request_moderated',
  },
})

const named = (type: string, data: object): FakeFrame => ({
  event: `image_generation.${type}`,
  data: { type: `image_generation.${type}`, ...head, ...data },
})
const review = { error: { code: 'OutputImageSensitiveContentDetected', message: 'withheld. Request id: 7fa0' } }

driverSuite('Ark, a group', {
  ...shared,
  request: { ...request, count: 3, series: true },
  good: (_baseUrl, otherBaseUrl) => [
    sseReply([
      named('partial_failed', { image_index: 0, ...review }),
      named('partial_succeeded', { image_index: 1, url: `${otherBaseUrl}/1.png`, size: '1x1' }),
      named('completed', usage(1)),
      '[DONE]',
    ]),
  ],
  check: (done, events) => {
    const refused = { picture: 0, reasons: ['OutputImageSensitiveContentDetected'] }
    assertPixel(done, { ...report, refused: [refused] }, [{ unit: 'output_tokens', units: 16 }])
    assert.deepEqual(events, [{ type: 'refused', ...refused }])
  },
  failed: {
    replies: [sseReply([named('partial_failed', { image_index: 0, ...review }), named('completed', usage(0)), '[DONE]'])],
    code: 'content_moderated',
  },
})
