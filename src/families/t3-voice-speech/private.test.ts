/** Tests family T3 with `enable_logging=false`: neither the text nor the sound is on disk during
 *  the run, after it, or after a crash in the middle. */
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { fakeSpeechDriver, speakTone, toneOffer } from '../../testing/fakes/fake-speech-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const path = '/v1/ai/default/tts-e/text-to-speech/21m00Tcm4TlvDq8ikWAM'
const yaml = 'models: [{ id: tts_monolingual_v1, family: T3, group: tts_monolingual_v1, targets: [{ driver: tone }, { driver: file }] }]'
const words = 'my-secret-diary'
/** The text is so long that the store would keep it as a file of its own instead of in the row
 *  of the task. */
const text = `${words} ${'x'.repeat(9_000)}`

interface Bench {
  gateway: TestGateway
  jobs: Job<SpeechRequest>[]
  drivers: readonly DriverSpec[]
  release(): void
}

/** Starts a gateway whose target waits after its first sound until it is released. */
async function open(): Promise<Bench> {
  const jobs: Job<SpeechRequest>[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const offer = toneOffer(async function* (job) {
    jobs.push(job)
    const stopped = Promise.withResolvers<void>()
    job.signal.addEventListener('abort', () => stopped.resolve(), { once: true })
    let isFirst = true
    for await (const part of speakTone(job)) {
      yield part
      if (isFirst) await Promise.race([promise, stopped.promise])
      isFirst = false
    }
  })
  // A target that would store the text; it must never be called.
  const keeping = fakeSpeechDriver('file', { kind: 'streamed', run: speakTone })
  const drivers = [fakeSpeechDriver('tone', offer), keeping]
  return { gateway: await startTestGateway({ yaml, drivers }), jobs, drivers, release: resolve }
}

/** Returns the files that contain the bytes. */
async function filesWith(folder: string, wanted: string | Buffer): Promise<string[]> {
  const found: string[] = []
  // `readdir` fails when a folder is removed while it reads.
  const list = () => readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined)
  for (const entry of await until(list, 'the list of the files')) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile() && (await readFile(file).catch(() => Buffer.alloc(0))).includes(wanted)) found.push(file)
  }
  return found
}

const speak = ({ gateway }: Bench, isLogged: boolean) =>
  gateway.call(`${path}?output_format=wav_8000&enable_logging=${isLogged}`, {
    body: { text },
    headers: { 'idempotency-key': String(isLogged) },
  })

test('a private call stores nothing, any other call stores everything', async () => {
  const bench = await open()
  await using gateway = bench.gateway
  const { dataDir } = gateway
  const calling = speak(bench, false)
  await until(() => bench.jobs.length === 1, 'the run')
  assert.equal(bench.jobs[0]?.request.text, text)
  assert.deepEqual(await filesWith(dataDir, words), [])
  bench.release()
  const answer = await calling
  assert.deepEqual(
    [answer.status, answer.bytes.toString('latin1', 0, 4), answer.headers.get('character-cost')],
    [200, 'RIFF', String(text.length)],
  )
  const id = answer.headers.get('request-id')
  const sound = answer.bytes.subarray(44, 1_044)
  const ended = async () => {
    const { body } = await gateway.call(`/v1/tasks/${id}`)
    return body.state === 'succeeded' ? body : undefined
  }
  const task = await until(ended, 'the end of the task')
  assert.deepEqual([task.outputs, task.usage[0].units], [[], text.length])
  await until(async () => (await filesWith(dataDir, sound)).length === 0, 'the end of its folder')
  assert.deepEqual(await filesWith(dataDir, words), [])
  // A private call cannot be named as a neighbour, and a repeat of it is synthesized again.
  const neighbour = await gateway.call(path, { body: { text: 'x', previous_request_ids: [id] } })
  assert.equal(neighbour.body.detail.param, 'previous_request_ids[0]')
  const again = await speak(bench, false)
  assert.notEqual(again.headers.get('request-id'), id)
  await speak(bench, true)
  assert.ok((await filesWith(dataDir, words)).length > 0)
  assert.ok((await filesWith(dataDir, sound)).length > 0)
})

test('a private call that a stop interrupts is not run again, and leaves nothing behind', async () => {
  const bench = await open()
  const { dataDir } = bench.gateway
  const calling = speak(bench, false).catch(() => undefined)
  const job = await until(() => bench.jobs[0], 'the run')
  await bench.gateway.stop()
  await calling
  // This file imitates one that a killed process has left behind. The next start must remove it.
  await writeFile(join(dataDir, 'gateway-scratch', 'left'), words)
  await using again = await startTestGateway({ yaml, drivers: bench.drivers, dataDir })
  const task = await until(async () => {
    const { body } = await again.call(`/v1/tasks/${job.id}`)
    return ['queued', 'running'].includes(body.state) ? undefined : body
  }, 'the end of the task')
  assert.ok(['failed', 'cancelled'].includes(task.state), task.state)
  assert.deepEqual([bench.jobs.length, await filesWith(dataDir, words)], [1, []])
})
