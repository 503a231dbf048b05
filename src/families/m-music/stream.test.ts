/** Tests `stream_url` of family M on the running program: MP3 that plays while the rest is
 *  produced. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { streamed } from '@generation-gateway/kit/driver.ts'
import type { MusicEvent, MusicRequest } from '@generation-gateway/kit/requests/music.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeMusicDriver, partsPerPiece, pieceOf, playedMusic, soundOf } from '../../testing/fakes/fake-music-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const yaml = 'models: [{ id: MaaS_Mus_v7.5_generate, family: M, group: v7.5, targets: [{ driver: band }] }]'
/** Maps `<prompt> <piece>.<part>` to the promise that must resolve before the driver sends this
 *  part of the piece. */
const gates = new Map<string, PromiseWithResolvers<void>>()
const gate = (name: string) => {
  const there = gates.get(name) ?? Promise.withResolvers<void>()
  gates.set(name, there)
  return there
}
const offer = streamed<MusicRequest, MusicEvent>(
  job =>
    playedMusic(job, async (piece, part) => {
      const stopped = new Promise<void>(resolve => job.signal.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.race([gate(`${job.request.prompt} ${piece}.${part}`).promise, stopped])
    }),
  { isRepeatable: true },
)

function letThrough(prompt: string, piece: number, parts: readonly number[]): void {
  for (const part of parts) gate(`${prompt} ${piece}.${part}`).resolve()
}
const all = Array.from({ length: partsPerPiece }, (_, part) => part)

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ yaml, drivers: [fakeMusicDriver('band', { offer, slots: 8 })] })
})
after(() => gateway[Symbol.asyncDispose]())

const path = '/v1/ai/default/mus/instrumental'

async function begun(prompt: string, further: object = {}): Promise<string> {
  const { status, body } = await gateway.call(`${path}/generate`, { body: { prompt, n: 2, stream: true, ...further } })
  assert.deepEqual([status, body.status, body.stream_url], [200, 'preparing', undefined], JSON.stringify(body))
  return body.id
}

async function query(id: string) {
  const answer = await gateway.call(`${path}/query/${id}`)
  assertDocumented('getInstrumental', answer)
  return answer.body
}

const inState = (id: string, status: string) =>
  until(async () => {
    const task = await query(id)
    return task.status === status ? task : undefined
  }, status)

/** Connects a listener. Returns the bytes that it has received so far, and how its connection
 *  ended. */
async function listener(url: string) {
  const response = await fetch(url)
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'audio/mpeg'])
  let heard = Buffer.alloc(0)
  const end = (async () => {
    try {
      for await (const piece of response.body!) heard = Buffer.concat([heard, piece])
      return 'whole'
    } catch {
      return 'cut'
    }
  })()
  return { end, heard: () => heard, headers: response.headers }
}

test('many listeners hear a piece while it is made, from its first byte; afterwards the same link is a file', async () => {
  const id = await begun('tide')
  letThrough('tide', 0, [0])
  const { stream_url, streams, choices } = await inState(id, 'streaming')
  assert.deepEqual([streams, choices], [[{ index: 0, url: streams[0].url }], undefined])
  const early = await Promise.all(Array.from({ length: 20 }, () => listener(stream_url)))
  assert.equal(early[0]?.headers.get('cache-control'), 'no-store')
  await until(() => early.every(({ heard }) => heard().equals(soundOf(0, 0))), 'the first part')
  letThrough('tide', 0, [1])
  const late = await listener(streams[0].url)
  await until(() => late.heard().equals(Buffer.concat([soundOf(0, 0), soundOf(0, 1)])), 'two parts')
  const head = await fetch(stream_url, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'audio/mpeg'])
  letThrough('tide', 0, [2])
  letThrough('tide', 1, [0])
  for (const { end, heard } of [...early, late]) assert.deepEqual([await end, heard()], ['whole', pieceOf(0)])
  const second = await until(async () => (await query(id)).streams[1], 'the second piece')
  const listening = await listener(second.url)
  letThrough('tide', 1, all)
  assert.deepEqual([await listening.end, listening.heard()], ['whole', pieceOf(1)])
  const done = await inState(id, 'succeeded')
  assert.deepEqual([done.choices.length, done.streams.length], [2, 2])
  for (const url of [stream_url, done.stream_url]) {
    const part = await gateway.call(url, { key: false, headers: { range: 'bytes=2-8' } })
    assert.deepEqual([part.status, part.bytes.toString()], [206, 'piece 0'])
  }
  await until(
    async () =>
      // `readdir` fails when a folder is removed while it reads.
      (await readdir(join(gateway.dataDir, 'gateway-scratch'), { recursive: true }).catch(() => ['early'])).every(
        name => !name.includes('early'),
      ),
    'the end of the files',
  )
})

