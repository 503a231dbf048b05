/** Runs aicommits as published; its configuration file names the gateway:
 *  https://github.com/Nutlope/aicommits. */
// Client: aicommits (cli aicommits): createChatCompletion.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
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

for (const model of ['relayed', 'over-responses'])
  test(`aicommits, ${model}: the model writes a commit message`, needTool('aicommits'), async () => {
    await using home = await makeHome()
    const settings = { provider: 'custom', OPENAI_BASE_URL: routes.baseURL, OPENAI_API_KEY: routes.apiKey, OPENAI_MODEL: model }
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
    await writeFile(join(home.home, '.aicommits'), lines.join(''))
    await writeFile(join(home.work, 'notes.txt'), 'a line\n')
    for (const args of [
      ['init', '--quiet'],
      ['add', 'notes.txt'],
    ])
      execFileSync('git', args, { cwd: home.work })
    const { code, stdout, stderr } = await runTool('aicommits', home, [], {})
    assert.equal(code, 0, stderr)
    // The scripted model repeats its input, which begins with the changes of the commit.
    assert.match(stdout, /1: diff --git a\/notes\.txt b\/notes\.txt/)
  })
