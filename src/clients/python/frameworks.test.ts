/** Runs Python frameworks, libraries around OpenAI's client, and the clients of other providers, as
 *  published; only the base URL and a key are set. */
import { after, before, test } from 'node:test'
import { type Routes, startRoutes } from '../testing/start-routes.ts'
import { type EnvironmentName, needEnvironment } from './testing/environments.ts'
import { runCases } from './testing/run-cases.ts'

const scripts: readonly [script: string, environment: EnvironmentName][] = [
  ['use_frameworks.py', 'frameworks'],
  ['use_wrappers.py', 'frameworks'],
  ['use_anthropic.py', 'frameworks'],
  ['use_providers.py', 'frameworks'],
  ['use_dspy.py', 'litellm'],
  ['use_shell_gpt.py', 'litellm'],
]

let routes: Routes
before(async () => {
  routes = await startRoutes()
})
after(() => routes[Symbol.asyncDispose]())

for (const [script, environment] of scripts)
  test(`${script} (Python)`, needEnvironment(environment), t =>
    runCases(t, environment, script, { GATEWAY_URL: routes.baseURL, GATEWAY_KEY: routes.apiKey }),
  )
