/** Tests hostile bodies for families S, V and K: each must be refused, and leave no task, job or
 *  file. */

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { MiB } from '@generation-gateway/kit/units.ts'
import { fakeVideoDriver, type VideoJob } from '../../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { sendParts } from '../../testing/multipart.ts'

const jobs: VideoJob[] = []
const yaml = `
models:
  - { id: s, family: S, targets: [{ driver: reels }] }
  - { id: v, family: V, group: "3.1", targets: [{ driver: reels }] }
  - { id: k, family: K, group: omni video, targets: [{ driver: reels }] }
`
let sentBytes = 0
/** Serves a video that never ends, and files with a wrong type. */
const shelf = createServer((request, response) => {
  if (request.url === '/said')
    return void response.writeHead(200, { 'content-length': String(201 * MiB), 'content-type': 'video/mp4' }).write('x')
  if (request.url !== '/endless') return void response.writeHead(200, { 'content-type': 'video/mp4' }).end(wrong[request.url ?? ''])
  const chunk = Buffer.alloc(MiB)
  chunk.write('\0\0\0\x18ftypisom', 0, 'latin1')
  const more = (): void => {
    while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length
    sentBytes += chunk.length
  }
  response.on('drain', more)
  more()
})
const wrong: Record<string, Buffer> = {
  '/mkv': Buffer.concat([Buffer.from('1a45dfa3a342868101', 'hex'), Buffer.alloc(4096)]),
  '/avi': Buffer.concat([Buffer.from('RIFF\0\0\x10\0AVI LIST', 'latin1'), Buffer.alloc(4096)]),
  '/html': Buffer.from('<!doctype html>'),
  '/empty': Buffer.alloc(0),
  '/cut': Buffer.from('\0\0\0\x18ftypmp42', 'latin1'),
}
let gateway: TestGateway
let videos: string
before(async () => {
  await new Promise<void>(resolve => shelf.listen(0, '127.0.0.1', resolve))
  videos = `http://127.0.0.1:${Object(shelf.address()).port}`
  gateway = await startTestGateway({ drivers: [fakeVideoDriver('reels', { jobs })], yaml })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  shelf.closeAllConnections()
  shelf.close()
})

/** Asserts that no task, job or file is left. */
async function assertNothingLeft(): Promise<void> {
  const { body } = await gateway.call('/v1/tasks')
  assert.deepEqual([body.data.length, jobs.length], [0, 0])
  // `readdir` fails when a folder is removed while it reads.
  const list = () => readdir(gateway.dataDir, { recursive: true, withFileTypes: true }).catch(() => undefined)
  const left = async () =>
    (await until(list, 'the list of the files')).filter(
      // The lock of the running node and the marker of the nodes' blobs are not counted.
      each =>
        each.isFile() &&
        !each.name.startsWith('.lock-') &&
        each.name !== 'gateway-blobs.txt' &&
        /scratch|upload|blob/.test(join(each.parentPath, each.name).slice(gateway.dataDir.length)),
    )
  // Received bytes may still be on their way to the disk, so the folder has to be empty at several
  // checks in a row.
  let emptyLooks = 0
  for (let tries = 0; tries < 400 && emptyLooks < 5; tries++) {
    emptyLooks = (await left()).length === 0 ? emptyLooks + 1 : 0
    await setTimeout(50)
  }
  assert.equal(emptyLooks, 5, (await left()).map(({ parentPath, name }) => join(parentPath, name)).join())
}

const operations = '/v1/ai/default/vidv/videos/generate'
const ofV = (instance: unknown, parameters: unknown = { durationSeconds: 4 }) =>
  gateway.call(operations, { body: { model: 'v', instances: [instance], parameters } })

test('V: numbers that are far out of range or of the wrong type are refused with their field', async () => {
  for (const [parameters, param] of [
    [{ durationSeconds: 1e308 }, 'durationSeconds'],
    [{ durationSeconds: 4.5 }, 'durationSeconds'],
    [{ durationSeconds: '4' }, 'durationSeconds'],
    [{ sampleCount: true }, 'sampleCount'],
    [{ sampleCount: -1e9 }, 'sampleCount'],
    [{ seed: -1 }, 'seed'],
    [{ seed: 1.5 }, 'seed'],
    [{ generateAudio: 'yes' }, 'generateAudio'],
    [{ storageUri: '' }, 'storageUri'],
    [{ storageUri: `gs://${'x'.repeat(1100)}` }, 'storageUri'],
  ] as const) {
    const { status, body } = await ofV({ prompt: 'x' }, parameters)
    assert.deepEqual([status, body.error.param], [400, `parameters.${param}`], JSON.stringify(parameters))
  }
  for (const body of [
    '{"instances":[{"prompt":"x"}],"parameters":{"durationSeconds":NaN}}',
    '{"instances":[{"prompt":"x"}',
    '[]',
    '"x"',
    '',
  ])
    assert.equal((await raw(operations, body)).status, 400, body)
  await assertNothingLeft()
})

function raw(path: string, body: string) {
  const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
  return fetch(gateway.url + path, { method: 'POST', headers, body })
}