test('without stream, no link is returned before the end', async () => {
  const { body } = await gateway.call(`${path}/generate`, { body: { prompt: 'still', n: 1 } })
  letThrough('still', 0, [0, 1])
  const running = await inState(body.id, 'running')
  assert.deepEqual([running.stream_url, running.streams], [undefined, undefined])
  letThrough('still', 0, all)
  const { choices, stream_url } = await inState(body.id, 'succeeded')
  assert.deepEqual([choices.length, stream_url], [1, undefined])
})

test('a cancelled task disconnects its listeners, and a link needs its signature', async () => {
  const id = await begun('storm')
  letThrough('storm', 0, [0])
  const { stream_url } = await inState(id, 'streaming')
  const listening = await listener(stream_url)
  const second = stream_url.replace(/\/0\?/, '/1?')
  const forged = await gateway.call(second)
  assert.equal(forged.status, 403)
  assertDocumented('listenToMusic', forged)
  assert.equal((await gateway.call(`${path}/query/${id}`, { method: 'DELETE' })).status, 200)
  assert.equal(await listening.end, 'cut')
  const task = await inState(id, 'cancelled')
  assert.equal(task.stream_url, undefined)
  const late = await gateway.call(stream_url, { key: false })
  assert.deepEqual([late.status, late.body.error.message], [404, 'The task is cancelled and has no piece "0".'])
  assertDocumented('listenToMusic', late)
})

test('a stop disconnects the listeners; after the restart the piece is made again, at the same link', async () => {
  const id = await begun('ebb', { n: 1 })
  letThrough('ebb', 0, [0])
  const { stream_url } = await inState(id, 'streaming')
  const listening = await listener(stream_url)
  const { dataDir } = gateway
  await gateway.gateway.stop(0)
  assert.equal(await listening.end, 'cut')
  gateway = await startTestGateway({
    yaml,
    dataDir,
    drivers: [fakeMusicDriver('band', { offer, slots: 8 })],
  })
  const again = new URL(stream_url)
  const here = new URL(again.pathname + again.search, gateway.url).href
  await until(async () => (await query(id)).status === 'streaming', 'the next run')
  const anew = await listener(here)
  letThrough('ebb', 0, all)
  assert.deepEqual([await anew.end, anew.heard()], ['whole', pieceOf(0)])
  await inState(id, 'succeeded')
  assert.deepEqual((await gateway.call(here, { key: false })).bytes, pieceOf(0))
})

test('a node that does not make the piece refuses the link until the file exists', async () => {
  const id = await begun('lull', { n: 1 })
  letThrough('lull', 0, [0])
  const { stream_url } = await inState(id, 'streaming')
  const { dataDir } = gateway
  await gateway.gateway.stop(0)
  const isMade = Promise.withResolvers<void>()
  const silent = streamed<MusicRequest, MusicEvent>(job => playedMusic(job, () => isMade.promise), { isRepeatable: true })
  gateway = await startTestGateway({ yaml, dataDir, drivers: [fakeMusicDriver('band', { offer: silent, slots: 8 })] })
  // The link was issued by an earlier process, which had begun the piece. This process restarts the
  // task and has produced no sound yet.
  const link = new URL(stream_url)
  const here = new URL(link.pathname + link.search, gateway.url).href
  const running = await inState(id, 'running')
  assert.equal(running.stream_url, undefined)
  const refused = await gateway.call(here, { key: false })
  assert.equal(refused.status, 409)
  assert.match(
    refused.body.error.message,
    /^The piece has not begun on this node\. .* plays only on the node that makes it; .* a file at this link/,
  )
  assertDocumented('listenToMusic', refused)
  isMade.resolve()
  await inState(id, 'succeeded')
  assert.deepEqual((await gateway.call(here, { key: false })).bytes, pieceOf(0))
})
