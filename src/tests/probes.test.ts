/** Tests all kinds of operations that a family may declare, on the running program. The requests
 *  use the probe family, which exists only in tests. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { samplesOf } from '../contract/samples/samples.ts'
import { donePixel, fakeImageDriver, onePixelPng } from '../testing/fakes/fake-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'
import { probeEntry } from '../testing/probe-family.ts'
import { nested } from '../testing/probe-nested.ts'

const yaml = `
probe_words: [one, two]
accounts:
  - id: default
    endpoints: [{ name: shaped, routes: { PROBE: { response_shape: R1 } } }]
models:
  - { id: held, family: PROBE, group: plain, targets: [{ driver: parked }] }
  - { id: drawn, family: PROBE, group: plain, targets: [{ driver: works }] }
  - { id: drawn-tiny, family: PROBE, group: tiny, targets: [{ driver: works }] }
`
const base = '/v1/ai/default/probe'
const jobs: Job<ImageGenerateRequest>[] = []
let gateway: TestGateway
before(async () => {
  const works = once(async (job: Job<ImageGenerateRequest>) => {
    jobs.push(job)
    return donePixel(job)
  })
  const drivers = [fakeImageDriver('works', works), fakeImageDriver('parked', once(donePixel), 0)]
  gateway = await startTestGateway({ yaml, drivers, families: [probeEntry] })
})
after(() => gateway[Symbol.asyncDispose]())

const png = async (width: number, height: number) =>
  new Blob([
    new Uint8Array(
      await sharp({ create: { width, height, channels: 3, background: '#468' } })
        .png()
        .toBuffer(),
    ),
  ])

async function send(path: string, body?: FormData | URLSearchParams | string, headers: Record<string, string> = {}, method = 'POST') {
  const answer = await fetch(gateway.url + path, {
    method,
    headers: { authorization: `Bearer ${testKey}`, ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  return { status: answer.status, headers: answer.headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined }
}

async function form(fields: Record<string, string>, pictures: [name: string, picture: Blob][] = []): Promise<FormData> {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  for (const [name, picture] of pictures) data.append(name, picture, 'picture.png')
  return data
}

const finished = (id: string) =>
  until(async () => {
    const { body } = await gateway.call(`${base}/videos/${id}`)
    return body.state === 'succeeded' ? body : undefined
  }, 'the end of the task')

test('multipart: two files of one role, and numbers and booleans as text, are read', async () => {
  const data = await form({ prompt: 'a fox', seconds: '8', loud: 'true', model_name: 'drawn' }, [
    ['reference', await png(20, 10)],
    ['reference[]', await png(10, 20)],
  ])
  const { status, body } = await send(`${base}/videos`, data)
  assert.equal(status, 200, JSON.stringify(body))
  assert.match(body.id, /^video_/)
  await finished(body.id)
  const job = jobs.find(({ id }) => `video_${id}` === body.id)
  assert.deepEqual(
    job?.inputs.map(({ role, width, height, mediaType }) => [role, width, height, mediaType]),
    [
      ['reference', 20, 10, 'image/png'],
      ['reference', 10, 20, 'image/png'],
    ],
  )
})

test('the same fields are read from JSON, with files at any depth, small and large', async () => {
  const noise = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
      .png()
      .toBuffer()
  // The larger picture alone exceeds the limit for the body's JSON. It is accepted all the same,
  // because files do not count towards this limit.
  const [small, large] = [await noise(16), await noise(900)]
  assert.ok(large.length > 2 * 1024 * 1024, `${large.length}`)
  const instances = [small, large].map(bytes => ({ image: { bytes: bytes.toString('base64') } }))
  const { status, body } = await gateway.call(`${base}/videos`, { body: { prompt: 'a fox', model_name: 'drawn', instances } })
  assert.equal(status, 200, JSON.stringify(body))
  await finished(body.id)
  const job = jobs.find(({ id }) => `video_${id}` === body.id)
  assert.deepEqual(
    job?.inputs.map(({ role, width, bytes }) => [role, width, bytes]),
    [
      ['first-frame', 16, small.length],
      ['first-frame', 900, large.length],
    ],
  )
})

test('every limit accepts its edge and refuses the next value, at any depth', async () => {
  for (const { title, body, verdict, field } of samplesOf(nested)) {
    const answer = await gateway.call(`${base}/nested`, { body })
    assert.equal(answer.status, verdict === 'accept' ? 200 : 400, `${title}: ${JSON.stringify(answer.body)}`)
    if (verdict === 'refuse') assert.ok(answer.body.error.message.includes(field), `${title}: ${answer.body.error.message}`)
  }
})

test('limits are reported with the whole path of their field', async () => {
  const { paths } = (await gateway.call('/openapi.json')).body
  const { description } = paths['/v1/ai/{endpoint}/probe/nested'].post
  for (const [field, type, limits] of [
    ['mask.areas', 'array', '1 to 3 items'],
    ['mask.areas[].width', 'integer', '500 to 4096 px'],
    ['shapes[].fonts[]', 'string', 'one of serif, sans'],
    ['weights.*', 'number', '-1 to 1'],
  ])
    assert.ok(description.includes(`| \`${field}\` | ${type} | ${limits} |`), description)
})

for (const [what, fields, pictures, status, pattern] of [
  [
    'a side above its limit',
    { prompt: 'x' },
    [['reference', 500, 500]],
    400,
    /reference\[0\] is 500x500; each side may have at most 400 pixels/,
  ],
  [
    'a shape beyond its ratio',
    { prompt: 'x' },
    [['reference', 100, 20]],
    400,
    /reference\[0\] is 100x20; width \/ height has to be from 0\.25 to 4/,
  ],
  ['a limit of the group', { prompt: 'x', model_name: 'drawn-tiny' }, [['reference', 9, 9]], 400, /each side may have at most 8 pixels/],
  [
    'more files than the list takes',
    { prompt: 'x' },
    [
      ['reference', 9, 9],
      ['reference', 9, 9],
      ['reference', 9, 9],
    ],
    400,
    /reference has 3 items; at most 2/,
  ],
  ['a number that is none', { prompt: 'x', seconds: 'eight' }, [], 400, /seconds is \\"eight\\"; it must be integer/],
  ['a number beyond its limit', { prompt: 'x', seconds: '13' }, [], 400, /seconds is 13; at most 12/],
  ['a missing field', { seconds: '8' }, [], 400, /prompt is required/],
  ['an unknown model', { prompt: 'x', model_name: 'nobody' }, [], 404, /no model \\?"nobody\\?"/],
] as const)
  test(`multipart with ${what} is refused with a message`, async () => {
    const files: [string, Blob][] = []
    for (const [name, width, height] of pictures) files.push([name, await png(width, height)])
    const answer = await send(`${base}/videos`, await form(fields, files))
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.text, pattern)
  })

test('multipart: a duplicate field, a too large file, a missing boundary and a truncated body are refused', async () => {
  const twice = await form({ prompt: 'x' })
  twice.append('prompt', 'y')
  assert.match((await send(`${base}/videos`, twice)).text, /prompt was given twice/)
  const large = await form({ prompt: 'x' }, [['reference', new Blob([new Uint8Array(65 * 1024)])]])
  const tooLarge = await send(`${base}/videos`, large)
  assert.deepEqual([tooLarge.status, /reference has more than 65536 bytes/.test(tooLarge.text)], [413, true], tooLarge.text)
  const noBoundary = await send(`${base}/videos`, 'x', { 'content-type': 'multipart/form-data' })
  assert.deepEqual([noBoundary.status, /multipart\/form-data/.test(noBoundary.text)], [400, true], noBoundary.text)
  const cut = await send(`${base}/videos`, '--b\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nx', {
    'content-type': 'multipart/form-data; boundary=b',
  })
  assert.equal(cut.status, 400, cut.text)
  const other = await send(`${base}/videos`, 'x', { 'content-type': 'text/plain' })
  assert.deepEqual([other.status, /multipart\/form-data, application\/json/.test(other.text)], [415, true], other.text)
})

test('an idempotent repeat of a multipart body is the same task, whatever its boundary', async () => {
  const make = async (prompt: string) =>
    send(`${base}/videos`, await form({ prompt, model_name: 'held' }, [['reference', await png(9, 9)]]), { 'idempotency-key': 'probe-1' })
  const first = await make('a fox')
  assert.equal((await make('a fox')).body.id, first.body.id)
  assert.equal((await make('an owl')).status, 409)
})

test("ids of a family, their aliases, events and references work; a family's own DELETE has priority", async () => {
  const { body } = await gateway.call(`${base}/videos`, { body: { prompt: 'a fox', model_name: 'held', reference_id: 'mine-1' } })
  for (const path of [`${base}/videos/${body.id}`, `/v1/probe/${body.id}`, `${base}/videos/mine-1`])
    assert.deepEqual((await gateway.call(path)).body, { id: body.id, state: 'queued' }, path)
  for (const path of [`${base}/videos/${body.id.slice('video_'.length)}`, `${base}/videos/video_nobody`])
    assert.equal((await gateway.call(path)).status, 404, path)
  const events = await fetch(`${gateway.url}/v1/probe/${body.id}/events`, { headers: { authorization: `Bearer ${testKey}` } })
  const reader = events.body?.getReader()
  assert.match(new TextDecoder().decode((await reader?.read())?.value), /event: task\.queued/)
  await reader?.cancel()
  assert.deepEqual((await gateway.call(`${base}/videos/${body.id}`, { method: 'DELETE' })).body, { deleted: true })
  // The family declares no DELETE at this alias of its path, so the gateway's own route answers.
  // That route cancels the task.
  const again = await gateway.call(`/v1/probe/${body.id}`, { method: 'DELETE' })
  assert.deepEqual(again.body, { id: body.id, state: 'cancelled' })
})

test('a stored file is served whole and in ranges', async () => {
  const { body } = await gateway.call(`${base}/videos`, { body: { prompt: 'a fox', model_name: 'drawn' } })
  await finished(body.id)
  const whole = await gateway.call(`${base}/videos/${body.id}/content`)
  assert.deepEqual([whole.status, whole.headers.get('content-type'), whole.bytes.equals(onePixelPng)], [200, 'image/png', true])
  const part = await gateway.call(`${base}/videos/${body.id}/content`, { headers: { range: 'bytes=1-3' } })
  assert.deepEqual([part.status, part.bytes.toString(), part.headers.get('content-range')], [206, 'PNG', `bytes 1-3/${onePixelPng.length}`])
  const head = await gateway.call(`${base}/videos/${body.id}/content`, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length'), head.bytes.length], [200, String(onePixelPng.length), 0])
})

test('the id of a task may be in a body; its events and its cancellation are found by the query', async () => {
  const { body } = await gateway.call(`${base}/videos`, { body: { prompt: 'a fox', model_name: 'held' } })
  const read = await gateway.call(`${base}/operation`, { body: { operationName: body.id } })
  assert.deepEqual(read.body, { id: body.id, state: 'queued' })
  assert.equal((await gateway.call(`${base}/operation`, { body: { operationName: 'video_x' } })).status, 404)
  const ended = await gateway.call(`${base}/operation?operationName=${body.id}`, { method: 'DELETE' })
  assert.deepEqual(ended.body, { id: body.id, state: 'cancelled' }, JSON.stringify(ended.body))
  const events = await gateway.call(`${base}/operation/events?operationName=${body.id}`)
  assert.match(events.bytes.toString(), /event: task\.cancelled/)
})

test('text is sent and bytes are streamed back, with a header; Accept decides between two operations', async () => {
  const accept = { accept: 'application/octet-stream' }
  const parts: string[] = []
  const answer = await fetch(`${gateway.url}${base}/narrate/mp3`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'text/vtt; charset=utf-8', ...accept },
    body: 'Grüße aus der Probe',
  })
  assert.deepEqual(
    [answer.status, answer.headers.get('content-type'), answer.headers.get('x-duration-seconds')],
    [200, 'audio/mpeg', '1.5'],
  )
  for await (const part of answer.body ?? []) parts.push(Buffer.from(part).toString('latin1'))
  assert.equal(Buffer.from(parts.join(''), 'latin1').toString(), 'text/vtt|Grüße aus der Probe')
  assert.ok(parts.length > 1, `${parts.length} parts`)
  const decoded = await send(`${base}/narrate/mp3`, 'a+fox%20%26%20owl', { ...accept, 'content-type': 'application/x-www-form-urlencoded' })
  assert.equal(decoded.text, 'application/x-www-form-urlencoded|a fox & owl')
  assert.match((await send(`${base}/narrate/mp3`, '', { ...accept, 'content-type': 'text/plain' })).text, /text is empty/)
  await assert.rejects(send(`${base}/narrate/mp3`, 'a word # and never this', { ...accept, 'content-type': 'text/plain' }))
})

test('a signed page needs no key, and only its own link opens it', async () => {
  const started = await send(`${base}/narrate/mp3?voice_model=held`, new URLSearchParams({ text: 'a fox' }))
  const { statusUrl } = started.body
  const shown = await fetch(statusUrl)
  assert.deepEqual([shown.status, Object(await shown.json()).state], [200, 'queued'])
  for (const changed of [
    statusUrl.replace(/sig=.{4}/, 'sig=AAAA'),
    statusUrl.replace(/\?.*/, ''),
    statusUrl.replace('/status/', '/status/x'),
  ])
    assert.equal((await fetch(changed, { headers: { authorization: `Bearer ${testKey}` } })).status, 403, changed)
})

