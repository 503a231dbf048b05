import assert from 'node:assert/strict'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import { assertPixel } from '../../../testing/fakes/fake-driver.ts'
import { errorReply, hangingReply, sseReply } from '../../../testing/fakes/fake-upstream.ts'
import { geminiFrames } from '../../../testing/fakes/fake-upstream-gemini.ts'
import { messageFrames } from '../../../testing/fakes/fake-upstream-messages.ts'
import { textRequest } from '../../../testing/fakes/fake-upstream-run.ts'
import { chatFrames, responsesFrames } from '../../../testing/fakes/fake-upstream-text.ts'
import { driverSuite } from '../../suite/suite.ts'
import type { DriverSuite } from '../../suite/suite-options.ts'
import { gatewayDriver } from './driver.ts'
import { accepted, ended, pictureReply, ready, running } from './testing/run-answers.ts'

const request: ImageGenerateRequest = {
  prompt: 'a cat',
  width: 64,
  height: 96,
  count: 1,
  seed: '7',
  expandPrompt: false,
  safetyTolerance: 2,
  format: 'png',
}

const common: Pick<DriverSuite<'image.generate'>, 'driver' | 'settings' | 'refusal'> = {
  // With no waits, the driver does not repeat a submit whose outcome is unknown.
  driver: gatewayDriver({ repeatAfterMs: [] }),
  settings: (base_url, api_key) => ({ base_url, api_key }),
  refusal: (status, message, headers) => errorReply(status, { message }, headers),
}

const images: DriverSuite<'image.generate'> = {
  ...common,
  capability: 'image.generate',
  request,
  good: (_baseUrl, otherBaseUrl) => [accepted, running(50), ready(`${otherBaseUrl}/picture?sig=1`)],
  check: done => assertPixel(done, { seed: '7', prompt: 'a drawn cat', notDrawn: ['blurb'], notFollowed: ['width', 'height'] }),
  hanging: hangingReply(['never ending']),
  failed: {
    replies: [accepted, ended('failed', { code: 'request_moderated', message: 'No.', reasons: ['Violence'] })],
    code: 'request_moderated',
  },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { isStart: ({ method }) => method === 'POST' },
  outputs: 'files',
  file: pictureReply,
  relays: ['chat', 'responses', 'messages', 'generate-content'],
}

driverSuite('another gateway, pictures', images)

const speech = { text: 'Hello there', usage: { input: 9, cached: 2, output: 3, reasoning: 1 } }

function conversations(protocol: TextProtocol): DriverSuite<'text.respond'> {
  const frames = { chat: chatFrames, responses: responsesFrames, messages: messageFrames, 'generate-content': geminiFrames }[protocol](
    speech,
  )
  return {
    ...common,
    capability: 'text.respond',
    request: textRequest({ extras: { protocol, fields: {} } }),
    good: () => [sseReply(frames)],
    check: (done, events) => {
      assert.equal(events.map(event => Object(event).delta ?? '').join(''), 'Hello there')
      const usage = { inputTokens: 9, cachedInputTokens: 2, outputTokens: 3, reasoningTokens: 1 }
      assert.deepEqual(done.report, { finish: 'stop', usage })
    },
    hanging: hangingReply(frames.slice(0, protocol === 'generate-content' ? 1 : 2)),
    failed: { replies: [errorReply(400, { code: 'content_policy_violation', message: 'not this' })], code: 'request_moderated' },
    polled: { leftOut: 'conversations are streamed, not polled' },
    outputs: { leftOut: 'conversations have no files' },
    relays: { leftOut: 'the suite of the pictures has them' },
  }
}

driverSuite('another gateway, chat', conversations('chat'))
driverSuite('another gateway, responses', conversations('responses'))
driverSuite('another gateway, messages', conversations('messages'))
driverSuite('another gateway, content', conversations('generate-content'))
