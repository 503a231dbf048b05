/** Runs gemini-cli as published, with the gateway's address and a key. Every feature that would
 *  contact Google is switched off: https://github.com/google-gemini/gemini-cli. */
// Client: gemini-cli (cli @google/gemini-cli): streamGenerateContentEvents, generateContent.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type RouteName, type Routes, startRoutes } from '../testing/start-routes.ts'
import { needTool } from './testing/client-tools.ts'
import { makeHome, runTool, type ToolHome } from './testing/run-tool.ts'

const needs = needTool('gemini-cli')
/** With the model `translated`, the gateway translates the requests; with `chained`, it relays
 *  them. The other routes are tested with Google's own client library (gemini.test.ts). */
const models: RouteName[] = ['translated', 'chained']

const settings = {
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
}

let routes: Routes
before(async () => {
  routes = await startRoutes()
})
after(() => routes[Symbol.asyncDispose]())

async function quiet({ home }: ToolHome): Promise<void> {
  await mkdir(join(home, '.gemini'))
  await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings))
}

for (const model of models) {
  test(`gemini-cli, ${model}: a command is run, and its output is read`, needs, async () => {
    await using home = await makeHome()
    await quiet(home)
    const { code, stdout, stderr } = await runTool(
      'gemini-cli',
      home,
      ['--model', model, '--approval-mode', 'yolo', '--skip-trust', '--prompt', 'use run_shell_command'],
      {
        GEMINI_API_KEY: routes.apiKey,
        GOOGLE_GEMINI_BASE_URL: routes.baseURL,
        GEMINI_SANDBOX: 'false',
        // Without this variable the program would start a second process of itself with a larger
        // heap.
        GEMINI_CLI_NO_RELAUNCH: 'true',
      },
    )
    assert.equal(code, 0, `${stdout}\n${stderr}`)
    assert.equal(await readFile(join(home.work, 'made.txt'), 'utf8').catch(() => ''), 'made by the shell\n', `${stdout}\n${stderr}`)
    assert.match(stdout, /The tool says .*made by the shell/s)
  })
}
