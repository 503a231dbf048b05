/** Tests of OpenAI's client with the Responses interface; each runs on every route to the model
 *  (`RouteName`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import type OpenAI from 'openai'
import { connect, type OpenaiSdk, routesOf } from './openai-sdk.ts'
import { scriptedFacts } from './scripted-model.ts'
import { type Routes, responsesRoutes } from './start-routes.ts'

type Responses = OpenAI.Responses.Response
type Event = OpenAI.Responses.ResponseStreamEvent

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
const weatherTool: OpenAI.Responses.FunctionTool = { type: 'function', name: 'get_weather', parameters, strict: true }
const sqlTool: OpenAI.Responses.CustomTool = {
  type: 'custom',
  name: 'run_sql',
  format: { type: 'grammar', syntax: 'regex', definition: 'select \\d+' },
}
const reportFormat = {
  type: 'json_schema' as const,
  name: 'report',
  strict: true,
  schema: {
    type: 'object',
    properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
    required: ['city', 'degrees'],
    additionalProperties: false,
  },
}

export function responsesCases(sdk: OpenaiSdk, routes: () => Routes): void {
  for (const model of routesOf(sdk, responsesRoutes)) {
    const title = (what: string) => `${sdk.name}, responses ${model}: ${what}`
    const responses = () => connect(sdk, routes()).responses

    test(title('a response has its text, usage and request id, and can be read again'), async () => {
      const created = await responses().create({ model, input: 'hello', instructions: 'Be short.', metadata: { a: 'b' } })
      assert.deepEqual([created.object, created.status, created.output_text], ['response', 'completed', '1: hello'])
      assert.deepEqual([created.usage?.input_tokens, created.usage?.output_tokens, created.usage?.total_tokens], [7, 3, 10])
      assert.match(created._request_id ?? '', /\S/)
      assert.deepEqual(bare(await responses().retrieve(created.id)), bare(created))
    })

    test(title('the input tokens are counted, and a compacted conversation goes on'), async () => {
      const counted = await responses().inputTokens.count({ model, input: 'hello' })
      assert.deepEqual([counted.object, counted.input_tokens > 0], ['response.input_tokens', true])
      const input = [{ role: 'user', content: 'I like tea.' } as const, { role: 'assistant', content: 'Noted.' } as const]
      const compacted = await responses().compact({ model, input })
      assert.deepEqual(
        compacted.output.map(({ type }) => type),
        ['message', 'compaction'],
      )
      const output = compacted.output as OpenAI.Responses.ResponseInputItem[] // Each output item may be sent as an input item.
      const next = await responses().create({ model, input: [...output, { role: 'user', content: 'And now?' }] })
      assert.equal(next.output_text, '3: And now?')
    })

    test(title("the stream helper's response is the one that is kept"), async () => {
      const stream = responses().stream({ model, input: 'one two three' })
      const deltas: string[] = []
      stream.on('response.output_text.delta', ({ delta }) => deltas.push(delta))
      const final = await stream.finalResponse()
      assert.deepEqual([deltas.length >= 4, deltas.join(''), final.output_text], [true, '1: one two three', '1: one two three'])
      const kept = await responses().retrieve(final.id)
      assert.deepEqual([kept.id, kept.status, kept.usage, kept.output], [final.id, 'completed', final.usage, unparsed(final).output])
    })

    test(title('reasoning comes as an item of its own'), async () => {
      const final = await responses()
        .stream({ model, input: 'think', reasoning: { effort: 'low', summary: 'auto' } })
        .finalResponse()
      assert.deepEqual(
        final.output.map(item => item.type),
        ['reasoning', 'message'],
      )
      assert.equal(final.output_text, '1: think')
    })

    for (const isStreamed of [false, true]) {
      const ask = (body: OpenAI.Responses.ResponseCreateParamsNonStreaming): Promise<Responses> =>
        isStreamed
          ? responses()
              .stream({ ...body, stream: true })
              .finalResponse()
          : responses().create(body)
      const how = isStreamed ? ', streamed' : ''

      test(title(`a function is called and its output read over previous_response_id${how}`), async () => {
        const first = await ask({ model, input: 'use get_weather', tools: [weatherTool] })
        const call = first.output.find(item => item.type === 'function_call')
        assert.ok(call, JSON.stringify(first.output))
        assert.deepEqual([call.name, JSON.parse(call.arguments)], ['get_weather', { city: scriptedFacts.city }])
        const result = { type: 'function_call_output' as const, call_id: call.call_id, output: 'rain' }
        const second = await ask({ model, input: [result], tools: [weatherTool], previous_response_id: first.id })
        assert.deepEqual([second.output_text, second.previous_response_id], ['The tool says rain.', first.id])
        const third = await ask({ model, input: 'and now?', previous_response_id: second.id })
        assert.equal(third.output_text, '2: and now?')
      })

      test(title(`a custom tool with a grammar is called with raw text and its output read${how}`), async () => {
        const tools = [weatherTool, sqlTool]
        const first = await ask({ model, input: 'query', tools, tool_choice: { type: 'custom', name: 'run_sql' } })
        const call = first.output.find(item => item.type === 'custom_tool_call')
        assert.deepEqual([call?.name, call?.input], ['run_sql', scriptedFacts.input])
        const result = { type: 'custom_tool_call_output' as const, call_id: call?.call_id ?? '', output: '1 row' }
        const second = await ask({ model, input: [result], tools, previous_response_id: first.id })
        assert.equal(second.output_text, 'The tool says 1 row.')
      })

      test(title(`parse gives the object of a JSON schema${how}`), async () => {
        const format = sdk.makeParseableTextFormat<{ city: string }>(reportFormat, JSON.parse)
        const body = { model, input: 'report', text: { format } }
        const parsed = isStreamed ? await responses().stream(body).finalResponse() : await responses().parse(body)
        assert.deepEqual(parsed.output_parsed, { city: scriptedFacts.city, degrees: scriptedFacts.degrees })
      })
    }

    test(title('a caller that keeps the conversation itself sends the output back as input'), async () => {
      const body = { model, store: false, include: ['reasoning.encrypted_content' as const], tools: [weatherTool] }
      const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'think, use get_weather' }]
      const first = await responses()
        .stream({ ...body, input })
        .finalResponse()
      assert.deepEqual(
        first.output.map(item => item.type),
        ['reasoning', 'function_call'],
      )
      const call = first.output.find(item => item.type === 'function_call')
      input.push(...asInput(unparsed(first)), { type: 'function_call_output', call_id: call?.call_id ?? '', output: 'rain' })
      const second = await responses().create({ ...body, input })
      assert.equal(second.output_text, 'The tool says rain.')
      input.push(...asInput(second), { role: 'user', content: [{ type: 'input_text', text: 'and now' }] })
      assert.equal((await responses().create({ ...body, input })).output_text, '2: and now')
    })

    test(title('allowed_tools is exact'), async () => {
      const tools = [weatherTool, { ...weatherTool, name: 'get_time' }]
      const allowed = { type: 'allowed_tools' as const, mode: 'required' as const, tools: [{ type: 'function', name: 'get_time' }] }
      const { output } = await responses().create({ model, input: 'use get_weather', tools, tool_choice: allowed })
      assert.deepEqual(
        output.map(item => item.type === 'function_call' && item.name),
        ['get_time'],
      )
    })

    test(title('the input items come in pages, in either order'), async () => {
      const input = ['a', 'b', 'c', 'd'].map(content => ({ role: 'user' as const, content }))
      const first = await responses().create({ model, input })
      const second = await responses().create({ model, input: 'e', previous_response_id: first.id })
      const texts = async (order: 'asc' | 'desc') => {
        const found: string[] = []
        for await (const item of responses().inputItems.list(second.id, { order, limit: 2 })) {
          const [part] = item.type === 'message' ? item.content : []
          assert.match(item.id ?? '', /\S/)
          found.push(part !== undefined && 'text' in part ? part.text : '')
        }
        return found
      }
      const all = await texts('asc')
      assert.deepEqual(all, ['a', 'b', 'c', 'd', '4: d', 'e'])
      assert.deepEqual(await texts('desc'), all.toReversed())
    })

    test(title('a deleted response is gone'), async () => {
      const { id } = await responses().create({ model, input: 'x' })
      await responses().delete(id)
      const gone = (error: unknown) => error instanceof sdk.Client.NotFoundError && error.message.includes(id)
      await assert.rejects(responses().retrieve(id), gone)
      await assert.rejects(responses().delete(id), gone)
      await assert.rejects(async () => {
        for await (const _ of responses().inputItems.list(id)) assert.fail('an item of a deleted response')
      }, gone)
    })

    test(title('a response that is not stored cannot be read'), async () => {
      const { id, output_text } = await responses().create({ model, input: 'x', store: false })
      assert.equal(output_text, '1: x')
      await assert.rejects(responses().retrieve(id), sdk.Client.NotFoundError)
    })

    test(title('a background response is polled to its end, and another one cancelled'), async () => {
      const queued = await responses().create({ model, input: 'hello', background: true })
      assert.ok(queued.status === 'queued' || queued.status === 'in_progress', String(queued.status))
      const done = await until(async () => {
        const now = await responses().retrieve(queued.id)
        return now.status === 'queued' || now.status === 'in_progress' ? undefined : now
      }, 'the end of the response')
      assert.deepEqual([done.status, done.output_text], ['completed', '1: hello'])
      const endless = await responses().create({ model, input: 'wait', background: true })
      assert.equal((await responses().cancel(endless.id)).status, 'cancelled')
      assert.equal((await responses().retrieve(endless.id)).status, 'cancelled')
    })

    test(title('a stream that was lost goes on after the last event'), async () => {
      const lost = await responses().create({ model, input: 'hello', background: true, stream: true })
      const seen: Event[] = []
      for await (const event of lost) {
        seen.push(event)
        if (event.type === 'response.in_progress') break
      }
      const [first] = seen
      assert.ok(first?.type === 'response.created')
      const starting_after = seen.at(-1)?.sequence_number ?? 0
      const rest: Event[] = []
      for await (const event of await responses().retrieve(first.response.id, { stream: true, starting_after })) rest.push(event)
      assert.deepEqual(
        rest.map(event => event.sequence_number),
        rest.map((_, index) => starting_after + 1 + index),
      )
      const last = rest.at(-1)
      assert.ok(last?.type === 'response.completed')
      assert.equal(rest.map(event => (event.type === 'response.output_text.delta' ? event.delta : '')).join(''), '1: hello')
      const again = await responses().stream({ response_id: first.response.id }).finalResponse()
      assert.deepEqual([again.id, again.output_text], [first.response.id, '1: hello'])
    })

    test(title('a failure within a stream is thrown with its message'), async () => {
      const read = async () => {
        for await (const _ of await responses().create({ model, input: 'fail', stream: true }));
      }
      await assert.rejects(read, error => error instanceof sdk.Client.APIError && /scripted model has failed/.test(error.message))
    })

    test(title('fps of a video holds from 0.2 to 5'), async () => {
      // Video parts are an addition of the gateway, so the types of the client lack them. The
      // client sends them unchanged all the same.
      const ask = (fps: number) => responses().create({ model, input: videoAt(fps) as unknown as string })
      for (const fps of [0.19, 5.01]) {
        await assert.rejects(ask(fps), error => error instanceof sdk.Client.BadRequestError && error.param === 'input[0].content[1].fps')
      }
      if (model !== 'over-chat') {
        for (const fps of [0.2, 5]) assert.equal((await ask(fps)).output_text, '1: What is this?[video]')
        return
      }
      // For this target the gateway sends only fields that every chat service knows. The frame rate
      // is not one of them, so the gateway refuses the request instead of ignoring the frame rate.
      await assert.rejects(ask(5), error => error instanceof sdk.Client.BadRequestError && /video/.test(error.message))
    })
  }
}

function videoAt(fps: number): object[] {
  const video = { type: 'input_video', video_url: 'https://a.example/a.mp4', fps }
  return [{ role: 'user', content: [{ type: 'input_text', text: 'What is this?' }, video] }]
}

/** Returns the output of a response as input for the next turn. Items of other kinds are left out,
 *  because the client's types allow fewer kinds as input than as output. */
function asInput({ output }: Responses): OpenAI.Responses.ResponseInput {
  return output.flatMap(item => (item.type === 'reasoning' || item.type === 'message' || item.type === 'function_call' ? [item] : []))
}

/** Returns the response without the members that the client adds. */
function bare({ _request_id, ...response }: Responses & { _request_id?: string | null }): object {
  return response
}

/** Returns the response as the gateway sent it, without the parsed values that the client's
 *  helper for streams adds. */
function unparsed(response: Responses): Responses {
  return JSON.parse(JSON.stringify(response, (key, value) => (key === 'parsed' || key === 'parsed_arguments' ? undefined : value)))
}
