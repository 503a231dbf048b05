/** When a gateway is killed, all programs that it has started end as well. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runFfmpeg } from '@generation-gateway/kit/audio/ffmpeg.ts'
import { isRunning } from '@generation-gateway/kit/testing/orphan.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { needPack } from '../packs/testing/need-pack.ts'
import { freePort } from '../testing/free-port.ts'
import { testKey } from '../testing/gateway.ts'
import { startProgram } from '../testing/program.ts'

const needs = ['whisper-base', 'whisper-program', 'voice-activity'].map(needPack).find(({ skip }) => skip !== undefined) ?? {}
const linuxOnly = process.platform === 'linux' ? needs : { skip: 'looks into /proc' }

/** Returns the descendants of a process, with the names of their programs. */
function descendantsOf(root: number): Map<number, string> {
  const parents = new Map<number, { parent: number; name: string }>()
  for (const entry of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const [, name = '', parent = '0'] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8')) ?? []
      parents.set(Number(entry), { parent: Number(parent), name })
    } catch {
      // The process ended after it was listed.
    }
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)?.parent ?? 0
    return parent === root || (parent > 1 && isBelow(parent))
  }
  return new Map([...parents].filter(([pid]) => isBelow(pid)).map(([pid, { name }]) => [pid, name]))
}

test('whisper, ffmpeg and the engines end within seconds after a kill -9', linuxOnly, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-orphans-'))
  const program = await startProgram({ dataDir: join(folder, 'data'), port: await freePort(), env: { GATEWAY_ENGINE_WORKERS: '2' } })
  const seen = new Map<number, string>()
  try {
    const sound = join(folder, 'long.wav')
    const voice = join(import.meta.dirname, '../../engines/recognition/testing/reading.ogg')
    await runFfmpeg(['-y', '-stream_loop', '40', '-i', `file:${voice}`, '-t', '240', '-ar', '16000', '-ac', '1', `file:${sound}`])
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(await readFile(sound))]), 'long.wav')
    const headers = { authorization: `Bearer ${testKey}` }
    const calls = [fetch(`${program.url}/v1/ai/default/audio/transcriptions`, { method: 'POST', headers, body: form })]
    const video = { model: 'MaaS_VidH_02', prompt: 'a lighthouse at dusk', duration: 6, resolution: '768P' }
    const json = { ...headers, 'content-type': 'application/json' }
    calls.push(fetch(`${program.url}/v1/ai/default/vidh/video/generate`, { method: 'POST', headers: json, body: JSON.stringify(video) }))
    const answers: string[] = []
    for (const call of calls) call.then(async answer => answers.push(`${answer.status} ${await answer.text()}`)).catch(() => {})
    const wanted = [/ffmpeg/, /whisper/, /node/]
    await until(
      () => {
        for (const [pid, name] of descendantsOf(program.process.pid ?? 0)) seen.set(pid, name)
        const names = [...seen].filter(([pid]) => isRunning(pid)).map(([, name]) => name)
        if (answers.some(answer => !answer.startsWith('200'))) throw new Error('an answer')
        return wanted.every(pattern => names.some(name => pattern.test(name)))
      },
      `all of ${wanted.join(', ')}`,
    ).catch(error => {
      throw new Error(`seen: ${[...seen.values()].join(', ')}; answers: ${answers.join('; ')}`, { cause: error })
    })
  } finally {
    await program.kill()
  }
  const killedAt = performance.now()
  await until(() => [...seen.keys()].every(pid => !isRunning(pid)), 'the end of every process')
  const ms = performance.now() - killedAt
  assert.ok(ms < 20_000, `${ms.toFixed(0)} ms`)
  await rm(folder, { recursive: true, force: true })
})
