/** Tests that a caller with an ordinary key cannot abuse the operations that are meant for other
 *  gateways. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { onePixelPng } from '../../testing/fakes/fake-driver.ts'
import { type Recorded, recordingDriver } from '../../testing/fakes/recording-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { type Parts, sendParts } from '../../testing/multipart.ts'

const recorded: Recorded[] = []
const otherKey = 'sk-other-access-key-0001'
const yaml = `accounts:
  - { id: other, keys: [{ name: theirs, secret: ${otherKey} }], endpoints: [{ name: default }] }
models:
  - { id: inky, family: F1, group: P, targets: [{ driver: recorder }] }
  - { id: editor, family: F1, group: KE, targets: [{ driver: recorder }] }
  - { id: reel, family: S, targets: [{ driver: recorder }] }
  - { id: voice, family: T1, targets: [{ driver: recorder }] }
  - { id: reader, family: T2, targets: [{ driver: recorder }] }
`
const runs = '/v1/ai/default/gateway/runs'
const request = { prompt: 'a kite', width: 256, height: 256, count: 1, seed: '7', expandPrompt: false, safetyTolerance: 2, format: 'png' }
const body = { version: 1, capability: 'image.generate', model: 'inky', request }
const { width: _width, height: _height, count: _count, ...edit } = request
const editBody = { version: 1, capability: 'image.edit', model: 'editor', request: edit, roles: ['image'] }
const clip = { prompt: 'a kite', seed: '7', expandPrompt: false, safetyTolerance: 2, width: 1280, height: 720, seconds: 8, count: 1 }
const video = { version: 1, capability: 'video.generate', model: 'reel', request: { ...clip, sound: true, watermark: false } }
const spoken = { text: 'Hello.', speed: 1, volume: 0, format: { container: 'mp3' } }
const speech = { version: 1, capability: 'speech.synthesize', model: 'voice', request: spoken, stream: true }

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ drivers: [recordingDriver('recorder', recorded)], yaml })
})
after(() => gateway[Symbol.asyncDispose]())
afterEach(async () => assert.deepEqual((await gateway.admin('/admin/usage/open')).body.lines, [], 'a hold is left'))

const partsOf = (sent: object): Parts =>
  Object.entries(sent).map(([name, value]) => [
    name,
    typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value),
  ])
const file = ['files', new File([new Uint8Array(onePixelPng)], 'a.png')] as const

async function refused(sent: object | string, says: RegExp, status = 400): Promise<void> {
  const before = recorded.length
  const answer = await gateway.call(runs, typeof sent === 'string' ? { raw: sent } : { body: sent })
  const shown = answer.bytes.toString().slice(0, 400)
  assert.equal(answer.status, status, shown)
  assert.match(answer.body.error.message, says)
  assert.equal(recorded.length, before, 'something ran')
}

async function ended(id: string, key = testKey) {
  return until(async () => {
    const { body: run } = await gateway.call(`${runs}/${id}`, { key })
    return ['queued', 'running'].includes(run.state) ? undefined : run
  }, 'the end of the run')
}

test('deep and wide JSON, members of prototypes and fields of other protocols are refused or ignored', async () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const sentWith = (text: string) => JSON.stringify({ ...body, request: 'HERE' }).replace('"HERE"', text)
  for (const depth of [50, 5_000, 100_000]) await refused(sentWith(nested(depth)), /./)
  await refused(sentWith(`{"prompt":${'['.repeat(50_000)}${']'.repeat(50_000)}}`), /./)
  const wide = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`f${index}`, 1]))
  await refused({ ...body, request: { ...request, ...wide(9_900) } }, /is not known/)
  await refused({ ...body, request: { ...request, ...wide(50_000) } }, /has more than 10000 members/, 413)
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    await refused(sentWith(`{${JSON.stringify(request).slice(1, -1)},"${name}":{"count":100}}`), /./)
    await refused({ ...body, capability: name }, /capability is/)
    await refused({ ...body, model: name }, /./, 404)
    await refused({ ...body, roles: [name] }, /roles\[0\] is/)
  }
  await refused({ ...body, request: { ...request, messages: [], stream: true } }, /is not known/)
  const started = await gateway.call(runs, { body: { ...body, messages: [], prompt: 'another', width: -1, hops: 7 } })
  assert.equal((await ended(started.body.id)).state, 'succeeded')
  assert.deepEqual(recorded.at(-1)?.request, request)
})

test('no number in a request can lower the reserved usage', async () => {
  const numbers: [object, string][] = [
    ...['count', 'width', 'height'].flatMap(name =>
      [-1, 0, -(2 ** 53), 1.5, 1e308].map((value): [object, string] => [body, `${name}:${value}`]),
    ),
    ...['seconds', 'count', 'width'].flatMap(name => [-1, 0, -8, 1e308].map((value): [object, string] => [video, `${name}:${value}`])),
    ...['steps', 'previews', 'guidance'].map((name): [object, string] => [body, `${name}:-1`]),
  ]
  for (const [sent, change] of numbers) {
    const [name = '', value] = change.split(':')
    await refused({ ...sent, request: { ...Object(sent).request, [name]: Number(value) } }, /at least|at most|must be/)
  }
  for (const value of ['1e999', '-1e999', '"1"', 'null', 'true', '[1]'])
    await refused(JSON.stringify({ ...body, request: { ...request, count: 'HERE' } }).replace('"HERE"', value), /count is/)
  await refused({ ...body, request: { ...request, tier: { name: '2K', sizes: [{ width: -1, height: 1 }] } } }, /at least/)
  await refused({ ...speech, request: { ...spoken, text: '', cues: [] } }, /cues has 0 items/)
  // A negative pause would place the passage before the beginning of the sound.
  await refused({ ...speech, request: { ...spoken, text: '', passages: [{ text: 'a', pauseMs: -1 }] } }, /pauseMs is -1/)
})

test('duplicate, reordered, unnamed or empty parts of a form are refused or read correctly', async () => {
  const fields = partsOf(editBody)
  for (const [name, value] of partsOf(body)) {
    const twice = await sendParts(gateway.url + runs, [...partsOf(body), [name, value]])
    assert.equal(twice.status, 400, `${name}: ${twice.bytes}`)
    assert.match(twice.body.error.message, new RegExp(name))
  }
  const reversed = await sendParts(gateway.url + runs, [file, ...fields.toReversed()])
  assert.equal(reversed.status, 200, reversed.bytes.toString())
  assert.equal((await ended(reversed.body.id)).state, 'succeeded')
  assert.deepEqual(
    recorded.at(-1)?.inputs.map(({ role }) => role),
    ['image'],
  )
  const wrong: [Parts, string][] = [
    [fields, 'roles'],
    [fields.filter(([name]) => name !== 'roles').concat([file]), 'roles'],
    [[...fields, file, file], 'roles'],
    [[...fields, ['image', new File([new Uint8Array(onePixelPng)], 'a.png')]], 'image'],
    [[...fields, ['files', 'not a file']], 'files[0]'],
    [[...fields, ['files', new File([], 'empty.png')]], 'files[0]'],
    [
      [
        ...fields.filter(([name]) => name !== 'roles'),
        ...Array.from({ length: 17 }, () => ['roles', 'image'] as const),
        ...Array.from({ length: 17 }, () => file),
      ],
      'roles',
    ],
    [partsOf({ ...body, request: '{"prompt":' }), 'request'],
    [partsOf({ ...body, request: '[]' }), 'request'],
  ]
  const before = recorded.length
  for (const [parts, field] of wrong) {
    const answer = await sendParts(gateway.url + runs, parts)
    assert.ok(answer.status >= 400 && answer.status < 500, `${field}: ${answer.status} ${answer.bytes}`)
    assert.ok(String(answer.body.error.param ?? answer.body.error.message).includes(field.replace(/\[.*/, '')), `${field}: ${answer.bytes}`)
  }
  assert.equal(recorded.length, before)
})

