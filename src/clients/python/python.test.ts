/** Runs OpenAI's Python client in two major versions, and clients that are built on it, as
 *  published; only the base URL and a key are set. */
import { after, before, test } from 'node:test'
import type { FakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { type Routes, startRoutes } from '../testing/start-routes.ts'
import { type EnvironmentName, needEnvironment } from './testing/environments.ts'
import { runCases } from './testing/run-cases.ts'
import { startUpstreamService, upstreamModels } from './testing/upstream-service.ts'

const clients: readonly { name: string; script: string; environment: EnvironmentName }[] = [
  { name: 'openai 3', script: 'use_openai.py', environment: 'newest' },
  { name: 'openai 2', script: 'use_openai.py', environment: 'litellm' },
  { name: 'openai-agents', script: 'use_agents.py', environment: 'newest' },
  { name: 'pydantic-ai', script: 'use_pydantic_ai.py', environment: 'newest' },
  { name: 'LangChain', script: 'use_langchain.py', environment: 'newest' },
  { name: 'Haystack', script: 'use_haystack.py', environment: 'litellm' },
  { name: 'instructor', script: 'use_instructor.py', environment: 'litellm' },
  { name: 'LiteLLM', script: 'use_litellm.py', environment: 'litellm' },
]

let routes: Routes
let far: FakeUpstream
before(async () => {
  far = await startUpstreamService()
  routes = await startRoutes(upstreamModels(far))
})
after(async () => {
  await routes[Symbol.asyncDispose]()
  await far.close()
})

for (const { name, script, environment } of clients)
  test(`${name} (Python)`, needEnvironment(environment), t =>
    runCases(t, environment, script, { GATEWAY_URL: routes.baseURL, GATEWAY_KEY: routes.apiKey }),
  )
