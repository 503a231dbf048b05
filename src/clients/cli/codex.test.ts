/** Runs Codex CLI as published; its configuration file names the gateway as a provider:
 *  https://github.com/openai/codex. */
// Client: Codex CLI (cli @openai/codex-linux-x64): createResponse.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type RouteName, type Routes, startRoutes } from '../testing/start-routes.ts'
import { needTool } from './testing/client-tools.ts'
import { makeHome, runTool, type ToolRun } from './testing/run-tool.ts'

const needs = needTool('codex')
const server = fileURLToPath(new URL('./testing/mcp-server.ts', import.meta.url))

let routes: Routes
before(async () => {
  routes = await startRoutes()
})
after(() => routes[Symbol.asyncDispose]())

/** Runs Codex on the prompt; returns the run, and the text of the file that it should create. */
async function codex(model: RouteName, prompt: string): Promise<ToolRun & { made: string }> {
  await using home = await makeHome()
  const folder = join(home.home, '.codex')
  await mkdir(folder)
  await writeFile(join(folder, 'config.toml'), configuration(model, home.work))
  const run = await runTool('codex', home, ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt], {
    CODEX_HOME: folder,
    GATEWAY_KEY: routes.apiKey,
  })
  const made = await readFile(join(home.work, 'made.txt'), 'utf8').catch(() => '')
  return { ...run, made }
}

function configuration(model: string, work: string): string {
  return `
model = "${model}"
model_provider = "gateway"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.gateway]
name = "Gateway"
base_url = "${routes.baseURL}"
env_key = "GATEWAY_KEY"
wire_api = "responses"

[mcp_servers.notes]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(server)}]
cwd = ${JSON.stringify(work)}
`
}

for (const model of ['translated', 'over-chat', 'relayed', 'over-responses', 'chained'] as const) {
  test(`Codex, ${model}: a command is run, and its output is read`, needs, async () => {
    const { code, stdout, stderr, made } = await codex(model, 'use exec_command')
    assert.equal(code, 0, stderr)
    assert.equal(made, 'made by the shell\n', stderr)
    assert.match(stdout, /The tool says [\s\S]*made by the shell/)
  })
}

for (const model of ['translated', 'over-chat', 'relayed'] as const) {
  test(`Codex, ${model}: a tool of a namespace is called by its own name`, needs, async () => {
    const { code, stdout, stderr, made } = await codex(model, 'use mcp__notes__write_note')
    assert.equal(code, 0, stderr)
    assert.equal(made, 'a note on Paris\n', stderr)
    assert.match(stdout, /The tool says [\s\S]*noted Paris/)
  })
}
