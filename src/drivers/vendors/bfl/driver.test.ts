import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { assertPixel } from '../../../testing/fakes/fake-driver.ts'
import { hangingReply } from '../../../testing/fakes/fake-upstream.ts'
import { driverSuite } from '../../suite/suite.ts'
import bfl from './driver.ts'
import { accepted, ended, pictureReply, ready, refusedReply, running } from './testing/vendor-answers.ts'

const request: ImageGenerateRequest = {
  prompt: 'a cat',
  width: 1152,
  height: 768,
  count: 1,
  seed: '7',
  expandPrompt: false,
  safetyTolerance: 2,
  format: 'png',
}

driverSuite('Black Forest Labs', {
  driver: bfl,
  // The driver cannot derive the group from the model name of the suite, so the settings state it.
  settings: (base_url, api_key) => ({ base_url, api_key, model_group: 'flux-1.1' }),
  capability: 'image.generate',
  request,
  good: (baseUrl, otherBaseUrl) => [
    accepted(`${baseUrl}/get_result?id=t`),
    running('Pending', 0.5),
    ready(`${otherBaseUrl}/picture?sig=1`),
  ],
  check: done => assertPixel(done, { seed: '7', prompt: 'a drawn cat', notDrawn: [] }),
  hanging: hangingReply(['never ending']),
  refusal: (status, message, headers) => refusedReply(status, message, headers),
  failed: { replies: [accepted(), ended('Request Moderated', { 'Moderation Reasons': ['Violence'] })], code: 'request_moderated' },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { isStart: ({ method }) => method === 'POST' },
  outputs: 'files',
  file: pictureReply,
  relays: { leftOut: 'the vendor speaks neither chat nor responses' },
})
