// Own process: waits for the deadline of a bucket that is gone.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, before, describe, type TestContext, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { S3Client } from './client.ts'
import { listObjects } from './objects.ts'
import { usualPatience } from './retry.ts'
import { needS3, type S3Server, settingsFor, startS3 } from './testing/server.ts'

const { skip } = needS3()

describe('a gateway with its blobs in a bucket', { skip }, () => {
  let server: S3Server
  before(async () => {
    server = await startS3()
  })
  after(() => server?.stop())

  async function start(context: TestContext, env: Record<string, string>, dataDir?: string): Promise<TestGateway> {
    const options = { env, drivers: [fakeImageDriver('f', once(donePixel))], yaml: fakeModelYaml('f'), ...(dataDir ? { dataDir } : {}) }
    const gateway = await startTestGateway(options)
    context.after(() => gateway[Symbol.asyncDispose]())
    return gateway
  }

  /** A request over 8 KiB becomes a blob itself. */
  const body = { prompt: '屋'.repeat(8_000), model: 'fake' }

  async function picture(gateway: TestGateway): Promise<string> {
    const submitted = await gateway.call('/v1/ai/default/imgf/image/generate', { body })
    assert.equal(submitted.status, 200, submitted.bytes.toString())
    const result = await gateway.result(submitted.body.polling_url)
    return String(Object(result.result).sample)
  }

  test('stores requests and results there, and serves them whole, in ranges and by HEAD', async context => {
    const bucket = await server.bucket()
    const gateway = await start(context, settingsFor(bucket))
    const link = await picture(gateway)
    const whole = await gateway.call(link, { key: false })
    assert.equal(whole.status, 200)
    assert.equal(whole.headers.get('content-type'), 'image/png')
    assert.deepEqual(whole.bytes.subarray(1, 4).toString(), 'PNG')
    const part = await gateway.call(link, { key: false, headers: { range: 'bytes=1-3' } })
    assert.deepEqual([part.status, part.bytes.toString()], [206, 'PNG'])
    const head = await gateway.call(link, { key: false, method: 'HEAD' })
    assert.equal(head.headers.get('content-length'), String(whole.bytes.length))
    assert.equal((await gateway.call(link, { key: false, headers: { 'if-none-match': '*' } })).status, 304)

    const client = new S3Client(bucket, usualPatience)
    const { objects } = await listObjects(client, { prefix: bucket.prefix, after: '', limit: 100 })
    assert.equal(objects.filter(({ key }) => key.includes('/blobs/')).length, 2)
    assert.ok(objects.some(({ key }) => key === `${bucket.prefix}gateway-blobs.txt`))
    assert.ok(!(await readdir(gateway.dataDir)).includes('blobs'))

    await gateway.stop()
    const again = await start(context, settingsFor(bucket), gateway.dataDir)
    const { pathname, search } = new URL(link)
    assert.deepEqual((await again.call(pathname + search, { key: false })).bytes, whole.bytes)
    await assert.rejects(start(context, settingsFor(bucket)), {
      code: 'store_unavailable',
      message: `The bucket s3://${bucket.bucket}/in/here belongs to another database. GATEWAY_BLOBS_URL names the folder or the bucket that all nodes of the database share.`,
    })
  })

  test('with the setting, redirects a valid link to the bucket for at most five minutes', async context => {
    const gateway = await start(context, { ...settingsFor(await server.bucket()), GATEWAY_BLOBS_REDIRECT: '1' })
    const link = await picture(gateway)
    const answer = await fetch(link, { redirect: 'manual' })
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const location = new URL(answer.headers.get('location') ?? '')
    assert.equal(location.host, server.endpoint.host)
    assert.ok(Number(location.searchParams.get('X-Amz-Expires')) <= 300)
    const followed = await fetch(link)
    assert.equal(followed.status, 200)
    assert.equal(followed.headers.get('content-type'), 'image/png')
    assert.match(followed.headers.get('content-disposition') ?? '', /^inline; filename="\w+\.png"$/)
    assert.equal(
      Buffer.from(await followed.arrayBuffer())
        .subarray(1, 4)
        .toString(),
      'PNG',
    )
    const part = await fetch(link, { headers: { range: 'bytes=1-3' } })
    assert.deepEqual([part.status, await part.text()], [206, 'PNG'])
    const head = await fetch(link, { method: 'HEAD', redirect: 'manual' })
    assert.equal(head.status, 200)
    assert.ok(Number(head.headers.get('content-length')) > 0)
    const forged = new URL(link)
    forged.searchParams.set('sig', 'x')
    assert.equal((await fetch(forged, { redirect: 'manual' })).status, 403)
    location.searchParams.set('response-content-type', 'text/html')
    assert.equal((await fetch(location)).status, 403)
  })

  test('refuses what it cannot store while the bucket is missing, lets tasks wait, and loses nothing stored', async context => {
    const gateway = await start(context, settingsFor(await server.bucket()))
    const link = await picture(gateway)
    await server.kill()
    const refused = gateway.call('/v1/ai/default/imgf/image/generate', { body })
    const broken = gateway.call(link, { key: false })
    await until(async () => (await gateway.call('/readyz')).body.status === 'degraded', 'the node is degraded')
    // All nodes use the same bucket. If its failure made a node unready, a load balancer would stop
    // sending requests to all nodes.
    const ready = await gateway.admin('/readyz')
    assert.deepEqual([ready.status, ready.body.problems, ready.body.degraded[0].check], [200, [], 'blobs'])
    assert.match(
      ready.body.degraded[0].reason,
      /^The bucket of the files does not answer as it should \(the connection failed: ECONNREFUSED\)/,
    )
    assert.match((await gateway.admin('/metrics')).bytes.toString(), /^gateway_blobs_usable 0$/m)
    const waiting = await gateway.call('/v1/ai/default/imgf/image/generate', { body: { prompt: 'small', model: 'fake' } })
    assert.equal(waiting.status, 200, waiting.bytes.toString())
    for (const { status, headers, bytes } of [await refused, await broken]) {
      assert.equal(status, 503, bytes.toString())
      assert.equal(headers.get('retry-after'), '5')
    }
    assert.match((await gateway.admin('/metrics')).bytes.toString(), /^gateway_tasks_running 0$/m)
    await server.restart()
    await until(async () => (await gateway.call('/readyz')).body.status === 'ready', 'the node is ready again')
    assert.equal((await gateway.call(link, { key: false })).status, 200)
    await gateway.result(waiting.body.polling_url)
    await picture(gateway)
  })
})
