/** Runs Qwen Code as published; its environment names the gateway:
 *  https://github.com/QwenLM/qwen-code. */
// Client: Qwen Code (cli @qwen-code/qwen-code): createChatCompletion.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Routes, startRoutes } from '../testing/start-routes.ts'
import { needTool } from './testing/client-tools.ts'
import { makeHome, runTool } from './testing/run-tool.ts'

let routes: Routes
before(async () => {
  routes = await startRoutes()
})
after(() => routes[Symbol.asyncDispose]())

/** Settings that leave only the tool for commands, and stop Qwen Code from contacting anything but
 *  the gateway. */
const settings = {
  tools: { core: ['run_shell_command'], exclude: ['agent'] },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
}

for (const model of ['relayed', 'over-responses'])
  test(`Qwen Code, ${model}: a command is run, and its output is read`, needTool('qwen'), async () => {
    await using home = await makeHome()
    await mkdir(join(home.home, '.qwen'))
    await writeFile(join(home.home, '.qwen/settings.json'), JSON.stringify(settings))
    const env = {
      OPENAI_BASE_URL: routes.baseURL,
      OPENAI_API_KEY: routes.apiKey,
      OPENAI_MODEL: model,
      QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
    }
    const args = ['--auth-type', 'openai', '--yolo', '--prompt', 'use run_shell_command']
    const { code, stdout, stderr } = await runTool('qwen', home, args, env)
    assert.equal(code, 0, stderr)
    assert.equal(await readFile(join(home.work, 'made.txt'), 'utf8').catch(() => ''), 'made by the shell\n', stderr)
    assert.match(stdout, /The tool says [\s\S]*made by the shell/)
  })
