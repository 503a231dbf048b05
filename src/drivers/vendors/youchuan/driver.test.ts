import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { assertPixel, onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import { hangingReply, jsonReply, rawReply } from '../../../testing/fakes/fake-upstream.ts'
import { driverSuite } from '../../suite/suite.ts'
import youchuan from './driver.ts'

const request: ImageGenerateRequest = {
  ...{ prompt: 'a cat', width: 1248, height: 832, aspectRatio: '3:2', count: 4, seed: '7' },
  ...{ expandPrompt: false, safetyTolerance: 2, format: 'png' },
}
const record = (status: number, comment: string, more: object = {}) =>
  jsonReply({ id: 'job-1', text: 'a cat --ar 3:2 --seed 7', seed: 7, status, comment, urls: [], audits: [], ...more })

driverSuite('Youchuan', {
  driver: youchuan,
  settings: (base_url, api_key) => ({ base_url, api_key, app_id: 'app-1' }),
  capability: 'image.generate',
  request,
  good: (_baseUrl, otherBaseUrl) => [
    record(0, 'JobStatusCreated'),
    record(1, 'Running'),
    record(2, 'Success', { urls: [`${otherBaseUrl}/0.png`], audits: [''] }),
  ],
  check: done => assertPixel(done, { seed: '7', prompt: 'a cat', notDrawn: [] }),
  hanging: hangingReply(['never ending']),
  refusal: (status, message, headers) => jsonReply({ code: status, reason: 'Some_Reason', message }, status, headers),
  failed: { replies: [record(0, 'JobStatusCreated'), record(3, 'TextReject')], code: 'request_moderated' },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { isStart: ({ method }) => method === 'POST' },
  outputs: 'files',
  file: rawReply(onePixelPng, 200, { 'content-type': 'application/octet-stream' }),
  relays: { leftOut: 'the vendor speaks neither chat nor responses' },
})
