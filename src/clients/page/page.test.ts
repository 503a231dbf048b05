/** Runs every snippet of docs/clients.md exactly as printed. */
// Client: curl (of the system): createChatCompletion.
// Client: llm (pypi llm): createChatCompletion.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { access, chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { once } from '@generation-gateway/kit/driver.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { parse } from 'yaml'
import { fakeInferDriver } from '../../testing/fakes/fake-infer-driver.ts'
import { fakeSpeechDriver, speakTone } from '../../testing/fakes/fake-speech-driver.ts'
import { fakeTextDriver, says } from '../../testing/fakes/fake-text-driver.ts'
import { fakeTranscriptionDriver, recording } from '../../testing/fakes/fake-transcription-driver.ts'
import { doneClip, fakeVideoDriver } from '../../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { commandOf, needTool, type ToolName } from '../cli/testing/client-tools.ts'
import { makeHome, type ToolHome } from '../cli/testing/run-tool.ts'
import { type EnvironmentName, needEnvironment, programsFolder } from '../python/testing/environments.ts'
import { type PythonHost, startPythonHost } from '../python/testing/python-host.ts'
import { pythonEnvironment } from '../python/testing/run-cases.ts'
import { pageAddress, pageKey, pageModel, pageSections, type Snippet } from '../testing/clients-page.ts'
import { scriptedModel } from '../testing/scripted-model.ts'

interface Needs {
  environment?: EnvironmentName
  tool?: ToolName
  /** A script that runs in place of a program which is too large to be installed for this test.
   *  The script sends the same requests as the program. */
  standIn?: string
}

/** The programs and packages that the snippets of a section need besides the packages of this
 *  project. */
const needs: Record<string, Needs> = {
  'openai, Python': { environment: 'newest' },
  'LangChain, Python': { environment: 'newest' },
  'openai-agents': { environment: 'newest' },
  'pydantic-ai': { environment: 'newest' },
  llm: { environment: 'newest' },
  Embeddings: { environment: 'newest' },
  Frameworks: { environment: 'frameworks' },
  Speech: { environment: 'newest' },
  Transcription: { environment: 'newest' },
  Video: { environment: 'newest' },
  'Veo: google-genai and the AI SDK': { environment: 'vendors' },
  ElevenLabs: { environment: 'speech' },
  'Azure, fast transcription': { environment: 'speech' },
  Haystack: { environment: 'litellm' },
  instructor: { environment: 'litellm' },
  LiteLLM: { environment: 'litellm' },
  'LiteLLM, media': { environment: 'litellm' },
  'Codex CLI': { tool: 'codex' },
  opencode: { tool: 'opencode' },
  pi: { tool: 'pi' },
  aider: { environment: 'litellm', standIn: 'aider' },
}
/** For each environment, the modules that several of its snippets import. A Python process imports
 *  them once for all these snippets. */
const shared: Partial<Record<EnvironmentName, readonly string[]>> = {
  newest: ['openai'],
  litellm: ['openai', 'litellm'],
}
/** `spoken` matches the expected transcript of the recording that the snippets send. `answers` has
 *  the expected output of some sections, by their titles; the output of every other section names a
 *  capital. */
const spoken = /^One two three four\. Five/
const answers: Record<string, RegExp> = {
  Embeddings: /^2 vectors\n$/,
  Images: /^http:.*\/files\/\S+\n$/,
  Speech: /^audio\/mpeg\n$/,
  Video: /^completed\n$/,
  'Veo: google-genai and the AI SDK': /^video\/mp4\n$/,
  ...{ Transcription: spoken, ElevenLabs: spoken, 'Azure, fast transcription': spoken, 'LiteLLM, media': spoken },
}
/** Sections whose snippets other tests run: litellm-proxy.test.ts, python/speech.test.ts,
 *  python/vendors.test.ts, and the tests below. */
const elsewhere = ['LiteLLM proxy', 'openai-agents, voice', 'Kling', 'mureka-mcp', 'Continue']
/** Programs that no test runs. The page docs/clients.md names them as such. */
const notRun = ['Open WebUI', 'Home Assistant', 'n8n']
/** Sections without a snippet. */
const wordsOnly = ['Which clients are run']
const root = fileURLToPath(new URL('../../..', import.meta.url))
const longestMs = 110_000

