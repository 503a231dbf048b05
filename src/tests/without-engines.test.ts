/** Tests the gateway when it is installed without its engines. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isOffline } from '@generation-gateway/kit/packs.ts'
import { engines } from '../engines.ts'
import { type FakeUpstream, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { freePort } from '../testing/free-port.ts'
import { testKey } from '../testing/gateway.ts'
import { addEngine, bytesOf, installLean } from '../testing/lean-install.ts'
import { type Program, startProgram } from '../testing/program.ts'

const mostBytes = 75e6
const online = isOffline(process.env) ? { skip: 'installs packages, and GATEWAY_OFFLINE=1 is set' } : {}
const howToGet = (engine: string): string =>
  `The engine ${engine} is not installed: npm ci adds it, or a target under models in the file that GATEWAY_CONFIG names takes its place.`

let folder: string
let entry: string
let upstream: FakeUpstream
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-lean-'))
  entry = join(folder, 'src/cli/gateway.ts')
  upstream = await startFakeUpstream()
  if (!isOffline(process.env)) await installLean(folder)
})
after(async () => {
  await upstream.close()
  await rm(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string> = {}): Promise<Program> {
  const dataDir = await mkdtemp(join(folder, 'data-'))
  return startProgram({ dataDir, port: await freePort(), command: [process.execPath, entry, 'serve'], env })
}

function run(...args: string[]): { code: number | null; out: string; error: string } {
  const env = { PATH: process.env.PATH, HOME: folder, GATEWAY_DATA_DIR: join(folder, 'data') }
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], { encoding: 'utf8', env, cwd: folder })
  return { code: status, out: stdout, error: stderr }
}

async function ask({ url }: Program, path: string, body?: object): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(url + path, { headers, ...sent })
  return { status: answer.status, text: await answer.text() }
}

const draw = (program: Program) => ask(program, '/v1/ai/default/imgf/image/generate', { prompt: 'a fox' })
const talk = (program: Program) => ask(program, '/v1/chat/completions', { messages: [{ role: 'user', content: 'Hello' }] })

test('its packages have less than 75 MB, and no engine is among them', online, t => {
  const bytes = bytesOf(join(folder, 'node_modules'))
  t.diagnostic(`${Math.round(bytes / 1e6)} MB`)
  assert.ok(bytes > 10e6 && bytes < mostBytes, `${bytes} bytes`)
  assert.deepEqual(readdirSync(join(folder, 'node_modules/@generation-gateway')), ['kit'])
})

test('it starts, is ready and shows its pages; requests without a target are refused with what they need', online, async () => {
  const program = await start()
  try {
    const readyz = await ask(program, '/readyz')
    assert.equal(readyz.status, 200)
    const { status, engines: shown } = JSON.parse(readyz.text)
    assert.equal(status, 'ready')
    assert.deepEqual(
      shown,
      engines.map(({ id, title }) => ({ id, title, usable: false, reason: howToGet(id) })),
    )
    for (const path of ['/', '/docs', '/openapi.json', '/v1/models']) assert.equal((await ask(program, path)).status, 200, path)
    const picture = await draw(program)
    assert.deepEqual([picture.status, JSON.parse(picture.text).error.code], [503, 'capability_unavailable'])
    assert.equal(JSON.parse(picture.text).error.message, `MaaS_ImgF_P cannot be used now. ${howToGet('studio')}`)
    const answer = await talk(program)
    assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [503, 'capability_unavailable'])
    assert.equal(JSON.parse(answer.text).error.message, `Family chat has no model. ${howToGet('text')}`)
  } finally {
    assert.equal(await program.stop(), 0, program.output())
  }
})

test('targets of the configuration file serve requests that name no model', online, async () => {
  const config = join(folder, 'gateway.yaml')
  const target = (driver: string) => `[{ driver: ${driver}, base_url: "${upstream.baseUrl}", api_key: sk-upstream-secret-1 }]`
  await writeFile(
    config,
    `models:
  - { id: talks, family: [chat, responses], targets: ${target('openai-compatible')} }
  - { id: draws, family: F1, targets: ${target('gateway')} }`,
  )
  const program = await start({ GATEWAY_CONFIG: config })
  try {
    const answer = await talk(program)
    assert.equal(answer.status, 200, answer.text)
    const { defaults } = JSON.parse((await ask(program, '/readyz')).text)
    const named = ['F1 P', 'F1 KE', 'F2 large', 'F3 O2', 'F4', 'images', 'T1 tts-1', 'R1 basic', 'R3', 'chat', 'responses']
    assert.deepEqual(
      named.map(name => defaults[name]),
      [
        'draws',
        'MaaS_ImgF_KE',
        'MaaS_ImgB_large',
        'MaaS_ImgS_O2',
        'MaaS_Art_v7',
        'studio',
        'tts-1',
        'whisper-1',
        'fast-transcription',
        'talks',
        'talks',
      ],
    )
    assert.equal((await draw(program)).status, 200)
  } finally {
    await program.stop()
  }
})

test('doctor, setup and demo report what is missing', online, async () => {
  const doctor = run('doctor')
  assert.equal(doctor.code, 0, doctor.error)
  for (const { title, id } of engines) assert.match(doctor.out, new RegExp(`${title} +\\S.* missing +${howToGet(id)}`))
  assert.match(doctor.out, /\nF1 +not served +MaaS_ImgF_P cannot be used now\. The engine studio is not installed: npm ci adds it/)
  assert.match(doctor.out, /\nchat +not served +Family chat has no model\. The engine text is not installed: npm ci adds it/)
  const setup = run('setup')
  assert.equal(setup.code, 0, setup.error)
  assert.match(setup.out, /^ffmpeg +sound and video .* GPL-3\.0-or-later +ready/m)
  assert.equal(run('setup', 'text-135m').error, 'There is no engine pack text-135m; there are ffmpeg.\n')
  const demo = run('demo', '--out', join(folder, 'demo'))
  assert.equal(demo.code, 0, demo.error)
  for (const { id } of engines) assert.ok(demo.out.includes(howToGet(id)), demo.out)
})

test('a configuration that names a driver of a missing engine is refused with what it needs', online, async () => {
  const config = join(folder, 'names-text.yaml')
  await writeFile(config, 'models:\n  - id: mine\n    family: chat\n    targets:\n      - { driver: text, file: mine.gguf }\n')
  await assert.rejects(start({ GATEWAY_CONFIG: config }), error => {
    assert.ok(error instanceof Error && error.message.includes(`names-text.yaml, line 5: ${howToGet('text')}`), String(error))
    return true
  })
})

test('an engine that lacks one of its own parts prevents the start: it is broken, not absent', online, async () => {
  await addEngine(folder, 'studio', "import 'a-part-that-is-not-there'\nexport default {}\n")
  await assert.rejects(start(), /Cannot find package 'a-part-that-is-not-there'/)
})
