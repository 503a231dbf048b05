/** Runs LiteLLM's proxy as published, in two places: in front of the gateway, which is then its
 *  provider, and behind the gateway, as its upstream. */
import { after, before, test } from 'node:test'
import type { FakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { freePort } from '../../testing/free-port.ts'
import { pageFile } from '../testing/clients-page.ts'
import { type Routes, startRoutes } from '../testing/start-routes.ts'
import { needEnvironment } from './testing/environments.ts'
import { type LitellmProxy, pageProxyPort, startLitellmProxy } from './testing/litellm-proxy.ts'
import { runCases } from './testing/run-cases.ts'
import { startUpstreamService, upstreamModels } from './testing/upstream-service.ts'

const needs = needEnvironment('litellm')
const proxyKey = 'sk-proxy-key-00000001'

let far: FakeUpstream
let routes: Routes
let proxy: LitellmProxy
let port: number
before(async () => {
  if (needs.skip !== undefined) return
  far = await startUpstreamService()
  port = await freePort()
  routes = await startRoutes(`${upstreamModels(far)}\n${behindModels()}`, { LITELLM_MASTER_KEY: proxyKey })
  proxy = await startLitellmProxy(port, { GATEWAY_URL: routes.baseURL, GATEWAY_KEY: routes.apiKey, LITELLM_MASTER_KEY: proxyKey })
})
after(async () => {
  await proxy?.[Symbol.asyncDispose]()
  await routes?.[Symbol.asyncDispose]()
  await far?.close()
})

test('LiteLLM proxy (Python)', needs, t =>
  runCases(t, 'litellm', 'use_litellm_proxy.py', {
    ...{ GATEWAY_URL: routes.baseURL, GATEWAY_KEY: routes.apiKey },
    ...{ PROXY_URL: `http://127.0.0.1:${port}/v1`, PROXY_KEY: proxyKey },
  }),
)

/** Returns the YAML of models whose target is LiteLLM's proxy: the example of docs/clients.md and
 *  three more. The proxy calls this gateway again, where the scripted model `gpt-5` answers. */
function behindModels(): string {
  const target = (model: string) =>
    `driver: openai-compatible, model: ${model}, api_key: ${proxyKey}, dialect: openai, base_url: "http://127.0.0.1:${port}/v1"`
  const page = pageFile('LiteLLM proxy', 'gateway.yaml').replace(String(pageProxyPort), String(port))
  return `${page.replace('models:', '')}
  - { id: gpt-5, family: [chat, responses], targets: [{ driver: scripted }] }
  - { id: behind-chat, family: chat, targets: [{ ${target('translated')}, protocols: [chat] }] }
  - { id: behind-far, family: [chat, responses], targets: [{ ${target('far-relayed')}, protocols: [chat, responses] }] }
  - { id: behind-far-chat, family: chat, targets: [{ ${target('far-relayed')}, protocols: [chat] }] }`
}