test('a caller who uploads slowly and leaves blocks nobody and leaves no files behind', async () => {
  await until(async () => (await filesInScratch()) === 0, 'an empty folder')
  const { hostname, port } = new URL(gateway.url)
  const boundary = 'xx'
  const fields = partsOf(editBody).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`
  const slow = Array.from({ length: 8 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const headers = `authorization: Bearer ${testKey}\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: 10000000`
    socket.write(`POST ${runs} HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n${fields.join('')}${head}`)
    socket.write(Buffer.alloc(300_000, onePixelPng))
    return socket
  })
  const others = await Promise.all([otherKey, testKey].map(key => gateway.call(runs, { body, key })))
  for (const [index, { status, body: run }] of others.entries()) {
    assert.equal(status, 200)
    assert.equal((await ended(run.id, index === 0 ? otherKey : testKey)).state, 'succeeded')
  }
  await until(async () => (await filesInScratch()) >= slow.length, 'the files that are coming')
  const before = (await gateway.admin('/admin/tasks?limit=200')).body.tasks.length
  for (const socket of slow) socket.destroy()
  await until(async () => (await filesInScratch()) === 0, 'a folder as it was before')
  assert.equal((await gateway.admin('/admin/tasks?limit=200')).body.tasks.length, before)
})

/** Returns the number of files that requests left behind; the lock of the running node is not
 *  counted. */
async function filesInScratch(): Promise<number> {
  // The reading fails when a folder is removed meanwhile.
  const list = () => readdir(gateway.dataDir, { recursive: true, withFileTypes: true }).catch(() => undefined)
  const entries = await until(list, 'the list of the files')
  return entries.filter(entry => entry.isFile() && entry.parentPath.includes('scratch') && !entry.name.startsWith('.lock-')).length
}

test('files and runs of another account are not found', async () => {
  const { body: run } = await gateway.call(runs, { body, key: otherKey })
  const done = await ended(run.id, otherKey)
  const same = await gateway.call(runs, { body, key: otherKey, headers: { 'idempotency-key': 'theirs' } })
  await ended(same.body.id, otherKey)
  for (const path of [run.id, `${run.id}/outputs/0`, `${run.id}/outputs/-1`, `${run.id}/outputs/__proto__`, `${run.id}/events`]) {
    const answer = await gateway.call(`${runs}/${path}`)
    assert.equal(answer.status, 404, `${path}: ${answer.bytes}`)
  }
  assert.equal((await gateway.call(`${runs}/${run.id}`, { method: 'DELETE' })).status, 404)
  const own = await gateway.call(runs, { body, headers: { 'idempotency-key': 'theirs' } })
  assert.notEqual(own.body.id, same.body.id)
  await ended(own.body.id)
  const url = new URL(done.outputs[0].url)
  url.searchParams.set('exp', String(Number(url.searchParams.get('exp')) + 1))
  assert.equal((await fetch(url)).status, 403)
  const sound = { service: 'run', id: run.id }
  await refused({ ...speech, request: { ...spoken, previousSounds: [sound] } }, /There is no|has made no/, 404)
  await refused({ ...speech, request: { ...spoken, nextSounds: [{ service: 'https://else.example', id: '1' }] } }, /it must be run/)
})

test("a run of another endpoint, or of a family outside of the key's scopes, is not shown", async () => {
  const key = async (limits: object) =>
    String((await gateway.admin('/admin/keys', { body: { account: 'default', name: 'scoped', ...limits } })).body.secret)
  const made = await gateway.call('/v1/ai/default/imgf/image/generate', {
    body: { model: 'inky', prompt: 'a kite', width: 256, height: 256 },
  })
  await gateway.result(made.body.polling_url)
  assert.equal((await gateway.call(`${runs}/${made.body.id}`)).status, 200, 'a task of an earlier version')
  const speaker = await key({ families: ['T1'] })
  const answer = await gateway.call(`${runs}/${made.body.id}`, { key: speaker })
  assert.ok([403, 404].includes(answer.status), answer.bytes.toString())
  for (const [sent, status] of [
    [body, 404],
    [editBody, 404],
  ] as const)
    assert.equal((await gateway.call(runs, { body: { ...sent, files: [] }, key: speaker })).status, status)
  const modelled = await key({ models: ['voice'] })
  assert.equal((await gateway.call(runs, { body, key: modelled })).status, 404)
})

test('a narration of 300,000 characters in 30,000 passages is accepted', async () => {
  const before = recorded.length
  const passages = Array.from({ length: 30_000 }, () => ({ text: 'ten words ', pauseMs: 0 }))
  for (const more of [{ text: 'ten words '.repeat(30_000) }, { text: '', passages }]) {
    const sent = { ...speech, model: 'reader', request: { ...spoken, ...more }, stream: false }
    const started = await gateway.call(runs, { body: sent })
    assert.equal(started.status, 200, started.bytes.toString().slice(0, 300))
    const { usage } = await ended(started.body.id)
    assert.deepEqual(usage, [{ unit: 'characters', units: 300_000 }])
  }
  assert.equal(recorded.length, before + 2)
})
