/** Tests of OpenAI's client with refused requests, rate limits and lists. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type OpenAI from 'openai'
import { createFakeClock } from '../../testing/clock.ts'
import { startTestGateway } from '../../testing/gateway.ts'
import { onlyEmbedded } from '../../testing/stores/database.ts'
import { connect, type OpenaiSdk } from './openai-sdk.ts'
import type { Routes } from './start-routes.ts'

const messages = [{ role: 'user' as const, content: 'hello' }]
const limitedKey = 'sk-limited-key-00000001'
/** Skips a test when the tests use a shared database. The rate limit is then computed with the
 *  clock of the database, which a test cannot change. */
const ownClock = onlyEmbedded('steps the clock by which the rate is counted')

export function errorCases(sdk: OpenaiSdk, routes: () => Routes): void {
  const { Client } = sdk
  const client = () => connect(sdk, routes())

  test(`${sdk.name}: a wrong key is an AuthenticationError`, async () => {
    const stranger = connect(sdk, { ...routes(), apiKey: 'sk-nobody-has-this-key' })
    const refused = (error: unknown) =>
      error instanceof Client.AuthenticationError &&
      error.code === 'invalid_api_key' &&
      /Incorrect API key provided/.test(error.message) &&
      /\S/.test(error.requestID ?? '')
    await assert.rejects(stranger.chat.completions.create({ model: 'relayed', messages }), refused)
    await assert.rejects(stranger.responses.create({ model: 'relayed', input: 'x' }), refused)
    await assert.rejects(stranger.models.list(), refused)
  })

  test(`${sdk.name}: an unknown model is a NotFoundError that names it`, async () => {
    const refused = (error: unknown) =>
      error instanceof Client.NotFoundError && error.code === 'model_not_found' && error.message.includes('gpt-nowhere')
    await assert.rejects(client().chat.completions.create({ model: 'gpt-nowhere', messages, stream: true }), refused)
    await assert.rejects(client().responses.create({ model: 'gpt-nowhere', input: 'x' }), refused)
    await assert.rejects(client().models.retrieve('gpt-nowhere'), refused)
  })

  for (const model of ['translated', 'relayed', 'over-chat', 'over-responses']) {
    test(`${sdk.name}: a bad parameter is a BadRequestError with its name, at ${model}`, async () => {
      const refused = (param: string) => (error: unknown) => {
        assert.ok(error instanceof Client.BadRequestError, String(error))
        assert.deepEqual([error.param, error.type], [param, 'invalid_request_error'])
        assert.match(error.requestID ?? '', /\S/)
        return true
      }
      const { chat, responses } = client()
      await assert.rejects(chat.completions.create({ model, messages, temperature: 3 }), refused('temperature'))
      const orphan = [{ role: 'tool' as const, tool_call_id: 'call_none', content: 'x' }]
      await assert.rejects(
        chat.completions.create({ model, messages: orphan, stream: true }),
        error => error instanceof Client.BadRequestError,
      )
      await assert.rejects(responses.create({ model, input: 'x', top_p: 2, stream: true }), refused('top_p'))
      await assert.rejects(responses.create({ model, input: 'x', previous_response_id: 'resp_none' }), refused('previous_response_id'))
    })
  }

  test(`${sdk.name}: paths that are not served are NotFoundErrors with a message`, async () => {
    const refused = (error: unknown) => error instanceof Client.NotFoundError && error.type !== undefined && !/no body/.test(error.message)
    await assert.rejects(client().embeddings.create({ model: 'relayed', input: 'x' }), refused)
    await assert.rejects(client().files.list(), refused)
    await assert.rejects(client().chat.completions.retrieve('chatcmpl-1'), refused)
    await assert.rejects(client().beta.threads.create(), refused)
  })

  test(`${sdk.name}: models are listed and found`, async () => {
    const ids: string[] = []
    for await (const model of client().models.list()) ids.push(model.id)
    for (const id of ['translated', 'relayed', 'over-chat', 'over-responses']) assert.ok(ids.includes(id), ids.join(' '))
    const { id, object, created } = await client().models.retrieve('relayed')
    assert.deepEqual([id, object, Number.isInteger(created)], ['relayed', 'model', true])
  })

  test(`${sdk.name}: permanent errors are not retried`, async () => {
    const { client: counting, statuses } = countingClient(sdk, routes())
    await assert.rejects(counting.chat.completions.create({ model: 'without-key', messages }), /NOBODY_SETS_THIS/)
    await assert.rejects(counting.responses.create({ model: 'without-key', input: 'x' }), /NOBODY_SETS_THIS/)
    assert.deepEqual(statuses, [503, 503])
  })

  test(`${sdk.name}: a 429 is retried after the time that it states`, ownClock, async () => {
    const clock = createFakeClock()
    const yaml = `accounts:\n  - { id: default, keys: [{ name: limited, secret: ${limitedKey}, rate_per_minute: 60 }] }\n`
    await using gateway = await startTestGateway({ clock, yaml })
    let refusedAt = 0
    const { client: limited, statuses } = countingClient(sdk, { baseURL: `${gateway.url}/v1/ai/default`, apiKey: limitedKey }, refusal => {
      refusedAt = performance.now()
      clock.step(Number(refusal.headers.get('retry-after')) * 1000)
    })
    for (let used = 0; used < 60; used++) await limited.models.list()
    await limited.models.list()
    // The client has followed `retry-after`: without this header it waits for half a second at
    // most.
    assert.ok(performance.now() - refusedAt > 900, 'the client has waited')
    assert.deepEqual(statuses.slice(60), [429, 200])
  })
}

/** Returns a client that records the status of every answer. */
function countingClient(
  { Client }: OpenaiSdk,
  { baseURL, apiKey }: Pick<Routes, 'baseURL' | 'apiKey'>,
  onRefusal?: (answer: Response) => void,
) {
  const statuses: number[] = []
  const client: OpenAI = new Client({
    baseURL,
    apiKey,
    fetch: async (url, init) => {
      const answer = await fetch(url, init)
      statuses.push(answer.status)
      if (answer.status === 429) onRefusal?.(answer)
      return answer
    },
  })
  return { client, statuses }
}
