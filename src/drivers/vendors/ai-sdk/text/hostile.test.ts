/** Tests packages that hang, or that answer without end, and send no request to their service. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { driverTools } from '../../../../testing/driver-tools.ts'
import { type FakeUpstream, hangingReply, jsonReply, startFakeUpstream } from '../../../../testing/fakes/fake-upstream.ts'
import { textRequest } from '../../../../testing/fakes/fake-upstream-run.ts'
import { aiSdkDriver } from '../driver.ts'
import type { FakeLanguageModel } from '../testing/fake-package.ts'
import { converse } from '../testing/text-run.ts'

let service: FakeUpstream
beforeEach(async () => {
  service = await startFakeUpstream()
})
afterEach(() => service.close())

const never = new Promise<never>(() => {})
const delta = { type: 'text-delta', id: '1', delta: 'Hello' }
const end = { type: 'finish', finishReason: 'stop', usage: {} }

async function errorOf(run: Promise<unknown>): Promise<string[]> {
  try {
    await run
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error))
    return [error.code, error.message]
  }
  return assert.fail('it did not fail')
}

const silent = ['upstream_timeout', 'The package fake-provider gave no answer, and sent no request to its service, for 1 s.']

const models: Record<string, FakeLanguageModel> = {
  'never calls its service': { doStream: () => never },
  'hangs in the middle of its answer': {
    doStream: async () =>
      (async function* () {
        yield delta
        await never
      })(),
  },
  'never says what it reads': { supportedUrls: never },
  'hangs with the whole answer of its service': {
    doStream: async (_call, send) => {
      await (await send('/chat', { method: 'POST', body: '{}' })).text()
      return never
    },
  },
}
for (const [what, model] of Object.entries(models))
  test(`a package that ${what} is given up`, async () => {
    service.answer(jsonReply({}))
    assert.deepEqual(await errorOf(converse(model, { settings: { timeout_seconds: 1, base_url: service.baseUrl } })), silent)
  })

test('a package that never finishes loading is given up, and one that waits for its service is not', async () => {
  const driver = aiSdkDriver({ has: () => true, load: () => never }).open(driverTools({}))
  const offer = driver.offers['text.respond'] ?? assert.fail('the driver offers no conversations')
  const parts = offer.run({
    ...{ id: 'job-1', request: textRequest(), inputs: [], scratch: '/', model: 'talk-1', attempt: 1, progress: () => {} },
    settings: { package: 'fake-provider', timeout_seconds: 1 },
    signal: new AbortController().signal,
  })
  const run = async () => {
    for await (const _ of parts);
  }
  assert.deepEqual(await errorOf(run()), silent)
  await driver.close?.()
  service.answer(async response => {
    response.writeHead(200, { 'content-type': 'application/json' })
    for (let count = 0; count < 6; count++) {
      response.write(' ')
      await new Promise(resolve => setTimeout(resolve, 400))
    }
    response.end('{}')
  })
  const { events } = await converse(
    {
      doStream: async (_call, send) => {
        await (await send('/chat', { method: 'POST', body: '{}' })).text()
        return [delta, end]
      },
    },
    { settings: { timeout_seconds: 2, base_url: service.baseUrl } },
  )
  assert.equal(events.length > 0, true)
})

test('an answer of 200 MB that a package makes without its service is cut off', async () => {
  const piece = { ...delta, delta: 'x'.repeat(2 ** 20) }
  let made = 0
  const doStream = async () =>
    (function* () {
      for (; made < 200; made++) yield piece
      yield end
    })()
  assert.deepEqual(await errorOf(converse({ doStream })), ['upstream_error', 'The provider package gave an answer that is too long.'])
  // Two further messages of 16 pieces each may have been on their way from the package's process.
  assert.ok(made <= 66 + 2 * 16, `${made} pieces`)
})

for (const [what, leave] of [
  ['aborts its request', (request: AbortController) => request.abort()],
  ['gives up the answer', (_request: AbortController, reader: ReadableStreamDefaultReader) => void reader.cancel()],
] as const)
  test(`a package that ${what} during an answer closes the connection`, async () => {
    service.answer(hangingReply(['one']))
    const { events } = await converse(
      {
        doStream: async (_call, send) => {
          const request = new AbortController()
          const { body } = await send('/chat', { method: 'POST', body: '{}', signal: request.signal })
          const reader = body?.getReader() ?? assert.fail('no body')
          await reader.read()
          const next = reader.read().catch((error: Error) => assert.equal(error.name, 'AbortError'))
          leave(request, reader)
          await next
          await until(() => service.aborted() === 1, 'the end of the connection')
          return [delta, end]
        },
      },
      { settings: { base_url: service.baseUrl } },
    )
    assert.equal(events.length > 0, true)
  })
