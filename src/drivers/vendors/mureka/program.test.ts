/** Tests interface M on the whole program with this driver and a fake vendor. */
import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import { sendParts } from '../../../testing/multipart.ts'
import { tone } from './testing/sounds.ts'

const mp3 = await tone('mp3')
const lyrics = '[Chorus]\nla la'
const lyrics_sections = [{ section_type: 'chorus', start: 100, end: 400, lines: [{ start: 100, end: 400, text: 'la la' }] }]
const paths: string[] = []
const submits: unknown[] = []
/** Open sound streams of the fake vendor, into which the test writes. */
const live: ServerResponse[] = []
let isDone = false
let server: Server
let vendor = ''
let yaml = ''
let gateway: TestGateway

before(async () => {
  server = createServer(async (request, reply) => {
    const send = (body: unknown) => void reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const path = request.url ?? ''
    paths.push(`${request.method} ${path}`)
    if (path === '/a.mp3') return void reply.end(mp3)
    if (path === '/live') {
      reply.writeHead(200, { 'content-type': 'audio/mpeg' }).flushHeaders()
      return void live.push(reply)
    }
    assert.equal(request.headers.authorization, 'Bearer sk-mureka')
    if (path === '/files/upload') {
      await text(request)
      return send({ id: 'f-1', purpose: 'reference' })
    }
    if (path === '/song/generate') submits.push(JSON.parse(await text(request)))
    if (request.method === 'POST') return send({ id: '91', status: 'preparing' })
    if (!isDone) return send({ id: '91', status: 'streaming', stream_url: `${vendor}/live` })
    send({ id: '91', status: 'succeeded', choices: [{ index: 0, url: `${vendor}/a.mp3`, duration: 500, lyrics_sections }] })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  vendor = `http://127.0.0.1:${address.port}`
  yaml = `models: [{ id: muse, family: M, targets: [{ driver: mureka, base_url: "${vendor}", api_key_env: MUREKA, model: mureka-7.5 }] }]`
  gateway = await startTestGateway({ yaml, env: { MUREKA: 'sk-mureka' } })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  server.closeAllConnections()
  server.close()
})

const path = '/v1/ai/default/mus'
const inState = (id: string, status: string) =>
  until(async () => {
    const { body } = await gateway.call(`${path}/song/query/${id}`)
    return body.status === status ? body : undefined
  }, status)

test('a song with a reference can be heard while the vendor makes it, over a restart, and is submitted once', async () => {
  const silence = Buffer.concat([wavHeader({ sampleRate: 1_000, channels: 1, bits: 8, dataBytes: 2_000 }), Buffer.alloc(2_000, 0x80)])
  const { body: file } = await sendParts(`${gateway.url}${path}/files/upload`, [
    ['file', silence],
    ['purpose', 'reference'],
  ])
  const body = { model: 'muse', lyrics, n: 1, stream: true, reference_id: file.id }
  const { status, body: begun } = await gateway.call(`${path}/song/generate`, { body })
  assert.equal(status, 200, JSON.stringify(begun))
  await until(() => live.length === 1, 'the first listener')
  await gateway.gateway.stop(0)
  gateway = await startTestGateway({ yaml, env: { MUREKA: 'sk-mureka' }, dataDir: gateway.dataDir })
  await until(() => live.length === 2, 'the listener after the restart')
  live[1]?.write('first;')
  const { stream_url } = await inState(begun.id, 'streaming')
  const listening = await fetch(stream_url)
  isDone = true
  live[1]?.end('last')
  assert.equal(await listening.text(), 'first;last')
  const { choices } = await inState(begun.id, 'succeeded')
  const [{ url, duration, lyrics_sections: sections, seed }] = choices
  assert.deepEqual([choices.length, duration, sections, seed], [1, 500, lyrics_sections, undefined])
  assert.deepEqual((await gateway.call(url, { key: false })).bytes, mp3)
  assert.deepEqual(submits, [{ lyrics, model: 'mureka-7.5', n: 1, reference_id: 'f-1', stream: true }])
  assert.equal(paths.filter(each => each.startsWith('POST')).length, 2)
})
