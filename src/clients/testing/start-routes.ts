/** Starts gateways in which the same scripted model can be reached in every way that a gateway
 *  supports (`RouteName`). */
import { fakeTextDriver } from '../../testing/fakes/fake-text-driver.ts'
import { startTestGateway, testKey } from '../../testing/gateway.ts'
import { scriptedModel } from './scripted-model.ts'

/** The routes to the model, which are also the ids of the models. `translated`: a driver
 *  translates the request. `relayed`: the request is relayed byte for byte. `over-chat`: the
 *  upstream supports only the common part of chat. `over-responses`: the upstream supports only
 *  Responses. `chained`: the upstream is another gateway. */
export type RouteName = 'translated' | 'relayed' | 'over-chat' | 'over-responses' | 'chained'

export const chatRoutes: readonly RouteName[] = ['translated', 'relayed', 'over-chat', 'over-responses', 'chained']
export const responsesRoutes: readonly RouteName[] = ['translated', 'relayed', 'over-chat', 'chained']

export interface Routes {
  /** Base URL for clients, `{gateway}/v1/ai/default`. A client needs only this and the key. */
  baseURL: string
  apiKey: string
  /** Returns the number of jobs of the model that were stopped before their end. */
  stopped(): number
  [Symbol.asyncDispose](): Promise<void>
}

const upstreamKey = 'sk-upstream-key-0000001'

/** Starts a gateway, and a second one with the same model, which serves as the upstream of the
 *  routes. `models` are further entries for the list of models, and `env` is the environment of
 *  the first gateway. */
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
  - { id: relayed, family: [chat, responses], targets: [{ ${target}, dialect: openai, protocols: [chat, responses, messages] }] }
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
