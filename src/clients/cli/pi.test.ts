/** Runs pi as published; its models.json names the gateway as a provider:
 *  https://github.com/earendil-works/pi. */
// Client: pi (cli @earendil-works/pi-coding-agent): createChatCompletion, createResponse.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type RouteName, type Routes, startRoutes } from '../testing/start-routes.ts'
import { needTool } from './testing/client-tools.ts'
import { makeHome, runTool } from './testing/run-tool.ts'

const needs = needTool('pi')
const names: readonly RouteName[] = ['translated', 'relayed', 'over-chat', 'over-responses']

let routes: Routes
before(async () => {
  routes = await startRoutes()
})
after(() => routes[Symbol.asyncDispose]())

for (const api of ['openai-completions', 'openai-responses']) {
  for (const model of names) {
    test(`pi, ${api}, ${model}: a command is run, and its output is read`, needs, async () => {
      await using home = await makeHome()
      const folder = join(home.home, 'agent')
      await mkdir(folder)
      const gateway = { baseUrl: routes.baseURL, api, apiKey: routes.apiKey, models: [{ id: model }] }
      await writeFile(join(folder, 'models.json'), JSON.stringify({ providers: { gateway } }))
      const args = ['--print', '--no-session', '--provider', 'gateway', '--model', model, 'use bash']
      const { code, stdout, stderr } = await runTool('pi', home, args, { PI_CODING_AGENT_DIR: folder, PI_OFFLINE: '1', PI_TELEMETRY: '0' })
      assert.equal(code, 0, stderr)
      assert.equal(await readFile(join(home.work, 'made.txt'), 'utf8'), 'made by the shell\n')
      assert.match(stdout, /The tool says made by the shell/)
    })
  }
}
