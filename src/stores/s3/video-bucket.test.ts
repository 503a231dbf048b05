import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, type TestContext, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { fakeVideoDriver, type VideoJob } from '../../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { smallVideo } from '../../testing/small-video.ts'
import type { S3Bucket } from './bucket.ts'
import { S3Client } from './client.ts'
import { listObjects, putObject } from './objects.ts'
import { usualPatience } from './retry.ts'
import { needS3, type S3Server, startS3 } from './testing/server.ts'

const { skip } = needS3()
const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3060c0' } })
    .png()
    .toBuffer()
const base = '/v1/ai/default/vidv/videos'

describe('videos of family V in a bucket of the operator', { skip }, () => {
  let server: S3Server
  before(async () => {
    server = await startS3()
  })
  after(() => server?.stop())

  async function start(context: TestContext, bucket: S3Bucket, secret: string, jobs: VideoJob[] = []): Promise<TestGateway> {
    const url = `s3://${bucket.bucket}/out?endpoint=${bucket.endpoint.origin}`
    const { accessKeyId } = bucket.credentials()
    const gateway = await startTestGateway({
      drivers: [fakeVideoDriver('reels', { jobs })],
      env: { CLIPS_KEY: accessKeyId, CLIPS_SECRET: secret },
      yaml: `models:
  - { id: m, family: V, group: "3.1", targets: [{ driver: reels }] }
buckets:
  - named-only
  - { name: clips-out, url: "${url}", access_key_env: CLIPS_KEY, secret_key_env: CLIPS_SECRET }
`,
    })
    context.after(() => gateway[Symbol.asyncDispose]())
    return gateway
  }

  async function create(gateway: TestGateway, parameters: object, instance: object = { prompt: 'a pier' }): Promise<string> {
    const body = { model: 'm', instances: [instance], parameters }
    const answer = await gateway.call(`${base}/generate`, { body })
    assert.equal(answer.status, 200, answer.bytes.toString())
    return answer.body.name
  }

  async function ended(gateway: TestGateway, operationName: string) {
    return until(async () => {
      const { body, status, bytes } = await gateway.call(`${base}/task`, { body: { operationName } })
      assert.equal(status, 200, bytes.toString())
      return body.done ? body : undefined
    }, 'the end of the operation')
  }

  async function objectsOf(bucket: S3Bucket): Promise<string[]> {
    const client = new S3Client(bucket, usualPatience)
    return (await listObjects(client, { prefix: '', after: '', limit: 100 })).objects.map(({ key }) => key)
  }

  test('exist, with the bytes of their links, when a query reports them', async context => {
    const bucket = await server.bucket()
    const gateway = await start(context, bucket, bucket.credentials().secretAccessKey)
    const name = await create(gateway, { storageUri: 'gs://clips-out/run-9/', sampleCount: 2 })
    const { response } = await ended(gateway, name)
    const id = name.slice(-26)
    assert.deepEqual(
      response.videos.map(({ gcsUri }: { gcsUri: string }) => gcsUri),
      [0, 1].map(index => `gs://clips-out/run-9/${id}/sample_${index}.mp4`),
    )
    assert.deepEqual(await objectsOf(bucket), [`out/run-9/${id}/sample_0.mp4`, `out/run-9/${id}/sample_1.mp4`])
    const client = new S3Client(bucket, usualPatience)
    for (const [index, video] of response.videos.entries()) {
      const link = await client.presigned(`out/run-9/${id}/sample_${index}.mp4`, {}, 60)
      const answer = await fetch(link)
      assert.equal(answer.headers.get('content-type'), 'video/mp4')
      const written = Buffer.from(await answer.arrayBuffer())
      assert.ok(written.length > 0 && written.equals((await gateway.call(video.url, { key: false })).bytes))
    }
    await ended(gateway, name)
    await ended(gateway, await create(gateway, { storageUri: 'gs://named-only/run' }))
    await ended(gateway, await create(gateway, { storageUri: 'gs://clips-out' }))
    assert.equal((await objectsOf(bucket)).length, 3)
    for (const folder of ['a b', '../x', 'a//b', 'a?b', '.x']) {
      const { error } = await ended(gateway, await create(gateway, { storageUri: `gs://clips-out/${folder}` }))
      assert.equal(error?.code, 3, folder)
    }
    assert.equal((await objectsOf(bucket)).length, 3)
  })

  test('are accepted as inputs, like pictures there, within the limits for uploaded files', async context => {
    const bucket = await server.bucket()
    const jobs: VideoJob[] = []
    const gateway = await start(context, bucket, bucket.credentials().secretAccessKey, jobs)
    const client = new S3Client(bucket, usualPatience)
    const put = (name: string, bytes: Buffer) =>
      putObject(client, `out/${name}`, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), open: () => bytes })
    await put('in/pier.png', await png(640, 360))
    await put('in/clip.mp4', await smallVideo())
    await put('in/small.png', await png(8, 8))
    await put('in/text.png', Buffer.from('no picture'))
    const run = async (instance: object) => ended(gateway, await create(gateway, {}, instance))
    const named = (name: string, mimeType = 'image/png') => ({ gcsUri: `gs://clips-out/${name}`, mimeType })
    assert.equal((await run({ image: named('in/pier.png') })).error, undefined)
    assert.equal((await run({ video: named('in/clip.mp4', 'video/mp4') })).error, undefined)
    assert.deepEqual(
      jobs.map(({ inputs }) => inputs.map(({ role, mediaType, width }) => [role, mediaType, role === 'earlier' ? 0 : width])),
      [[['first-frame', 'image/png', 640]], [['earlier', 'video/mp4', 0]]],
    )
    const code = async (instance: object) => (await run(instance)).error?.code
    assert.equal(await code({ image: named('in/none.png') }), 5)
    assert.equal(await code({ image: named('../in/pier.png') }), 5)
    assert.equal(await code({ image: named('in/text.png') }), 3)
    assert.equal(await code({ image: named('in/clip.mp4') }), 3)
    assert.equal(await code({ video: named('in/pier.png', 'video/mp4') }), 3)
    assert.equal(await code({ image: { gcsUri: 'gs://named-only/in/pier.png', mimeType: 'image/png' } }), 5)
    assert.equal(await code({ image: { gcsUri: 'gs://other/in/pier.png', mimeType: 'image/png' } }), 7)
    assert.equal(jobs.length, 2)
  })

  test('that cannot be written keep the query at 503', async context => {
    const bucket = await server.bucket()
    const gateway = await start(context, bucket, 'wrong')
    const name = await create(gateway, { storageUri: 'gs://clips-out/run' })
    const { status, body } = await until(async () => {
      const answer = await gateway.call(`${base}/task`, { body: { operationName: name } })
      return answer.status === 200 && !answer.body.done ? undefined : answer
    }, 'the end of the operation')
    assert.equal(status, 503)
    assert.match(JSON.stringify(body), /The bucket clips-out cannot be used now\./)
    assert.deepEqual(await objectsOf(bucket), [])
  })
})
