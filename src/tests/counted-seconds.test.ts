/** Tests that usage counts the seconds that a file really contains. A header that states a shorter
 *  length changes neither the usage nor the result of a limit check (docs/decisions/0031). */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { forgedFlac, forgedSound, forgedVideo } from '@generation-gateway/kit/testing/forged-length.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { fakeMusicDriver, type MusicJob } from '../testing/fakes/fake-music-driver.ts'
import { fakeTranscriptionDriver, type TranscriptionJob } from '../testing/fakes/fake-transcription-driver.ts'
import { fakeVideoDriver } from '../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'
import { sendParts } from '../testing/multipart.ts'

const headers = { authorization: 'Bearer sk-counted-seconds-0001' }
const key = 'sk-counted-seconds-0001'
/** A second key, whose quota is larger. */
const otherKey = 'sk-counted-seconds-0002'
const jobs: TranscriptionJob[] = []
const songs: MusicJob[] = []
let folder: string
let gateway: TestGateway
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'counted-seconds-'))
  const yaml = `accounts:\n  - { id: acme, keys: [{ name: k, secret: ${key}, quotas: { seconds: 100/day } }], endpoints: [{ name: default }] }
  - { id: beta, keys: [{ name: k, secret: ${otherKey}, quotas: { seconds: 10000/day } }], endpoints: [{ name: default }] }
models:
  - { id: long, family: [R1], group: token, targets: [{ driver: ears }] }
  - { id: short, family: [R4], targets: [{ driver: ears }] }
  - { id: MaaS_Mus_v7.5_generate, family: M, group: v7.5, targets: [{ driver: band }] }
  - { id: MaaS_VidK_Omni, family: K, group: omni video, targets: [{ driver: camera }] }
  - { id: first, family: [R5], targets: [{ driver: ears }] }
`
  gateway = await startTestGateway({
    yaml,
    drivers: [fakeTranscriptionDriver('ears', { jobs }), fakeMusicDriver('band', { jobs: songs }), fakeVideoDriver('camera')],
  })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function used(of = key): Promise<number> {
  const quota = await until(async () => {
    const [found] = (await gateway.call('/v1/usage', { key: of })).body.quotas
    return found.held === 0 ? found : undefined
  }, 'the end of the hold')
  return Math.round(quota.used)
}

const transcribe = async (path: string) =>
  sendParts(
    `${gateway.url}/v1/ai/default/audio/transcriptions`,
    [
      ['model', 'long'],
      ['file', await readFile(path)],
    ],
    { headers },
  )

test('a recording with a false short length counts with its real length, up to its quota', async () => {
  const length = { seconds: 40, says: 1 }
  for (const [index, forge] of [forgedSound, forgedFlac].entries()) {
    const { status, body } = await transcribe(await forge(join(folder, `${index}.bin`), length))
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(await used(), 40 * (index + 1))
  }
  const runs = jobs.length
  const { status, body } = await transcribe(await forgedSound(join(folder, 'third.m4a'), length))
  assert.deepEqual([status, body.error.code], [429, 'quota_exceeded'], JSON.stringify(body))
  assert.equal(jobs.length, runs, 'nothing was sent')
  assert.equal(await used(), 80)
})

test('a recording that is longer than its header says is refused at the limit, and counts nothing', async () => {
  const before = await used()
  const runs = jobs.length
  const file = await readFile(await forgedSound(join(folder, 'short.m4a'), { seconds: 40, says: 1 }))
  const { status, bytes } = await sendParts(
    `${gateway.url}/v1/ai/default/audio/recognize`,
    [
      ['model', 'short'],
      ['recognitionLanguages', 'en-US'],
      ['file', file],
    ],
    { headers },
  )
  assert.equal(status, 400, bytes.toString())
  assert.match(bytes.toString(), /file: lasts more than 30 s/)
  assert.equal(jobs.length, runs, 'nothing was sent')
  assert.equal(await used(), before)
})

interface ShownTask {
  state: string

  error: { code: string; message: string } | null
}

const endOf = (id: string) =>
  until(async () => {
    const { body } = await gateway.call(`/v1/tasks/${id}`, { key: otherKey })
    return body.state === 'succeeded' || body.state === 'failed' ? (body as ShownTask) : undefined
  }, 'the end of the task')

test('a voice that is longer than its header says fails its song, which is neither retried nor counted', async () => {
  const before = await used(otherKey)
  const voice = await readFile(await forgedSound(join(folder, 'voice.m4a'), { seconds: 40, says: 20 }))
  const uploaded = await sendParts(
    `${gateway.url}/v1/ai/default/mus/files/upload`,
    [
      ['purpose', 'vocal'],
      ['file', voice],
    ],
    { headers: { authorization: `Bearer ${otherKey}` } },
  )
  assert.equal(uploaded.status, 200, uploaded.bytes.toString())
  const { body } = await gateway.call('/v1/ai/default/mus/song/generate', {
    key: otherKey,
    body: { lyrics: 'La la la', vocal_id: uploaded.body.id },
  })
  const { state, error } = await endOf(body.id)
  assert.deepEqual([state, error?.code], ['failed', 'invalid_request'])
  assert.match(error?.message ?? '', /lasts more than 30 s/)
  assert.equal(songs.length, 0)
  assert.equal(await used(otherKey), before)
})

test('an edited video counts as long as its frames last', async t => {
  const before = await used(otherKey)
  const video = await readFile(await forgedVideo(join(folder, 'base.mp4'), { seconds: 9, says: 4 }))
  const shelf = createServer((_request, response) => response.end(video))
  await new Promise<void>(resolve => shelf.listen(0, '127.0.0.1', resolve))
  t.after(() => shelf.close())
  const { port } = Object(shelf.address())
  const requested = { prompt: 'at night', video_list: [{ video_url: `http://127.0.0.1:${port}/base.mp4` }] }
  const { status, body } = await gateway.call('/v1/ai/default/vidk/videos/omni-video', { key: otherKey, body: requested })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal((await endOf(body.data.task_id)).state, 'succeeded')
  assert.equal((await used(otherKey)) - before, 9)
})
