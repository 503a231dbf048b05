/** Tests transcriptions that break off: the caller disconnects, the recognizer is killed, or the
 *  prompt cannot be passed to a program. After such a run, no usage may remain reserved or
 *  undecided. */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { packFilesIn } from '@generation-gateway/kit/pack-files.ts'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { engines } from '../../engines.ts'
import { needPack } from '../../packs/testing/need-pack.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { formOf, type Parts, sendParts } from '../../testing/multipart.ts'

const needsEars = ['whisper-base', 'whisper-program', 'voice-activity'].map(needPack).find(({ skip }) => skip !== undefined) ?? {}
const key = 'sk-broken-runs-00001'
const headers = { authorization: `Bearer ${key}` }
let folder: string
let gateway: TestGateway

/** Creates a program that accepts the options of the recognizer and, when it is given a
 *  recording, runs the shell commands `does`. Returns the path of the program. */
async function program(name: string, does: string): Promise<string> {
  const packs = engines.find(({ id }) => id === 'recognition')?.packs ?? []
  const own = packFilesIn(packsDirectory(process.env), packs).file('whisper-program', 'whisper-cpp') ?? ''
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\ncase "$*" in *--help*) exec '${own}' --help;; esac\n${does}\n`)
  await chmod(path, 0o755)
  return path
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broken-runs-'))
  const [killed, waiting] = [
    await program('killed', 'kill -9 $$'),
    await program('waiting', `echo > '${join(folder, 'begun')}'; exec sleep 600`),
  ]
  const model = (id: string, path: string) =>
    `  - { id: ${id}, family: R1, group: token, targets: [{ driver: recognition, model: whisper-base, program: '${path}' }] }\n`
  const yaml = `accounts:\n  - { id: acme, keys: [{ name: k, secret: ${key}, quotas: { seconds: 1000/day } }], endpoints: [{ name: default }] }\nmodels:\n${model('killed', killed)}${model('waiting', waiting)}`
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' }, yaml })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const url = () => `${gateway.url}/v1/audio/transcriptions`

async function speech(parts: Parts): Promise<Parts> {
  const file = await readFile(join(import.meta.dirname, '../../../bench/speech/human/0870.ogg'))
  return [['language', 'en'], ...parts, ['file', file]]
}

/** Waits until no seconds are reserved in the quota. Returns the used seconds and the entries of
 *  usage about which an operator has to decide (open lines). */
async function settled(): Promise<{ used: number; open: unknown[] }> {
  const quota = await until(async () => {
    const [found] = (await gateway.call('/v1/usage', { headers })).body.quotas
    return found.held === 0 ? found : undefined
  }, 'the end of the hold')
  return { used: quota.used, open: (await gateway.admin('/admin/usage/open')).body.lines }
}

test('when the recogniser is killed, the call fails, and nothing stays held or counted', needsEars, async () => {
  const { status, body } = await sendParts(url(), await speech([['model', 'killed']]), { headers })
  assert.deepEqual([status, body.error.code], [500, 'internal_error'], JSON.stringify(body))
  assert.deepEqual(await settled(), { used: 0, open: [] })
})

test('when the caller of a transcription disconnects, nothing stays held or counted', needsEars, async () => {
  const controller = new AbortController()
  const sent = fetch(url(), {
    method: 'POST',
    headers,
    body: formOf(await speech([['model', 'waiting']])),
    signal: controller.signal,
  })
  await until(() => readFile(join(folder, 'begun')).catch(() => undefined), 'the run')
  controller.abort()
  await assert.rejects(sent)
  assert.deepEqual(await settled(), { used: 0, open: [] })
})

test('a prompt with a NUL is refused, in a transcription and a translation, and costs nothing', needsEars, async () => {
  for (const path of ['transcriptions', 'translations']) {
    const model = path === 'translations' ? 'whisper-1' : 'gpt-4o-transcribe'
    const parts = await speech([
      ['model', model],
      ['prompt', 'a\u0000b'],
    ])
    const { status, body } = await sendParts(`${gateway.url}/v1/audio/${path}`, parts.slice(path === 'translations' ? 1 : 0), { headers })
    assert.deepEqual([status, body.error.param], [400, 'prompt'], JSON.stringify(body))
  }
  assert.deepEqual(await settled(), { used: 0, open: [] })
})
