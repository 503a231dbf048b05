/** Tests conversations that fail, are refused, or lose their client before the end, on the whole
 *  program with language models of real provider packages. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, beforeEach, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { hangingReply, jsonReply, rawReply, sseReply } from '../../../../testing/fakes/fake-upstream.ts'
import { testKey } from '../../../../testing/gateway.ts'
import { anthropicError, anthropicEvents, anthropicReply } from '../testing/anthropic-answers.ts'
import { asks, says, startTextProgram } from '../testing/text-program.ts'

const program = await startTextProgram()
after(() => program[Symbol.asyncDispose]())
const { service, gateway, chat } = program
beforeEach(() => void service.received.splice(0))

test('an overload that is reported within a stream, and a stream that breaks off, are failures', async () => {
  service.answer(
    rawReply('event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n', 200, {
      'content-type': 'text/event-stream',
    }),
  )
  assert.equal((await chat({ model: 'claude', messages: [asks] })).body.error.code, 'overloaded')
  service.answer(sseReply(anthropicEvents({ blocks: [says('Half an answer')] }).slice(0, 4)))
  assert.equal((await chat({ model: 'claude', messages: [asks] })).body.error.code, 'upstream_error')
})

test('the call to the service ends when the client disconnects', async () => {
  service.answer(hangingReply(anthropicEvents({ blocks: [says('Half an answer')] }).slice(0, 4)))
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'claude', messages: [asks], stream: true })
  const { body: stream } = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body, signal: leaving.signal })
  await stream?.getReader().read()
  leaving.abort()
  await until(() => service.aborted() > 0, 'the end of the call')
})

test('a refused key, an unknown model and a prompt that is too long have their own codes', async () => {
  for (const [reply, code] of [
    [anthropicError(401, 'authentication_error', 'invalid x-api-key sk-none-at-all'), 'upstream_auth_error'],
    [anthropicError(404, 'not_found_error', 'model: up-1'), 'model_not_found'],
    [
      anthropicError(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum context window'),
      'context_length_exceeded',
    ],
    [anthropicError(429, 'rate_limit_error', 'slower', { 'retry-after': '9' }), 'rate_limit_exceeded'],
  ] as const) {
    service.answer(reply)
    const answer = await chat({ model: 'claude', messages: [asks] })
    assert.equal(answer.body.error.code, code, JSON.stringify(answer.body))
    assert.ok(!JSON.stringify(answer.body).includes('sk-none-at-all'))
    if (code === 'rate_limit_exceeded') assert.equal(answer.headers.get('retry-after'), '9')
  }
})

test('log probabilities and a token bias are refused by name', async () => {
  for (const [field, body] of [
    ['top_logprobs', { logprobs: true, top_logprobs: 2 }],
    ['logit_bias', { logit_bias: { 5: 1 } }],
  ] as const) {
    const { status, body: answer } = await chat({ model: 'claude', messages: [asks], ...body })
    assert.deepEqual([status, answer.error.param, service.received.length], [400, field, 0], JSON.stringify(answer))
  }
})

test('a package that is not installed is named, and another target of the model is tried', async () => {
  service.answer(anthropicReply({ blocks: [says('Yes.')] }))
  const missing = await chat({ model: 'missing', messages: [asks] })
  assert.equal(missing.status, 503)
  assert.match(missing.body.error.message, /npm install @ai-sdk\/not-there/)
  const spare = await chat({ model: 'spare', messages: [asks] })
  assert.equal(spare.body.choices[0].message.content, 'Yes.')
})

test('an endless answer is cut off', async () => {
  const megabyte = Buffer.from(`: ${' '.repeat(2 ** 20)}\n\n`)
  service.answer(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const endless = (function* () {
      for (;;) yield megabyte
    })()
    await pipeline(Readable.from(endless), response).catch(() => undefined)
  })
  const { status, body } = await chat({ model: 'claude', messages: [asks] })
  assert.deepEqual([status, body.error.code], [502, 'upstream_error'])
  assert.equal(service.received.length, 1)
})

test('JSON in place of a stream is an upstream failure', async () => {
  service.answer(jsonReply({}))
  for (const model of ['claude', 'gemini', 'gpt']) {
    const { status, body } = await chat({ model, messages: [asks] })
    assert.deepEqual([status, body.error.code], [502, 'upstream_error'])
  }
})
