/** Runs TanStack AI with its adapters for OpenAI as published; only the base URL and a key are
 *  set. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Routes, startRoutes } from '../testing/start-routes.ts'
import { needTool, toolsFolder } from './testing/client-tools.ts'

const script = fileURLToPath(new URL('use-tanstack.js', import.meta.url))
const run = promisify(execFile)

let routes: Routes
before(async () => {
  routes = await startRoutes()
})
after(() => routes[Symbol.asyncDispose]())

for (const model of ['relayed', 'translated'])
  test(`TanStack AI, ${model}: answers, streams and calls a tool, in chat and responses`, needTool('tanstack'), async () => {
    const env = {
      PATH: process.env.PATH,
      CLIENT_TOOLS: toolsFolder(),
      GATEWAY_URL: routes.baseURL,
      GATEWAY_KEY: routes.apiKey,
      MODEL: model,
    }
    const { stdout } = await run(process.execPath, [script], { env, timeout: 110_000 })
    const said = { whole: '1: hello', words: ['1: ', 'hello'], tool: 'The tool says rain.' }
    assert.deepEqual(
      stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
      [said, said],
    )
  })
