/** Tests two things on the running program: runs for which a caller waits, and files that belong to
 *  an account. The requests use the probe family, which exists only in tests. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { once, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageEvent, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { donePixel, fakeImageDriver, onePixelPng } from '../testing/fakes/fake-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'
import { probeEntry } from '../testing/probe-family.ts'

const base = '/v1/ai/default/probe'
const otherKey = 'sk-another-account-00001'
const yaml = `
models:
  - { id: told, family: PROBE, group: plain, price: { image: 0.5 }, targets: [{ driver: tells }] }
  - { id: shows, family: PROBE, group: plain, price: { image: 0.5 }, targets: [{ driver: shows }] }
  - { id: refuses, family: PROBE, group: plain, targets: [{ driver: refuses }] }
accounts:
  - { id: default, endpoints: [{ name: default, routes: { PROBE: {} } }] }
  - id: other
    keys: [{ name: other, secret: ${otherKey} }]
    endpoints: [{ name: default, routes: { PROBE: {} } }]
`
/** For each prompt, a promise for which the driver waits in the middle of the run. The test
 *  resolves it. */
const mayGoOn = new Map<string, PromiseWithResolvers<void>>()
const hold = (prompt: string): PromiseWithResolvers<void> => {
  const made = Promise.withResolvers<void>()
  mayGoOn.set(prompt, made)
  return made
}
const jobs: Job<ImageGenerateRequest>[] = []
let gateway: TestGateway
before(async () => {
  const tells = streamed<ImageGenerateRequest, ImageEvent>(tellParts, { isRepeatable: true })
  const refuses = once<ImageGenerateRequest>(async () => {
    throw new GatewayError('rate_limited', 'The upstream has no room.', { retryAfterSeconds: 7 })
  })
  gateway = await startTestGateway({
    yaml,
    drivers: [
      fakeImageDriver('tells', tells),
      fakeImageDriver('shows', streamed(showOnly, { isRepeatable: true })),
      fakeImageDriver('refuses', refuses),
    ],
    families: [probeEntry],
  })
})
after(() => gateway[Symbol.asyncDispose]())

/** Yields a preview and a file for each picture. After the first preview and after the first
 *  file, it waits for the test. */
async function* tellParts(job: Job<ImageGenerateRequest>): AsyncGenerator<StreamEvent<ImageEvent>> {
  jobs.push(job)
  const { count, prompt } = job.request
  for (let picture = 0; picture < count; picture++) {
    yield {
      type: 'event',
      event: {
        type: 'preview',
        picture,
        step: 0,
        mediaType: 'text/plain',
        width: 1,
        height: 1,
        bytes: prompt === 'heavy' ? Buffer.alloc(3 * 2 ** 20) : Buffer.from(`${prompt} ${picture}`),
      },
    }
    const path = join(job.scratch, `${picture}.png`)
    await writeFile(path, Buffer.concat([onePixelPng, Buffer.alloc(picture, 1)]))
    yield { type: 'file', file: { path, mediaType: 'image/png', width: 1, height: 1 } }
    await Promise.race([mayGoOn.get(prompt)?.promise, aborted(job.signal)])
    if (prompt === 'break') throw new GatewayError('upstream_error', 'The upstream broke.')
  }
  const report = { seed: '1', prompt, notDrawn: [] }
  yield { type: 'outcome', outcome: { state: 'done', files: [], report, usage: [{ unit: 'images', units: count }] } }
}

/** Yields a preview of the picture and then ends without a file. */
async function* showOnly(job: Job<ImageGenerateRequest>): AsyncGenerator<StreamEvent<ImageEvent>> {
  jobs.push(job)
  const look = { type: 'preview', picture: 0, step: 0, mediaType: 'text/plain', width: 1, height: 1, bytes: Buffer.from('x') } as const
  yield { type: 'event', event: look }
  await aborted(job.signal)
}

async function aborted(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

const draw = (body: object, { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {}) =>
  fetch(`${gateway.url}${base}/draw`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'told', ...body }),
    ...(signal ? { signal } : {}),
  })

const stateOf = async (id: string): Promise<string> => (await gateway.admin(`/admin/tasks/${id}`)).body.task.state