/** Models under the names that the page uses. Fake drivers answer in their place, so that the
 *  test knows the words and files. */
const yaml = `
models:
  - { id: ${pageModel}, family: [chat, responses], targets: [{ driver: knowing }] }
  - { id: text-embedding-3-small, family: embeddings, targets: [{ driver: vectors }] }
  - { id: tts-1, family: T1, targets: [{ driver: tone }] }
  - { id: gpt-4o-mini-tts, family: T1, targets: [{ driver: tone }] }
  - { id: eleven_multilingual_v2, family: T3, group: tts_multilingual_v2, targets: [{ driver: tone }] }
  - { id: whisper-1, family: R1, group: basic, targets: [{ driver: ears }] }
  - { id: gpt-4o-transcribe, family: R1, group: token, targets: [{ driver: ears }] }
  - { id: scribe_v1, family: R1, group: basic, targets: [{ driver: ears }] }
  - { id: fast-transcription, family: R3, targets: [{ driver: ears }] }
  - { id: sora-2, family: S, targets: [{ driver: reels }] }
  - { id: veo-3.1-generate-preview, family: V, group: "3.1", targets: [{ driver: reels }] }
`

let gateway: TestGateway
before(async () => {
  const driver = fakeTextDriver('knowing', job => {
    const { format, toolChoice } = job.request
    return format.type === 'text' && toolChoice.mode !== 'required' ? says('It is Paris.') : scriptedModel(job)
  })
  const reels = fakeVideoDriver('reels', { offer: once<VideoGenerateRequest>(doneClip, { follows: [] }) })
  const drivers = [
    driver,
    fakeInferDriver('vectors'),
    fakeSpeechDriver('tone', { kind: 'streamed', run: speakTone }),
    fakeTranscriptionDriver('ears'),
    reels,
  ]
  gateway = await startTestGateway({ drivers, yaml, env: { GATEWAY_ENGINE_WORKERS: '1' } })
})
const hosts = new Map<EnvironmentName, Promise<PythonHost>>()
after(async () => {
  for (const host of hosts.values()) await (await host)[Symbol.asyncDispose]()
  await gateway[Symbol.asyncDispose]()
})

for (const [section, snippets] of pageSections()) {
  if ([...elsewhere, ...notRun, ...wordsOnly].includes(section)) continue
  const needed = needs[section] ?? {}
  test(`docs/clients.md, ${section}: the snippet works`, skipOf(needed), async () => {
    await using home = await makeHome()
    await writeFile(join(home.work, 'speech.wav'), recording(5))
    for (const snippet of snippets) if (snippet.file !== undefined) await place(snippet.file, snippet.text, home)
    const run = snippets.filter(({ file }) => file === undefined)
    assert.ok(run.length > 0, 'the section has something to run')
    for (const snippet of run) {
      const { code, stdout, stderr } = await runSnippet(snippet, home, needed)
      assert.equal(code, 0, stderr)
      assert.match(stdout, answers[section] ?? /Paris/, stderr)
    }
  })
}

test('docs/clients.md: the table names existing tests, and the programs that are not tested', async () => {
  const page = await readFile(join(root, 'docs/clients.md'), 'utf8')
  const rows = page.split('\n').filter(line => line.startsWith('| ') && /test\.ts|not run/.test(line))
  for (const [, file = ''] of rows.join('\n').matchAll(/`([\w/-]+\.test\.ts)`/g))
    await access(join(root, file.startsWith('src/') ? file : join('src/clients', file)))
  for (const program of notRun) {
    assert.match(rows.find(row => row.startsWith(`| ${program}`)) ?? '', /\| not run \|$/)
    assert.match(page.split(`## ${program}\n`)[1]?.split('\n## ')[0] ?? '', /^Not run by a test\./m)
  }
})

