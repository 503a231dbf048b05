/** Runs two major versions of OpenAI's own client as published; only the base URL and a key are
 *  set. */
// Client: openai (npm openai, npm openai-6): listModels, getModel, createChatCompletion,
// createResponse, getResponse, deleteResponse, cancelResponse, listInputItems.
import { after, before } from 'node:test'
import { type FakeUpstream, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { chatCases } from './testing/openai-chat-cases.ts'
import { errorCases } from './testing/openai-error-cases.ts'
import { responsesCases } from './testing/openai-responses-cases.ts'
import { sdks } from './testing/openai-sdk.ts'
import { upstreamCases } from './testing/openai-upstream-cases.ts'
import { type Routes, startRoutes } from './testing/start-routes.ts'

let routes: Routes
let upstream: FakeUpstream

before(async () => {
  upstream = await startFakeUpstream()
  const target = `driver: openai-compatible, model: gpt-afar, api_key: sk-afar, dialect: openai, stateless: false, base_url: "${upstream.baseUrl}"`
  const models = `
  - { id: afar, family: [chat, responses], targets: [{ ${target}, protocols: [chat, responses] }] }
  - { id: afar-chat, family: chat, targets: [{ ${target}, protocols: [chat] }] }
  - { id: afar-responses, family: responses, targets: [{ ${target}, protocols: [responses] }] }
  - { id: without-key, family: chat, targets: [{ driver: openai-compatible, base_url: "${upstream.baseUrl}", api_key_env: NOBODY_SETS_THIS }] }`
  routes = await startRoutes(models)
})
after(async () => {
  await routes[Symbol.asyncDispose]()
  await upstream.close()
})

for (const sdk of sdks) {
  chatCases(sdk, () => routes)
  responsesCases(sdk, () => routes)
  errorCases(sdk, () => routes)
  upstreamCases(
    sdk,
    () => routes,
    () => upstream,
  )
}
