/** Tests with OpenAI's client in front of the gateway and a service with OpenAI's interface
 *  behind it: what is forwarded, what is returned, and what a cancellation does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { errorReply, type FakeUpstream, hangingReply, silentReply } from '../../testing/fakes/fake-upstream.ts'
import { connect, type OpenaiSdk } from './openai-sdk.ts'
import { openaiReply } from './openai-upstream.ts'
import type { Routes } from './start-routes.ts'

const messages = [{ role: 'user' as const, content: 'hello' }]
const model = 'afar'
const text = 'Hello from afar.'

export function upstreamCases(sdk: OpenaiSdk, routes: () => Routes, upstream: () => FakeUpstream): void {
  const client = () => connect(sdk, routes())

  test(`${sdk.name}: chat is relayed to a service with OpenAI's interface and back`, async () => {
    upstream().answer(openaiReply)
    const completion = await client().chat.completions.create({ model, messages, service_tier: 'flex' })
    assert.deepEqual([completion.id, completion.choices[0]?.message.content, completion.usage?.total_tokens], ['chatcmpl-afar', text, 13])
    const sent = upstream().received.at(-1)
    assert.deepEqual(sent?.json, { model: 'gpt-afar', messages, service_tier: 'flex' })
    assert.equal(sent?.headers.authorization, 'Bearer sk-afar')
    const stream = client().chat.completions.stream({ model, messages, stream_options: { include_usage: true } })
    assert.equal(await stream.finalContent(), text)
    assert.equal((await stream.totalUsage()).total_tokens, 13)
  })

  test(`${sdk.name}: usage that the caller did not request is not returned`, async () => {
    upstream().answer(openaiReply)
    for await (const chunk of await client().chat.completions.create({ model, messages, stream: true }))
      assert.ok(chunk.choices.length === 1 && !chunk.usage, JSON.stringify(chunk))
  })

  test(`${sdk.name}: responses are relayed to a service with OpenAI's interface and back, also once they are stored`, async () => {
    upstream().answer(openaiReply)
    const { responses } = client()
    const created = await responses.create({ model, input: 'hello' })
    assert.deepEqual([created.id, created.output_text], ['resp_afar', text])
    const streamed = await responses.stream({ model, input: 'hello', previous_response_id: created.id }).finalResponse()
    assert.equal(streamed.output_text, text)
    assert.equal((await responses.retrieve('resp_afar')).output_text, text)
    assert.deepEqual(upstream().received.at(-1)?.path, '/v1/responses/resp_afar')
    await responses.delete('resp_afar')
    upstream().answer(errorReply(404, { message: "Response with id 'resp_afar' not found." }))
    await assert.rejects(responses.retrieve('resp_afar'), sdk.Client.NotFoundError)
  })

  test(`${sdk.name}: each protocol gives the same text through the other`, async () => {
    upstream().answer(openaiReply)
    const { chat, responses } = client()
    const completion = await chat.completions.stream({ model: 'afar-responses', messages }).finalChatCompletion()
    assert.equal(completion.choices[0]?.message.content, text)
    const response = await responses.stream({ model: 'afar-chat', input: 'hello' }).finalResponse()
    assert.deepEqual([response.output_text, response.usage?.total_tokens], [text, 13])
    assert.equal((await responses.retrieve(response.id)).output_text, text)
  })

  test(`${sdk.name}: a refusal of the service keeps its code and parameter`, async () => {
    for (const requested of ['afar', 'afar-chat', 'afar-responses']) {
      upstream().answer(errorReply(400, { message: 'Bad value.', param: 'metadata', code: 'bad_value' }))
      const refused = (error: unknown) => {
        assert.ok(error instanceof sdk.Client.BadRequestError, String(error))
        assert.deepEqual([error.param, error.code, error.message], ['metadata', 'bad_value', '400 Bad value.'])
        return true
      }
      await assert.rejects(client().chat.completions.create({ model: requested, messages, stream: true }), refused)
      await assert.rejects(client().responses.create({ model: requested, input: 'x' }), refused)
    }
  })

  for (const requested of ['afar', 'afar-chat', 'afar-responses']) {
    test(`${sdk.name}: the service stops when the client disconnects, at ${requested}`, async () => {
      const { chat, responses } = client()
      const chatStream = () => chat.completions.create({ model: requested, messages, stream: true })
      const responsesStream = () => responses.create({ model: requested, input: 'x', stream: true })
      for (const ask of [chatStream, responsesStream]) {
        const before = upstream().aborted()
        upstream().answer(hangingReply(firstFrames(requested, ask === chatStream)))
        for await (const _ of await ask()) break
        await until(() => upstream().aborted() === before + 1, 'the end of the stream at the service')
      }
      upstream().answer(silentReply)
      for (const ask of [chatWhole, responsesWhole]) {
        const [before, count] = [upstream().aborted(), upstream().received.length]
        const controller = new AbortController()
        const asking = assert.rejects(ask(requested, controller.signal), sdk.Client.APIUserAbortError)
        await until(() => upstream().received.length > count, 'the request at the service')
        controller.abort()
        await asking
        await until(() => upstream().aborted() === before + 1, 'the end of the request at the service')
      }
    })
  }

  const chatWhole = (requested: string, signal: AbortSignal) => client().chat.completions.create({ model: requested, messages }, { signal })
  const responsesWhole = (requested: string, signal: AbortSignal) => client().responses.create({ model: requested, input: 'x' }, { signal })
}

/** Returns the first events of a streamed answer, in the protocol that the service speaks. */
function firstFrames(requested: string, isChat: boolean): object[] {
  const speaksChat = requested === 'afar-chat' || (requested === 'afar' && isChat)
  if (speaksChat) {
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'One ' }, logprobs: null, finish_reason: null }]
    return [{ id: 'chatcmpl-afar', object: 'chat.completion.chunk', created: 1_795_000_000, model: 'gpt-afar', choices }]
  }
  const response = {
    id: 'resp_hanging',
    object: 'response',
    created_at: 1_795_000_000,
    status: 'in_progress',
    model: 'gpt-afar',
    output: [],
  }
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  const events = [
    { type: 'response.created', response },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'One ' },
  ]
  return events.map((data, sequence_number) => ({ event: data.type, data: { sequence_number, ...data } }))
}