test('an action form: the query decides the operation', async () => {
  const made = await gateway.call(`${base}/music?action=song_generate`, { body: { lyrics: 'la', model: 'held' } })
  assert.match(made.body.id, /^video_/, JSON.stringify(made.body))
  assert.deepEqual((await gateway.call(`${base}/music?action=check`, { body: { lyrics: 'la' } })).body, {
    body: { lyrics: 'la' },
    files: [],
  })
  for (const query of ['?action=dance', ''])
    assert.match(
      JSON.stringify((await gateway.call(`${base}/music${query}`, { body: { lyrics: 'la' } })).body),
      /action is .*one of song_generate, check/,
    )
})

test('a path may contain a colon; JSON may be in a part; text may be a field; the length of a sound is limited', async () => {
  const wav = (seconds: number) => {
    const data = Buffer.alloc(8_000 * seconds)
    const head = Buffer.from('RIFF    WAVEfmt                     data    ', 'latin1')
    head.writeUInt32LE(36 + data.length, 4)
    for (const [at, value] of [
      [16, 16],
      [24, 8_000],
      [28, 8_000],
      [40, data.length],
    ] as const)
      head.writeUInt32LE(value, at)
    for (const [at, value] of [
      [20, 1],
      [22, 1],
      [32, 1],
      [34, 8],
    ] as const)
      head.writeUInt16LE(value, at)
    return new Blob([new Uint8Array(head), new Uint8Array(data)])
  }
  const path = `${base}/transcriptions:transcribe`
  const data = await form({ definition: '{"channels":[0,1]}', 'include[]': 'logprobs' }, [['file', wav(1)]])
  const { body } = await send(path, data)
  assert.deepEqual(body, {
    body: { definition: { channels: [0, 1] }, include: ['logprobs'], file: '', format: 'json' },
    files: [{ role: 'audio', field: 'file' }],
  })
  const text = await send(path, await form({ format: 'srt' }, [['file', wav(1)]]))
  assert.deepEqual([text.headers.get('content-type'), text.text.startsWith('1\n00:00')], ['application/x-subrip; charset=utf-8', true])
  assert.match((await send(path, await form({}, [['file', wav(3)]]))).text, /file lasts 3 s; it has to last at most 2 s/)
  assert.match((await send(path, await form({}, [['file', new Blob(['words'])]]))).text, /file is not an audio the gateway knows/)
})

