/** Runs Python clients for embeddings and rerank as published; only the base URL and a key are set.
 *  Each client is tested with models on a fake driver, and with models that the gateway reaches
 *  through a second gateway. */
import { after, before, test } from 'node:test'
import { fakeInferDriver } from '../../testing/fakes/fake-infer-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { type EnvironmentName, needEnvironment } from './testing/environments.ts'
import { runCases } from './testing/run-cases.ts'

const own = `
  - { id: translated, family: embeddings, targets: [{ driver: fake-infer }] }
  - { id: translated-rank, family: rerank, targets: [{ driver: fake-infer }] }
`
const chained = (url: string) => `
  - { id: relayed, family: embeddings, targets: [{ driver: openai-compatible, base_url: "${url}/v1", api_key: ${testKey}, model: translated }] }
  - { id: relayed-rank, family: rerank, targets: [{ driver: openai-compatible, base_url: "${url}/v1", api_key: ${testKey}, model: translated-rank }] }
`

let inner: TestGateway
let gateway: TestGateway
before(async () => {
  const drivers = [fakeInferDriver('fake-infer')]
  inner = await startTestGateway({ drivers, yaml: `models:${own}` })
  gateway = await startTestGateway({ drivers, yaml: `models:${own}${chained(inner.url)}` })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await inner[Symbol.asyncDispose]()
})

const scripts: readonly [name: string, script: string, environment: EnvironmentName][] = [
  ['openai and LangChain', 'use_embeddings.py', 'newest'],
  ['Haystack and LiteLLM', 'use_retrieval_litellm.py', 'litellm'],
  ['Cohere and LlamaIndex', 'use_retrieval.py', 'retrieval'],
]
for (const [name, script, environment] of scripts)
  test(`${name}: embeddings and rerank (Python)`, needEnvironment(environment), t =>
    runCases(t, environment, script, { GATEWAY_URL: `${gateway.url}/v1`, GATEWAY_KEY: testKey }),
  )
