/** The gateways to which the recorded requests are sent. Their clocks stand still, and their
 *  upstreams and drivers are fakes. */
import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import { errorReply, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { textReply } from '../../testing/fakes/fake-upstream-text.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { upstreamKey } from '../../testing/relay-gateway.ts'

export interface RecordedWorld {
  plain: TestGateway
  browser: TestGateway
  /** The values for the names in braces in requests to the gateway `plain`. */
  facts: Record<string, string>
  close(): Promise<void>
}

const accounts = `accounts:
  - id: default
    keys:
      - { name: limited, secret: sk-limited-000001, rate_per_minute: 2 }
      - { name: chatting, secret: sk-limited-000002, rate_per_minute: 2 }
      - { name: family, secret: sk-family-0000001, scopes: { families: [R1] } }
      - { name: model, secret: sk-models-0000001, scopes: { models: [other] } }
      - { name: endpoint, secret: sk-endpoint-00001, scopes: { endpoints: [studio] } }
      - { name: old, secret: sk-expires-000001, expires: 2026-11-20 }
    endpoints:
      - { name: studio, routes: { F1: {}, chat: { model: m } } }
      - { name: talk, routes: { chat: { model: m } } }
  - id: other
    keys: [{ name: other, secret: sk-other-account-1 }]
    endpoints: [{ name: default, routes: { F1: {} } }]
`

export async function startRecordedWorld(): Promise<RecordedWorld> {
  const upstream = await startFakeUpstream()
  upstream.answer((response, request) => {
    const said = request.body.toString()
    if (said.includes('"fail"')) return errorReply(500, {})(response, request)
    if (said.includes('"refuse"')) return errorReply(400, { message: 'no', param: 'messages' })(response, request)
    return textReply(response, request)
  })
  const options = {
    clock: createFakeClock(),
    drivers: [imageDriver()],
    yaml: `${accounts}aliases: { friendly: m }
models:
  - { id: fake, family: F1, group: P, targets: [{ driver: p }] }
  - { id: m, family: [chat, responses], targets: [{ driver: openai-compatible, base_url: "${upstream.baseUrl}", api_key: ${upstreamKey}, model: up-1, protocols: [chat, responses], stateless: false }] }
`,
  }
  const plain = await startTestGateway(options)
  const browser = await startTestGateway({
    ...options,
    env: { GATEWAY_CORS_ORIGINS: 'https://app.example', GATEWAY_TRUST_PROXY: '1' },
  })
  return {
    plain,
    browser,
    facts: { host: new URL(plain.url).host, ...(await tasksOf(plain)) },
    close: async () => {
      await Promise.all([plain[Symbol.asyncDispose](), browser[Symbol.asyncDispose]()])
      await upstream.close()
    },
  }
}

/** Returns a driver for images. Words in the prompt make a run fail or never end. */
function imageDriver() {
  return fakeImageDriver(
    'p',
    once(async job => {
      if (job.request.prompt === 'fail') throw new GatewayError('content_moderated', 'No.', { reasons: ['Violence'] })
      if (job.request.prompt === 'wait') await new Promise((_, reject) => job.signal.addEventListener('abort', reject))
      return donePixel(job)
    }),
  )
}

/** Creates one task for each outcome and a link to a file, and returns their values by name. */
async function tasksOf(gateway: TestGateway): Promise<Record<string, string>> {
  const submit = async (prompt: string): Promise<string> => {
    const { body } = await gateway.call('/v1/ai/default/imgf/image/generate', { body: { prompt, model: 'fake', seed: 5 } })
    return body.id
  }
  const [ready, failed, waiting] = [await submit('a red fox'), await submit('fail'), await submit('wait')]
  const result = await gateway.result(`/v1/ai/default/imgf/get_result?id=${ready}`)
  await gateway.result(`/v1/ai/default/imgf/get_result?id=${failed}`)
  const { pathname, search } = new URL(Object(result.result).sample)
  const readyEncoded = `%${ready.charCodeAt(0).toString(16)}${ready.slice(1)}`
  return { ready, readyEncoded, failed, waiting, file: pathname + search }
}
