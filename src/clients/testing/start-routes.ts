/** Starts gateways in which one scripted model can be reached in every way that a gateway
 *  supports. */
import { fakeTextDriver } from '../../testing/fakes/fake-text-driver.ts'
import { startTestGateway, testKey } from '../../testing/gateway.ts'
import { scriptedModel } from './scripted-model.ts'

/** Model ids, by their route: `translated` by a driver, `relayed` byte for byte, `over-chat`
 *  through a service that supports only the common part of chat, `over-responses` through one that
 *  supports only Responses, `chained` through another gateway. */
export type RouteName = 'translated' | 'relayed' | 'over-chat' | 'over-responses' | 'chained'

export const chatRoutes: readonly RouteName[] = ['translated', 'relayed', 'over-chat', 'over-responses', 'chained']
export const responsesRoutes: readonly RouteName[] = ['translated', 'relayed', 'over-chat', 'chained']

export interface Routes {
  /** Base URL `{gateway}/v1/ai/default`; with the key it is the only setting of a client. */
  baseURL: string
  apiKey: string
  /** Returns number of the model's jobs that were stopped. */
  stopped(): number
  [Symbol.asyncDispose](): Promise<void>
}

const upstreamKey = 'sk-upstream-key-0000001'

/** Starts the gateway; the upstream of the routes is a second gateway with the same model. `models`
 *  are further entries of the configuration's list, `env` is the gateway's environment. */
export async function startRoutes(models = '', env: Record<string, string> = {}): Promise<Routes> {
  let stopped = 0
  const driver = fakeTextDriver('scripted', job => {
    job.signal.addEventListener('abort', () => stopped++)
    return scriptedModel(job)
  })
  const scripted = 'models:\n  - { id: MODEL, family: [chat, responses], targets: [{ driver: scripted }] }\n'
  const upstream = await startTestGateway({
    drivers: [driver],
    yaml: scripted.replace('MODEL', 'up-1'),
    env: { GATEWAY_ACCESS_KEY: upstreamKey },
  })
  const target = `driver: openai-compatible, model: up-1, api_key: ${upstreamKey}, base_url: "${upstream.url}/v1/ai/default"`
  const yaml = `${scripted.replace('MODEL', 'translated')}
  - { id: relayed, family: [chat, responses], targets: [{ ${target}, dialect: openai, protocols: [chat, responses] }] }
  - { id: over-chat, family: chat, targets: [{ ${target}, dialect: basic, protocols: [chat] }] }
  - { id: over-responses, family: responses, targets: [{ ${target}, dialect: openai, protocols: [responses] }] }
  - { id: chained, family: [chat, responses], targets: [{ driver: gateway, model: up-1, api_key: ${upstreamKey}, base_url: "${upstream.url}" }] }
${models}`
  const gateway = await startTestGateway({ drivers: [driver], yaml, env })
  return {
    baseURL: `${gateway.url}/v1/ai/default`,
    apiKey: testKey,
    stopped: () => stopped,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]()
      await upstream[Symbol.asyncDispose]()
    },
  }
}
