/** Runs opencode as published; its configuration names the gateway as a provider:
 *  https://opencode.ai. */
// Client: opencode (cli opencode-linux-x64-baseline): createChatCompletion, createResponse.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type RouteName, type Routes, startRoutes } from '../testing/start-routes.ts'
import { needTool } from './testing/client-tools.ts'
import { makeHome, runTool } from './testing/run-tool.ts'

const needs = needTool('opencode')
/** opencode speaks two protocols, each through an npm package: one is tested with a relayed and the
 *  other with a translated model, because a run takes 6 s of CPU time. ai-sdk.test.ts tests the
 *  same packages on the other routes, and src/clients/page/page.test.ts tests opencode's chat with
 *  a driver that translates. */
const cases: [npm: string, model: RouteName][] = [
  ['@ai-sdk/openai-compatible', 'relayed'],
  ['@ai-sdk/openai', 'over-chat'],
]

let routes: Routes
before(async () => {
  routes = await startRoutes()
})
after(() => routes[Symbol.asyncDispose]())

/** Settings that stop opencode from contacting anything but the gateway. */
const quiet = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_SHARE: '1',
}

for (const [npm, model] of cases) {
  test(`opencode, ${npm}, ${model}: a command is run, and its output is read`, needs, async () => {
    await using home = await makeHome()
    const gateway = { npm, options: { baseURL: routes.baseURL, apiKey: routes.apiKey }, models: { [model]: {} } }
    const config = JSON.stringify({ provider: { gateway }, enabled_providers: ['gateway'], permission: 'allow', autoupdate: false })
    const args = ['run', '--model', `gateway/${model}`, 'use bash']
    const { code, stdout, stderr } = await runTool('opencode', home, args, { ...quiet, OPENCODE_CONFIG_CONTENT: config })
    assert.equal(code, 0, stderr)
    assert.equal(await readFile(join(home.work, 'made.txt'), 'utf8').catch(() => ''), 'made by the shell\n', stderr)
    assert.match(stdout, /The tool says made by the shell/)
  })
}
