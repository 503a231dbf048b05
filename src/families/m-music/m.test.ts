/** Tests family M on the running program, with a fake driver that the test controls. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { streamed } from '@generation-gateway/kit/driver.ts'
import type { StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import type { MusicEvent, MusicRequest } from '@generation-gateway/kit/requests/music.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeMusicDriver, type MusicJob, pieceOf, playedMusic } from '../../testing/fakes/fake-music-driver.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const other = 'sk-another-account-0001'
const yaml = `
models:
  - { id: band, family: M, targets: [{ driver: band }] }
  - { id: MaaS_Mus_v7.5_generate, family: M, group: v7.5, targets: [{ driver: band }] }
  - { id: MaaS_Mus_o1_generate, family: M, group: o1, targets: [{ driver: band }] }
accounts:
  - { id: other, keys: [{ name: k, secret_env: OTHER }], endpoints: [{ name: default }] }
`
const jobs: MusicJob[] = []
const mayGoOn = Promise.withResolvers<void>()

async function* played(job: MusicJob): AsyncGenerator<StreamEvent<MusicEvent>> {
  jobs.push(job)
  const { prompt = '' } = job.request
  if (prompt.includes('waits')) await mayGoOn.promise
  if (prompt.includes('forbidden'))
    return yield { type: 'outcome', outcome: { state: 'failed', code: 'request_moderated', message: 'prompt: not this.' } }
  for await (const part of playedMusic(job)) {
    if (prompt.includes('breaks') && part.type === 'event' && part.event.piece === 1)
      return yield { type: 'outcome', outcome: { state: 'failed', code: 'upstream_error', message: 'The second piece broke.' } }
    if (prompt.includes('deaf') && part.type === 'outcome' && part.outcome.state === 'done')
      part.outcome.report.notFollowed = ['reference', 'prompt']
    if (prompt.includes('short') && part.type === 'outcome' && part.outcome.state === 'done')
      part.outcome.report.pieces = [{ seed: '1', seconds: 12, style: 'folk', lines: [], notSung: ['It calls the boats'] }]
    yield part
  }
}

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({
    yaml,
    env: { OTHER: other },
    drivers: [fakeMusicDriver('band', { offer: streamed<MusicRequest, MusicEvent>(played) })],
  })
})
after(() => gateway[Symbol.asyncDispose]())

const path = '/v1/ai/default/mus'
const lyrics = '[Verse 1]\nA light above the bay\nIt calls the boats\n\n[Chorus]\nShine on, shine on\n[Verse 2]\nA light above the bay'
const ids = { song: 'createSong', instrumental: 'createInstrumental' }
const readers = { song: 'getSong', instrumental: 'getInstrumental' }
type Kind = keyof typeof ids

async function submit(kind: Kind, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await gateway.call(`${path}/${kind}/generate`, { body, headers })
  assertDocumented(ids[kind], answer)
  return answer
}

async function query(kind: Kind, id: string) {
  const answer = await gateway.call(`${path}/${kind}/query/${id}`)
  assertDocumented(readers[kind], answer)
  return answer
}

const final = ['succeeded', 'failed', 'timeouted', 'cancelled']
const ended = (kind: Kind, id: string) =>
  until(async () => {
    const { body } = await query(kind, id)
    return final.includes(body.status) ? body : undefined
  }, 'the end of the task')

async function made(kind: Kind, body: object) {
  const { status, body: task } = await submit(kind, body)
  assert.equal(status, 200, JSON.stringify(task))
  return ended(kind, task.id)
}

const bytesAt = async (url: string) => {
  const answer = await gateway.call(url, { key: false })
  return [answer.status, answer.headers.get('content-type'), answer.bytes.toString('latin1')]
}

test('a song has two pieces with MP3, FLAC, cover, length and the times of its lines by section', async () => {
  const { status, body: begun } = await submit('song', { lyrics, prompt: 'folk' })
  const { id, taskId, created_at, model, trace_id, ...rest } = begun
  assert.deepEqual([status, taskId, rest, model], [200, id, { status: 'preparing' }, 'MaaS_Mus_v7.5_generate'])
  assert.ok(Math.abs(created_at - Date.now() / 1000) < 60)
  assert.match(trace_id, /^[0-9a-f-]{36}$/)
  const task = await ended('song', id)
  assert.deepEqual([task.status, task.taskId, task.created_at, task.choices.length], ['succeeded', id, created_at, 2])
  assert.ok(task.finished_at >= created_at)
  assert.notEqual(task.trace_id, trace_id)
  const [first, second] = task.choices
  assert.deepEqual([first.index, first.duration, first.style, second.index, second.seed], [0, 12_000, 'folk', 1, first.seed + 1])
  assert.deepEqual(first.lyrics_sections, [
    {
      section_type: 'verse',
      start: 0,
      end: 3500,
      lines: [
        { start: 0, end: 1500, text: 'A light above the bay' },
        { start: 2000, end: 3500, text: 'It calls the boats' },
      ],
    },
    { section_type: 'chorus', start: 4000, end: 5500, lines: [{ start: 4000, end: 5500, text: 'Shine on, shine on' }] },
    { section_type: 'verse', start: 6000, end: 7500, lines: [{ start: 6000, end: 7500, text: 'A light above the bay' }] },
  ])
  for (const { index, url, flac_url, cover_url } of task.choices) {
    assert.deepEqual(await bytesAt(url), [200, 'audio/mpeg', pieceOf(index).toString('latin1')])
    assert.deepEqual(await bytesAt(flac_url), [200, 'audio/flac', `fLaC ${index}`])
    assert.equal((await bytesAt(cover_url))[1], 'image/png')
  }
  const { request } = jobs.at(-1)!
  assert.deepEqual({ ...request, seed: '' }, { count: 2, seed: '', lyrics, prompt: 'folk' })
})

test('an instrumental has no lyrics, and the requested number of pieces', async () => {
  const task = await made('instrumental', { prompt: 'rain', n: 3 })
  assert.deepEqual([task.status, task.choices.length, task.choices[0].lyrics_sections], ['succeeded', 3, undefined])
  assert.deepEqual({ ...jobs.at(-1)!.request, seed: '' }, { count: 3, seed: '', prompt: 'rain' })
})

test('the action form creates and queries the same tasks', async () => {
  for (const [kind, body] of [
    ['song', { lyrics, n: 1 }],
    ['instrumental', { prompt: 'rain', n: 1 }],
  ] as const) {
    const begun = await gateway.call(`${path}/music?action=${kind}_generate`, { body })
    assert.deepEqual([begun.status, begun.body.status], [200, 'preparing'], JSON.stringify(begun.body))
    const task = await ended(kind, begun.body.id)
    const byAction = `${path}/music?action=${kind}_query&task_id=${begun.body.id}`
    for (const method of ['GET', 'POST']) {
      const reported = await gateway.call(byAction, { method })
      assert.deepEqual([reported.status, reported.body.status, reported.body.choices.length], [200, 'succeeded', 1])
      assert.equal(reported.body.choices[0].id, task.choices[0].id)
    }
  }
})

test('a task is found only by the query for its kind', async () => {
  for (const [kind, other, body] of [
    ['song', 'instrumental', { lyrics, n: 1 }],
    ['instrumental', 'song', { prompt: 'rain', n: 1 }],
  ] as const) {
    const { id } = (await submit(kind, body)).body
    const wrong = await query(other, id)
    assert.deepEqual([wrong.status, wrong.body.error.code], [404, 'task_not_found'])
    assert.match(wrong.body.error.message, new RegExp(`is not an? ${other} but an? ${kind}\\.$`))
    for (const method of ['GET', 'POST'])
      assert.equal((await gateway.call(`${path}/music?action=${other}_query&task_id=${id}`, { method })).status, 404)
    assert.equal((await query(kind, id)).status, 200)
  }
})

test('the action form refuses unknown actions and fields', async () => {
  const refused: [url: string, options: object, says: RegExp][] = [
    ['music?action=song_generate', { body: { lyrics, stream: true } }, /^stream is not a field of the action form/],
    ['music?action=instrumental_generate', { body: { prompt: 'rain', stream: false } }, /^stream is not a field/],
    ['music?action=sing', { body: { lyrics } }, /action is "sing"; it must be one of song_generate/],
    ['music', { body: { lyrics } }, /action is null/],
    ['music?action=song_generate', {}, /action is "song_generate"; it must be one of song_query, instrumental_query/],
    ['music?action=song_query', {}, /task_id/],
    [`music?task_id=${'0'.repeat(26)}`, {}, /action is null/],
  ]
  for (const [url, options, says] of refused) {
    const { status, body } = await gateway.call(`${path}/${url}`, options)
    assert.equal(status, 400, url)
    assert.match(body.error.message, says)
    assert.equal(body.trace_id, body.error.request_id)
  }
})

test('contradicting fields are refused with the field and the reason', async () => {
  const id = '01kb2v0f5w9h3t8m6q4y7z1xcd'
  type Refused = [kind: Kind, body: object, says: RegExp]
  const refused: Refused[] = [
    ['song', { prompt: 'folk' }, /^lyrics is required/],
    ['song', { lyrics, reference_id: id, prompt: 'folk' }, /^reference_id and prompt exclude each other/],
    ['song', { lyrics, reference_id: id, melody_id: id }, /^reference_id and melody_id/],
    ['song', { lyrics, vocal_id: id, prompt: 'folk' }, /^vocal_id and prompt/],
    ['song', { lyrics, vocal_id: id, melody_id: id }, /^vocal_id and melody_id/],
    ['song', { lyrics, melody_id: id, prompt: 'folk' }, /^melody_id and prompt/],
    ['song', { lyrics, instrumental_id: id, prompt: 'folk' }, /^instrumental_id and prompt/],
    ['song', { lyrics, instrumental_id: id, reference_id: id }, /^reference_id and instrumental_id/],
    ['song', { lyrics, model: 'MaaS_Mus_o1_generate', stream: true }, /^stream is true; models of the set o1/],
    ['instrumental', {}, /^prompt is required, or/],
    ['instrumental', { prompt: 'rain', instrumental_id: id }, /^prompt and instrumental_id exclude each other/],
    ...[5, {}, ['x'], null, '', lyrics, 'x'.repeat(100_000)].map(
      (value): Refused => ['instrumental', { prompt: 'rain', lyrics: value }, /^lyrics is a field of songs/],
    ),
    ...[5, {}, null, '', id].flatMap(value =>
      ['reference_id', 'vocal_id', 'melody_id'].map(
        (field): Refused => [
          'instrumental',
          { prompt: 'rain', [field]: value },
          new RegExp(`^${field} is a field of songs; an instrumental has none`),
        ],
      ),
    ),
    ['instrumental', { prompt: 'rain', model: 'MaaS_Mus_o1_generate' }, /^model is of the set o1, which makes songs only/],
  ]
  for (const [kind, body, says] of refused) {
    const answer = await submit(kind, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.error.message, says)
  }
  assert.equal((await made('song', { lyrics, model: 'MaaS_Mus_o1_generate', stream: false, n: 1 })).model, 'MaaS_Mus_o1_generate')
})

test("a target's refusals, and what it does not follow, are reported with the caller's field names", async () => {
  const refused = await made('song', { lyrics, prompt: 'forbidden' })
  assert.deepEqual([refused.status, refused.failed_reason, refused.choices], ['failed', 'prompt: not this.', undefined])
  const deaf = await made('instrumental', { prompt: 'deaf', n: 1 })
  assert.deepEqual(deaf.not_followed, ['reference_id', 'prompt'])
  const short = await made('song', { lyrics, prompt: 'short', n: 1 })
  assert.deepEqual(short.choices[0].not_sung, ['It calls the boats'])
})

test('pieces that were finished before a task failed can be fetched', async () => {
  const task = await made('instrumental', { prompt: 'breaks', n: 2 })
  assert.deepEqual([task.status, task.failed_reason, task.choices.length], ['failed', 'The second piece broke.', 1])
  const [{ url, duration }] = task.choices
  assert.equal(duration, 12_000)
  assert.deepEqual(await bytesAt(url), [200, 'audio/mpeg', pieceOf(0).toString('latin1')])
})

test('a task is cancelled by DELETE, and reports its states until then', async () => {
  const { body: begun } = await submit('instrumental', { prompt: 'waits', n: 1 })
  await until(async () => (await query('instrumental', begun.id)).body.status === 'running', 'the run')
  const cancelled = await gateway.call(`${path}/instrumental/query/${begun.id}`, { method: 'DELETE' })
  assert.equal(cancelled.status, 200)
  mayGoOn.resolve()
  const task = await ended('instrumental', begun.id)
  assert.deepEqual([task.status, task.choices], ['cancelled', undefined])
})

test('a repeat with the same key returns the same task, and no other account sees it', async () => {
  const headers = { 'idempotency-key': 'music-1' }
  const [first, second] = [await submit('song', { lyrics, n: 1 }, headers), await submit('song', { lyrics, n: 1 }, headers)]
  assert.equal(first.body.id, second.body.id)
  assert.equal((await submit('song', { lyrics, n: 2 }, headers)).status, 409)
  const foreign = await gateway.call(`${path}/song/query/${first.body.id}`, { key: other })
  assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'task_not_found'])
  const unknown = await query('song', '0'.repeat(26))
  assert.deepEqual([unknown.status, unknown.body.error.code, unknown.body.trace_id], [404, 'task_not_found', unknown.body.error.request_id])
})