test('the files of a run are returned in base64 at its end, whole and in order', async () => {
  const answer = await draw({ prompt: 'three', count: 3 })
  const text = await answer.text()
  assert.equal(Number(answer.headers.get('content-length')), Buffer.byteLength(text))
  const { id, pictures } = JSON.parse(text)
  const expected = [0, 1, 2].map(more => Buffer.concat([onePixelPng, Buffer.alloc(more, 1)]).toString('base64'))
  assert.deepEqual(pictures, expected)
  assert.equal(await stateOf(id), 'succeeded')
  const { body } = await gateway.call(`/v1/tasks/${id}`)
  assert.deepEqual(body.usage, [{ unit: 'images', units: 3, cost: 1.5 }])
})

test('a stream has events and files as they are made', async () => {
  const held = hold('stream')
  const answer = await draw({ prompt: 'stream', count: 2, stream: true })
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  const readTo = async (words: string): Promise<void> => {
    while (!seen.includes(words)) seen += (await reader.read()).value
  }
  await readTo(onePixelPng.toString('base64'))
  assert.match(seen, /^event: preview\ndata: \{"words":"stream 0"\}\n\nevent: picture\n/)
  assert.equal(seen.includes('stream 1'), false)
  held.resolve()
  await readTo('event: done')
  assert.equal(seen.split('event: picture').length, 3)
})

test('a failure is the answer at once: nothing is retried for an inline task', async () => {
  const refused = await draw({ prompt: 'x', model: 'refuses' })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '7'])
  assert.equal((await draw({ prompt: 'x', model: 'refuses' })).status, 429, 'the only target of a model is asked all the same')
  const broken = await draw({ prompt: 'break' })
  assert.equal(broken.status, 502)
  const stream = await (await draw({ prompt: 'break', stream: true })).text()
  assert.match(stream, /event: error\ndata: .*The upstream broke\./)
})

test('a run ends when its caller disconnects; with an Idempotency-Key the caller finds it again', async () => {
  hold('left')
  const leaving = new AbortController()
  const gone = draw({ prompt: 'left' }, { signal: leaving.signal }).catch(() => 'gone')
  const job = await until(() => jobs.find(({ request }) => request.prompt === 'left'), 'the run')
  leaving.abort()
  assert.equal(await gone, 'gone')
  await until(() => job.signal.aborted, 'the end of the run')
  await until(async () => (await stateOf(job.id)) === 'cancelled', 'the end of the task')

  const held = hold('kept')
  const headers = { 'idempotency-key': 'one-picture' }
  const again = new AbortController()
  const cut = draw({ prompt: 'kept' }, { headers, signal: again.signal }).catch(() => 'gone')
  const kept = await until(() => jobs.find(({ request }) => request.prompt === 'kept'), 'the run')
  again.abort()
  assert.equal(await cut, 'gone')
  const repeat = draw({ prompt: 'kept' }, { headers })
  // The repeated request needs time to arrive; it then waits for the same run as the first one.
  await sleep(50)
  held.resolve()
  const { id, pictures } = JSON.parse(await (await repeat).text())
  assert.deepEqual([id, pictures, kept.signal.aborted], [kept.id, [onePixelPng.toString('base64')], false])
  assert.equal(jobs.filter(({ request }) => request.prompt === 'kept').length, 1)
  assert.deepEqual(JSON.parse(await (await draw({ prompt: 'kept' }, { headers })).text()).id, id)
  assert.equal((await draw({ prompt: 'another' }, { headers })).status, 409)
})

test('a stream that is left ends its run, and costs what it delivered', async () => {
  hold('cut')
  const answer = await draw({ prompt: 'cut', count: 4, stream: true })
  const reader = answer.body!.getReader()
  let seen = ''
  while (!seen.includes('event: picture')) seen += Buffer.from((await reader.read()).value ?? []).toString()
  const job = jobs.find(({ request }) => request.prompt === 'cut')
  await reader.cancel()
  await until(() => job?.signal.aborted, 'the end of the run')
  await until(async () => (await stateOf(job?.id ?? '')) === 'cancelled', 'the end of the task')
  const { outputs, usage } = (await gateway.call(`/v1/tasks/${job?.id}`)).body
  assert.equal(outputs.length, 1)
  assert.deepEqual(usage, [
    { unit: 'images', units: 1, cost: 0.5 },
    { unit: 'pixels', units: 1, cost: 0 },
  ])
})

