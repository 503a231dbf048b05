/** Runs the shared suite on language models of real provider packages. */
import assert from 'node:assert/strict'
import { errorReply, hangingReply, sseReply } from '../../../../testing/fakes/fake-upstream.ts'
import { textRequest } from '../../../../testing/fakes/fake-upstream-run.ts'
import { chatFrames } from '../../../../testing/fakes/fake-upstream-text.ts'
import { driverSuite } from '../../../suite/suite.ts'
import type { DriverSuite } from '../../../suite/suite-options.ts'
import aiSdk from '../driver.ts'
import { anthropicError, anthropicEvents, anthropicReply } from '../testing/anthropic-answers.ts'

const shared = {
  driver: aiSdk,
  capability: 'text.respond',
  request: textRequest(),
  polled: { leftOut: 'conversations are streamed, not polled' },
  outputs: { leftOut: 'conversations have no files' },
  relays: { leftOut: 'a package takes no bytes of a caller' },
} as const satisfies Partial<DriverSuite<'text.respond'>>

const textOf = (events: readonly unknown[]) => events.map(event => Object(event).delta ?? '').join('')

const speech = { text: 'Hello there', usage: { input: 9, cached: 2, output: 3, reasoning: 1 } }
driverSuite('text of @ai-sdk/openai-compatible', {
  ...shared,
  settings: (base_url, api_key) => ({
    ...{ package: '@ai-sdk/openai-compatible', base_url, api_key },
    options: { name: 'local', includeUsage: true },
  }),
  good: () => [sseReply(chatFrames(speech))],
  check: (done, events) => {
    assert.equal(textOf(events), 'Hello there')
    const usage = { inputTokens: 9, cachedInputTokens: 2, outputTokens: 3, reasoningTokens: 1 }
    assert.deepEqual(done.report, { finish: 'stop', usage })
  },
  hanging: hangingReply(chatFrames(speech).slice(0, 2)),
  refusal: (status, message, headers) => errorReply(status, { message }, headers),
  failed: { replies: [errorReply(400, { code: 'content_policy_violation', message: 'not this' })], code: 'request_moderated' },
})

driverSuite('text of @ai-sdk/anthropic', {
  ...shared,
  settings: (base_url, api_key) => ({ package: '@ai-sdk/anthropic', base_url, api_key }),
  good: () => [anthropicReply({ blocks: [{ type: 'text', text: 'Hello there' }] })],
  check: (done, events) => {
    assert.equal(textOf(events), 'Hello there')
    const usage = { inputTokens: 28, cachedInputTokens: 5, outputTokens: 30, reasoningTokens: 0, cacheWriteTokens: 3 }
    assert.deepEqual(done.report, { finish: 'stop', usage })
  },
  hanging: hangingReply(anthropicEvents({ blocks: [{ type: 'text', text: 'Hello there' }] }).slice(0, 4)),
  refusal: (status, message, headers) => anthropicError(status, 'some_error', message, headers),
  failed: { replies: [anthropicError(404, 'not_found_error', 'model: claude-9')], code: 'model_not_found' },
})