test('docs/clients.md, Continue: the configuration has what the gateway accepts', async () => {
  const [snippet] = pageSections().get('Continue') ?? []
  const { models } = parse(here(snippet?.text ?? ''))
  const [{ provider, model, apiBase, apiKey }] = models
  assert.equal(provider, 'openai')
  const messages = [{ role: 'user', content: 'What is the capital of France?' }]
  const { status, body } = await gateway.call(`${apiBase}/chat/completions`, { key: apiKey, body: { model, messages } })
  assert.deepEqual([status, body.choices?.[0].message.content], [200, 'It is Paris.'])
})

function skipOf({ environment, tool }: Needs): { skip?: string } {
  return { ...(environment === undefined ? {} : needEnvironment(environment)), ...(tool === undefined ? {} : needTool(tool)) }
}

/** Returns a snippet in which the address and the key on the page are replaced by those of this
 *  gateway. */
function here(snippet: string): string {
  return snippet.replaceAll(pageAddress, gateway.url).replaceAll(pageKey, testKey)
}

async function place(file: string, content: string, { home, work }: ToolHome): Promise<void> {
  const path = file.startsWith('~/') ? join(home, file.slice(2)) : join(work, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, here(content))
}

async function runSnippet(
  snippet: Snippet,
  home: ToolHome,
  needed: Needs,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { command, args, cwd } = commandFor({ ...snippet, text: here(snippet.text) }, home)
  const { environment } = needed
  const python = environment === undefined ? {} : pythonEnvironment(environment, {})
  const values = { GATEWAY_URL: `${gateway.url}/v1`, GATEWAY_KEY: testKey }
  const env = { ...quiet, ...python, ...values, ...(await ownPrograms(home, needed)), HOME: home.home }
  const host = snippet.language === 'python' && environment !== undefined ? hostOf(environment) : undefined
  if (host) return (await host).run({ text: here(snippet.text), cwd, env })
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestMs,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

/** Returns the process that runs the Python snippets of this environment, and starts it at the
 *  first call. Returns undefined for an environment without `shared` modules. */
function hostOf(environment: EnvironmentName): Promise<PythonHost> | undefined {
  const modules = shared[environment]
  if (modules === undefined) return undefined
  const host = hosts.get(environment) ?? startPythonHost(environment, modules, longestMs)
  hosts.set(environment, host)
  return host
}

function commandFor({ language, text: program }: Snippet, { work }: ToolHome): { command: string; args: string[]; cwd: string } {
  switch (language) {
    case 'js':
      // Node.js looks for packages from the working directory upwards, so the directory has to be
      // the root of the project.
      return { command: process.execPath, args: ['--input-type=module', '--eval', program], cwd: root }
    case 'python':
      return { command: 'python', args: ['-c', program], cwd: work }
    case 'sh':
      return { command: 'bash', args: ['-euc', program], cwd: work }
    default:
      throw new Error(`docs/clients.md has a snippet of the language ${language}, which nothing runs`)
  }
}

/** Returns a PATH whose first folder contains the program of the section, under the name by
 *  which the snippets call it. */
async function ownPrograms({ home }: ToolHome, { environment, tool, standIn }: Needs): Promise<{ PATH: string }> {
  const folder = join(home, 'bin')
  await mkdir(folder, { recursive: true })
  const name = tool ?? standIn
  if (name !== undefined) {
    const file = fileURLToPath(new URL(`${standIn}-stand-in.py`, import.meta.url))
    const command = tool === undefined ? ['python', file] : commandOf(tool)
    await writeFile(join(folder, name), `#!/bin/sh\nexec ${command.map(word => `'${word}'`).join(' ')} "$@"\n`)
    await chmod(join(folder, name), 0o755)
  }
  const python = environment === undefined ? [] : [programsFolder(environment)]
  return { PATH: [folder, ...python, process.env.PATH ?? ''].join(delimiter) }
}

/** Settings that stop the programs from contacting anything but the gateway. */
const quiet = {
  ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1' },
  ...{ OPENCODE_DISABLE_LSP_DOWNLOAD: '1', OPENCODE_DISABLE_SHARE: '1', PI_OFFLINE: '1', PI_TELEMETRY: '0', TERM: 'dumb', NO_COLOR: '1' },
}