test('V: 50 MB of base64 are refused during the upload, and so is data that is no base64 or no picture', async () => {
  const image = (bytesBase64Encoded: string, mimeType = 'image/png') => ({ image: { bytesBase64Encoded, mimeType } })
  const large = Buffer.alloc(50 * MiB).toString('base64')
  const startedAt = performance.now()
  const { status, body } = await ofV(image(large))
  assert.ok([400, 413].includes(status), String(status))
  assert.match(body.error.detail, /instances\[0\]\.image\.bytesBase64Encoded/)
  assert.ok(performance.now() - startedAt < 20_000)
  for (const text of ['%%%', 'AAAA', Buffer.from('GIF89a\x01\0\x01\0').toString('base64'), '=', 'A'])
    assert.equal((await ofV(image(text))).status, 400, text)
  const video = { bytesBase64Encoded: Buffer.alloc(100).toString('base64'), mimeType: 'video/mp4' }
  assert.equal((await ofV({ prompt: 'x', video })).status, 400)
  await assertNothingLeft()
})

test('V: a form with broken, deeply nested or duplicate JSON parts is refused', async () => {
  const send = (parts: [string, string | Buffer][]) => sendParts(gateway.url + operations, [['model', 'v'], ...parts])
  const parameters = ['parameters', '{"durationSeconds":4}'] as [string, string]
  for (const instances of ['[{"prompt":', 'x', '[{"prompt":NaN}]', `${'['.repeat(20_000)}${']'.repeat(20_000)}`])
    assert.equal((await send([['instances', instances], parameters])).status, 400, instances.slice(0, 20))
  const twice = await send([['instances', '[{"prompt":"x"}]'], ['instances', '[{"prompt":"y"}]'], parameters])
  assert.equal(twice.status, 400, JSON.stringify(twice.body))
  const parametersTwice = await send([['instances', '[{"prompt":"x"}]'], parameters, parameters])
  assert.equal(parametersTwice.status, 400, JSON.stringify(parametersTwice.body))
  const large = await send([
    ['instances', `[{"prompt":"x","image":{"mimeType":"image/png","bytesBase64Encoded":"${'A'.repeat(5 * MiB)}"}}]`],
    parameters,
  ])
  assert.ok([400, 413].includes(large.status), String(large.status))
  await assertNothingLeft()
})

test('S: duplicate fields, invalid files and huge lengths are refused', async () => {
  const send = (parts: [string, string | Buffer][]) => sendParts(`${gateway.url}/v1/videos`, [['model', 's'], ...parts])
  const prompt = ['prompt', 'a boat'] as [string, string]
  for (const [parts, param] of [
    [[prompt, ['prompt', 'another']], 'prompt'],
    [[prompt, ['seconds', '4'], ['seconds', '8']], 'seconds'],
    [[prompt, ['seconds', '1e9']], 'seconds'],
    [[prompt, ['seconds', 'NaN']], 'seconds'],
    [[prompt, ['size', '99999999x1']], 'size'],
    [[prompt, ['input_reference', Buffer.from('no picture')]], 'input_reference'],
    [[prompt, ['input_reference', Buffer.alloc(0)]], 'input_reference'],
    [[prompt, ['input_reference', Buffer.from('89504e470d0a1a0a', 'hex')]], 'input_reference'],
    [[prompt, ['input_reference', Buffer.from('x')], ['input_reference', Buffer.from('y')]], 'input_reference'],
  ] as [[string, string | Buffer][], string][]) {
    const { status, body } = await send(parts)
    assert.deepEqual([status, body.error.param], [400, param], JSON.stringify(parts))
  }
  await assertNothingLeft()
})

test('a caller who disconnects during an upload leaves nothing behind', async () => {
  const { port } = new URL(gateway.url)
  for (const [path, type, begin] of [
    [
      '/v1/videos',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="input_reference"; filename="a.png"\r\n\r\n',
    ],
    [
      operations,
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="instances"\r\n\r\n[{"image":{"mimeType":"image/png","bytesBase64Encoded":"',
    ],
    [operations, 'application/json', '{"instances":[{"image":{"mimeType":"image/png","bytesBase64Encoded":"'],
  ] as const) {
    const socket = connect(Number(port), '127.0.0.1')
    // The gateway may cut the connection of a body that it refuses.
    socket.on('error', () => {})
    await new Promise(resolve => socket.once('connect', resolve))
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${testKey}\r\ncontent-type: ${type}\r\ncontent-length: ${10 * MiB}\r\n\r\n`
    socket.write(`${head}${begin}`)
    const isWritten = new Promise(resolve => socket.write('A'.repeat(2 * MiB), resolve))
    // A body that is refused early is not read to its end.
    await Promise.race([isWritten, setTimeout(1_000)])
    socket.destroy()
    await assertNothingLeft()
  }
})

test('K: a video is read only up to its limit, and must have the declared type', async () => {
  const send = (name: string) =>
    gateway.call('/v1/ai/default/vidk/videos/omni-video', { body: { prompt: 'x', video_list: [{ video_url: `${videos}/${name}` }] } })
  for (const name of Object.keys(wrong).map(each => each.slice(1))) {
    const { status, body } = await send(name)
    assert.deepEqual([status, body.code], [400, 1201], `${name}: ${JSON.stringify(body)}`)
    assert.match(body.message, /video_list\[0\]\.video_url/)
  }
  for (const name of ['said', 'endless']) {
    const { status, body } = await send(name)
    assert.ok([400, 413].includes(status), `${name}: ${status}`)
    assert.match(body.message, /video_list\[0\]\.video_url.*200 MB|209715200|200 MiB/)
  }
  assert.ok(sentBytes < 260 * MiB, String(sentBytes))
  await assertNothingLeft()
})
