/** Tests uploads of family M on the running program: the files that each purpose accepts, and songs
 *  that use them. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import { streamed } from '@generation-gateway/kit/driver.ts'
import type { MusicEvent, MusicRequest } from '@generation-gateway/kit/requests/music.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeMusicDriver, type MusicJob, playedMusic } from '../../testing/fakes/fake-music-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { sendParts } from '../../testing/multipart.ts'

const other = 'sk-another-account-0001'
const yaml = `
models: [{ id: MaaS_Mus_v7.5_generate, family: M, group: v7.5, targets: [{ driver: band }] }]
accounts:
  - { id: other, keys: [{ name: k, secret_env: OTHER }], endpoints: [{ name: default }] }
`
const jobs: MusicJob[] = []
const heard: Buffer[] = []
const offer = streamed<MusicRequest, MusicEvent>(async function* (job) {
  jobs.push(job)
  for (const { path } of job.inputs) heard.push(await readFile(path))
  yield* playedMusic(job)
})

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ yaml, env: { OTHER: other }, drivers: [fakeMusicDriver('band', { offer })] })
})
after(() => gateway[Symbol.asyncDispose]())

const path = '/v1/ai/default/mus'
const lyrics = 'La la la'

/** Returns silence of the given length in seconds, 8 bit at 1 kHz. */
function silence(seconds: number): Buffer {
  const dataBytes = Math.round(seconds * 1000)
  return Buffer.concat([wavHeader({ sampleRate: 1_000, channels: 1, bits: 8, dataBytes }), Buffer.alloc(dataBytes, 0x80)])
}

/** A MIDI file with one rest of six seconds. */
const tune = Buffer.from('4d546864000000060000000101e04d54726b00000005ad00ff2f00', 'hex')
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

async function upload(purpose: string, bytes: Buffer, { key = 'sk-test-access-key-0001', at = 'files/upload' } = {}) {
  const file = new File([new Uint8Array(bytes)], 'my hum.wav')
  const answer = await sendParts(
    `${gateway.url}${path}/${at}`,
    [
      ['file', file],
      ['purpose', purpose],
    ],
    { headers: { authorization: `Bearer ${key}` } },
  )
  if (at === 'files/upload') assertDocumented('uploadMusicFile', answer)
  return answer
}

async function uploaded(purpose: string, bytes: Buffer): Promise<string> {
  const { status, body } = await upload(purpose, bytes)
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}

async function song(body: object, key?: string) {
  const answer = await gateway.call(`${path}/song/generate`, { body: { lyrics, n: 1, ...body }, ...(key === undefined ? {} : { key }) })
  assertDocumented('createSong', answer)
  return answer
}

test('an upload is described by its size, name and purpose, at both paths', async () => {
  const bytes = silence(1)
  const { status, body } = await upload('audio', bytes)
  const { id, created_at, trace_id, ...facts } = body
  assert.deepEqual([status, facts], [200, { bytes: bytes.length, filename: 'my hum.wav', purpose: 'audio' }])
  assert.match(id, /^[0-9a-z]{26}$/)
  assert.ok(Math.abs(created_at - Date.now() / 1000) < 60 && trace_id)
  const byAction = await upload('reference', bytes, { at: 'music?action=file_upload' })
  assert.deepEqual([byAction.status, byAction.body.purpose], [200, 'reference'])
})

test('each purpose accepts its types and lengths up to their limits', async () => {
  const taken: [purpose: string, seconds: number][] = [
    ...([15, 30].map(seconds => ['vocal', seconds]) as [string, number][]),
    ...([5, 60].map(seconds => ['melody', seconds]) as [string, number][]),
    ...([5, 15].map(seconds => ['voice', seconds]) as [string, number][]),
    ...(['reference', 'instrumental', 'audio'].flatMap(purpose => [1, 200].map(seconds => [purpose, seconds])) as [string, number][]),
  ]
  for (const [purpose, seconds] of taken) await uploaded(purpose, silence(seconds))
  await uploaded('melody', tune)
  const refused: [purpose: string, bytes: Buffer, says: RegExp][] = [
    ['vocal', silence(14.9), /^file lasts 14.9 s; it has to last from 15 to 30 s, for the purpose vocal\.$/],
    ['vocal', silence(30.1), /^file lasts 30.1 s/],
    ['melody', silence(4.9), /from 5 to 60 s, for the purpose melody/],
    ['melody', silence(60.1), /^file lasts 60.1 s/],
    ['voice', silence(4.9), /from 5 to 15 s, for the purpose voice/],
    ['voice', silence(15.1), /^file lasts 15.1 s/],
    ['reference', silence(0.99), /^file lasts 0.99 s; it has to last at least 1 s, for the purpose reference\.$/],
    ['instrumental', silence(0), /^file lasts 0 s; it has to last at least 1 s/],
    ['reference', tune, /^file is audio\/midi; mpeg, mp4, .*, for the purpose reference\.$/],
    ['audio', png, /^file is image\/png|^file is not an audio/],
    ['audio', Buffer.from('no sound'), /^file is not an audio/],
    ['song', silence(1), /^purpose is "song"/],
  ]
  for (const [purpose, bytes, says] of refused) {
    const { status, body } = await upload(purpose, bytes)
    assert.equal(status, 400, `${purpose} ${says}`)
    assert.match(body.error.message, says)
  }
  const large = await upload('audio', Buffer.alloc(10 * 2 ** 20 + 1))
  assert.deepEqual([large.status, large.body.error.code], [413, 'payload_too_large'], JSON.stringify(large.body))
})

test('uploads reach the target with their roles, bytes and facts, and can be reused', async () => {
  const [reference, vocal] = [silence(40), silence(20)]
  const body = { reference_id: await uploaded('reference', reference), vocal_id: await uploaded('vocal', vocal) }
  for (let use = 0; use < 2; use++) {
    const before = heard.length
    const { status, body: begun } = await song(body)
    assert.equal(status, 200, JSON.stringify(begun))
    await until(async () => (await gateway.call(`${path}/song/query/${begun.id}`)).body.status === 'succeeded', 'the song')
    const { inputs } = jobs.at(-1)!
    assert.deepEqual(
      inputs.map(({ role, mediaType, durationSeconds }) => [role, mediaType, durationSeconds]),
      [
        ['reference', 'audio/wav', 40],
        ['vocal', 'audio/wav', 20],
      ],
    )
    assert.deepEqual(heard.slice(before), [reference, vocal])
  }
})

test('an upload of another purpose, an unknown one, and one of another account are refused', async () => {
  const melody = await uploaded('melody', tune)
  const wrong = await song({ reference_id: melody })
  assert.deepEqual(
    [wrong.status, wrong.body.error.message, wrong.body.error.param],
    [400, 'reference_id is an upload for melody; it has to be one for reference.', 'reference_id'],
  )
  const unknown = await song({ melody_id: 'f-77' })
  assert.deepEqual([unknown.status, unknown.body.error.message], [404, 'melody_id is "f-77"; there is no such upload.'])
  assert.equal((await song({ melody_id: melody }, other)).status, 404)
  assert.equal((await song({ melody_id: melody })).status, 200)
})
