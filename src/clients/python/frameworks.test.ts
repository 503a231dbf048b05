/** Runs Python frameworks, libraries around OpenAI's client, and the clients of other providers, as
 *  published; only the base URL and a key are set. */
import { after, before, test } from 'node:test'
import { type Routes, startRoutes } from '../testing/start-routes.ts'
import { needEnvironment } from './testing/environments.ts'
import { runCases } from './testing/run-cases.ts'

const scripts = ['use_frameworks.py', 'use_wrappers.py', 'use_providers.py'] as const

let routes: Routes
before(async () => {
  routes = await startRoutes()
})
after(() => routes[Symbol.asyncDispose]())

for (const script of scripts)
  test(`${script} (Python)`, needEnvironment('frameworks'), t =>
    runCases(t, 'frameworks', script, { GATEWAY_URL: routes.baseURL, GATEWAY_KEY: routes.apiKey }),
  )
