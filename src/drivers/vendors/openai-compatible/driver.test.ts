import { strict as assert } from 'node:assert'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import { errorReply, hangingReply, jsonReply, sseReply } from '../../../testing/fakes/fake-upstream.ts'
import { geminiFrames } from '../../../testing/fakes/fake-upstream-gemini.ts'
import { messageFrames, messageObject } from '../../../testing/fakes/fake-upstream-messages.ts'
import { chatCompletion, chatFrames, responseObject, responsesFrames } from '../../../testing/fakes/fake-upstream-text.ts'
import { driverSuite } from '../../suite/suite.ts'
import type { DriverSuite } from '../../suite/suite-options.ts'
import driver from './driver.ts'

const request = (protocol: TextProtocol): TextRequest => ({
  items: [{ type: 'message', role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
  tools: [],
  toolChoice: { mode: 'auto' },
  parallelToolCalls: true,
  format: { type: 'text' },
  extras: { protocol, fields: {} },
})

const speech = { text: 'Hello there', usage: { input: 9, cached: 2, output: 3, reasoning: 1 } }
const frames = { chat: chatFrames, responses: responsesFrames, messages: messageFrames, 'generate-content': geminiFrames }
const notPolled = { leftOut: 'conversations are streamed, not polled' }

function suiteOver(protocol: TextProtocol): DriverSuite<'text.respond'> {
  return {
    driver,
    settings: (base_url, api_key) => ({ base_url, api_key, protocols: [protocol], dialect: 'openai' }),
    capability: 'text.respond',
    request: request(protocol),
    good: () => [sseReply(frames[protocol](speech))],
    check: (done, events) => {
      const said = events.map(event => (typeof event === 'object' && event !== null ? Reflect.get(event, 'delta') : ''))
      assert.equal(said.join(''), 'Hello there')
      const usage = { inputTokens: 9, cachedInputTokens: 2, outputTokens: 3, reasoningTokens: 1 }
      assert.deepEqual(done.report, { finish: 'stop', usage })
      assert.deepEqual(done.usage, [
        { unit: 'input_tokens', units: 9 },
        { unit: 'cached_input_tokens', units: 2 },
        { unit: 'output_tokens', units: 3 },
        { unit: 'reasoning_tokens', units: 1 },
      ])
    },
    hanging: hangingReply(frames[protocol](speech).slice(0, protocol === 'chat' ? 2 : 5)),
    refusal: (status, message, headers) => errorReply(status, { message }, headers),
    failed: { replies: [errorReply(400, { code: 'content_policy_violation', message: 'not this' })], code: 'request_moderated' },
    polled: notPolled,
    outputs: { leftOut: 'conversations have no files' },
    relays: [protocol],
  }
}

driverSuite('openai-compatible over chat', suiteOver('chat'))
driverSuite('openai-compatible over responses', suiteOver('responses'))
driverSuite('openai-compatible over messages', suiteOver('messages'))
driverSuite('openai-compatible over a chat server that never streams', {
  ...suiteOver('chat'),
  good: () => [jsonReply(chatCompletion(speech))],
})
driverSuite('openai-compatible over a responses server that never streams', {
  ...suiteOver('responses'),
  good: () => [jsonReply(responseObject(speech))],
})
driverSuite('openai-compatible over a server of messages that never streams', {
  ...suiteOver('messages'),
  good: () => [jsonReply(messageObject(speech))],
})