test('a GET that creates is not run by a HEAD; the path may name the model; a redirect is returned', async () => {
  const head = await gateway.call(`${base}/export/held`, { method: 'HEAD' })
  assert.equal(head.status, 405)
  const made = await send(`${base}/export/held`, undefined, {}, 'GET')
  assert.deepEqual([made.status, /\/probe\/videos\/video_/.test(made.headers.get('location') ?? '')], [302, true])
  assert.equal((await gateway.call(`${base}/export/nobody`)).status, 404)
})

test('route options and sections of the file belong to the family, and are checked', async () => {
  assert.deepEqual((await gateway.call('/v1/ai/shaped/probe/shape')).body, { shape: 'R1' })
  assert.deepEqual((await gateway.call(`${base}/shape`)).body, { shape: 'R2' })
  assert.deepEqual((await gateway.call(`${base}/about`, { key: false })).body.words, ['one', 'two'])
  for (const [changed, reason] of [
    [yaml.replace('response_shape: R1', 'response_shape: R3'), /response_shape is "R3"/],
    [yaml.replace('response_shape: R1', 'shape: R1'), /shape is not known; known are response_shape/],
    [yaml.replace('[one, two]', '7'), /probe_words is 7; it must be array/],
    [yaml.replace('probe_words', 'prob_words'), /prob_words is not known/],
  ] as const)
    await assert.rejects(
      startTestGateway({
        yaml: changed,
        families: [probeEntry],
        drivers: [fakeImageDriver('works', once(donePixel)), fakeImageDriver('parked', once(donePixel))],
      }),
      reason,
    )
})
