/** Tests family M at the paths of Mureka, with requests as its own MCP server sends them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { fakeMusicDriver, type MusicJob, pieceOf } from '../../testing/fakes/fake-music-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { sendParts } from '../../testing/multipart.ts'

const jobs: MusicJob[] = []
let gateway: TestGateway
before(async () => {
  const yaml = 'models: [{ id: band, family: M, targets: [{ driver: band }] }]'
  gateway = await startTestGateway({ yaml, drivers: [fakeMusicDriver('band', { jobs })] })
})
after(() => gateway[Symbol.asyncDispose]())

const ended = (path: string) =>
  until(async () => {
    const { status, body } = await gateway.call(path)
    assert.equal(status, 200, JSON.stringify(body))
    return body.status === 'succeeded' ? body : undefined
  }, 'the end of the task')

test('songs and instrumentals are made at the vendor’s paths', async () => {
  for (const [kind, body] of [
    ['song', { lyrics: '[Verse]\nla la', prompt: '' }],
    ['instrumental', { prompt: 'calm piano' }],
  ] as const) {
    const { status, body: begun } = await gateway.call(`/v1/${kind}/generate`, { body: { ...body, model: 'band' } })
    assert.equal(status, 200, JSON.stringify(begun))
    const { choices } = await ended(`/v1/${kind}/query/${begun.id}`)
    assert.deepEqual((await gateway.call(choices[1].url, { key: false })).bytes, pieceOf(1))
    // The task is also found at the gateway's own path.
    await ended(`/v1/ai/default/mus/${kind}/query/${begun.id}`)
  }
  assert.deepEqual(
    jobs.map(({ request }) => request.prompt),
    [undefined, 'calm piano'],
  )
})

test('an empty prompt counts as absent: allowed beside a reference, refused for an instrumental', async () => {
  const call = (kind: string, body: object) => gateway.call(`/v1/${kind}/generate`, { body: { model: 'band', ...body } })
  const refused = await call('instrumental', { prompt: ' ' })
  assert.deepEqual(
    [refused.status, refused.body.error.message.split(' [')[0]],
    [400, 'prompt is required, or instrumental_id in its place.'],
  )
  const unknown = await call('song', { lyrics: 'la', prompt: '', reference_id: 'none' })
  assert.deepEqual([unknown.status, unknown.body.error.param], [404, 'reference_id'])
})

test("uploads use the vendor’s path; the gateway's own operations do not exist at the vendor’s paths", async () => {
  const { status, body } = await sendParts(`${gateway.url}/v1/files/upload`, [
    ['purpose', 'melody'],
    ['file', Buffer.from('not a sound')],
  ])
  assert.deepEqual([status, body.error.param], [400, 'file'])
  assert.equal((await gateway.call('/v1/song/query/x', { method: 'DELETE' })).status, 405)
  assert.equal((await gateway.call('/v1/song/query/x/events')).status, 404)
})