test('a caller who reads nothing delays no run: previews are left out', async () => {
  const answer = await draw({ prompt: 'heavy', count: 4, stream: true })
  const job = await until(() => jobs.find(({ request }) => request.prompt === 'heavy'), 'the run')
  await until(async () => (await stateOf(job.id)) === 'succeeded', 'its end')
  const events = await answer.text()
  const count = (name: string): number => events.split(`event: ${name}`).length - 1
  assert.deepEqual([count('picture'), count('done')], [4, 1])
  assert.ok(count('preview') >= 1 && count('preview') < 4, String(count('preview')))
})

test('previews of a picture that was never finished cost that picture', async () => {
  hold('looked')
  const answer = await draw({ prompt: 'looked', count: 1, stream: true, model: 'shows' })
  const reader = answer.body!.getReader()
  await reader.read()
  const job = await until(() => jobs.find(({ request }) => request.prompt === 'looked'), 'the run')
  await reader.cancel()
  await until(async () => (await stateOf(job.id)) === 'cancelled', 'the end of the task')
  const { outputs, usage } = (await gateway.call(`/v1/tasks/${job.id}`)).body
  assert.deepEqual([outputs, usage[0]], [[], { unit: 'images', units: 1, cost: 0.5 }])
})

test('previews that the caller did not receive cost nothing', async () => {
  await gateway.call(`${base}/videos`, { method: 'POST', body: { prompt: 'unseen', model_name: 'shows' } })
  const job = await until(() => jobs.find(({ request }) => request.prompt === 'unseen'), 'the run')
  await gateway.call(`/v1/tasks/${job.id}`, { method: 'DELETE' })
  await until(async () => (await stateOf(job.id)) === 'cancelled', 'the end of the task')
  assert.deepEqual((await gateway.call(`/v1/tasks/${job.id}`)).body.usage, [])
})

test("a file of the account can be a task's input, for no other account", async () => {
  const form = (fields: Record<string, string>, picture?: Blob) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) data.append(name, value)
    if (picture) data.append('file', picture, 'picture.png')
    return data
  }
  const { default: sharp } = await import('sharp')
  const png = await sharp({ create: { width: 8, height: 4, channels: 3, background: '#284' } })
    .png()
    .toBuffer()
  const send = async (path: string, body: FormData, key = testKey) => {
    const answer = await fetch(gateway.url + path, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
  const { body: file } = await send(`${base}/files`, form({ purpose: 'reference' }, new Blob([new Uint8Array(png)])))
  assert.deepEqual([file.bytes, file.purpose], [png.length, 'reference'])
  assert.deepEqual((await gateway.call(`${base}/files`)).body.data, [file])
  assert.deepEqual((await gateway.call(`${base}/files`, { key: otherKey })).body.data, [])
  const theirs = await send(`${base}/videos`, form({ prompt: 'with it', model_name: 'told', file_id: file.id }), otherKey)
  assert.equal(theirs.status, 400)
  const used = await send(`${base}/videos`, form({ prompt: 'with it', model_name: 'told', file_id: file.id }))
  assert.equal(used.status, 200, JSON.stringify(used.body))
  const job = await until(() => jobs.find(({ request }) => request.prompt === 'with it'), 'the run')
  assert.deepEqual(
    job.inputs.map(({ role, width, height, bytes }) => [role, width, height, bytes]),
    [['reference', 8, 4, png.length]],
  )
  const drop = (key: string) => gateway.call(`${base}/files/${file.id}`, { method: 'DELETE', key })
  assert.deepEqual(
    [(await drop(otherKey)).body, (await drop(testKey)).body, (await drop(testKey)).body].map(({ deleted }) => deleted),
    [false, true, false],
  )
  assert.deepEqual((await gateway.call(`${base}/files`)).body.data, [])
})

test('a gateway that stops ends the wait with an error and loses no task', async t => {
  const own = await startTestGateway({
    yaml,
    drivers: ['tells', 'shows', 'refuses'].map(id => fakeImageDriver(id, once(donePixel), 0)),
    families: [probeEntry],
  })
  t.after(() => own[Symbol.asyncDispose]())
  const waiting = own.call(`${base}/draw`, { method: 'POST', body: { prompt: 'x', model: 'told' } })
  const [task] = await until(async () => {
    const { tasks } = (await own.admin('/admin/tasks')).body
    return tasks?.length > 0 ? tasks : undefined
  }, 'the task')
  assert.equal(task.state, 'queued')
  await own.gateway.stop(50)
  assert.equal((await waiting).status, 503)
})
