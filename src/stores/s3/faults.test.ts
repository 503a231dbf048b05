import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, type TestContext, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { S3Client } from './client.ts'
import { abortUploads, beginUpload } from './objects.ts'
import { openS3Store } from './open.ts'
import { usualPatience } from './retry.ts'
import { type Fault, type FaultyProxy, startFaultyProxy } from './testing/proxy.ts'
import { needS3, type S3Server, startS3 } from './testing/server.ts'

const MiB = 1024 * 1024
const patience = { deadlineMs: 20_000, stallMs: 400, workMs: 2_000, firstWaitMs: 5, longestWaitMs: 50 }
const impatience = { ...patience, deadlineMs: 300 }
/** Limits for tests in which the proxy never stops answering. They are so long that a pause of this
 *  process or of the server does not cause a repeat. */
const unhurried = { stallMs: 10_000, workMs: 10_000 }
const { skip } = needS3()

describe('a bucket that fails', { skip }, () => {
  let server: S3Server
  let proxy: FaultyProxy
  before(async () => {
    server = await startS3()
    proxy = await startFaultyProxy(server.endpoint)
  })
  after(async () => {
    await proxy?.stop()
    await server?.stop()
  })

  async function open(context: TestContext, wait = patience) {
    proxy.rule = () => undefined
    proxy.faults = 0
    const directory = await mkdtemp(join(tmpdir(), 'gateway-s3-faults-'))
    context.after(() => rm(directory, { recursive: true }))
    const direct = await server.bucket()
    let now = 1_800_000_000_000
    const options = { directory, clock: { now: () => now }, partBytes: 5 * MiB, cacheBytes: 0 }
    const store = await openS3Store({ ...options, bucket: proxy.bucketOf(direct), patience: wait })
    const write = async (content: Buffer | string) => {
      const file = join(await store.scratch('job'), 'f')
      await writeFile(file, content)
      return file
    }
    const passTime = () => {
      now += 3_600_000
    }
    const openOther = () => openS3Store({ ...options, bucket: direct })
    return { store, openOther, direct, write, passTime, now: () => now }
  }

  /** Makes the first `times` attempts of each request (method and URL) fail, with the faults in
   *  turn. */
  function failFirst(faults: readonly Fault[], times: number): void {
    const counts = new Map<string, number>()
    proxy.rule = ({ method, url }) => {
      const request = `${method} ${url}`
      const count = counts.get(request) ?? 0
      counts.set(request, count + 1)
      return count < times ? faults[(count + counts.size) % faults.length] : undefined
    }
  }

  const passing: readonly Fault[] = [
    { status: 503, code: 'SlowDown' },
    { status: 500, code: 'InternalError' },
    { status: 429, code: 'TooManyRequests' },
    { status: 400, code: 'RequestTimeout' },
    'reset',
    'lost-answer',
    'silence',
  ]

  test('throttling, errors, resets, silence and lost answers are retried, for every request', async context => {
    const { store, write, passTime, now } = await open(context)
    for (const bytes of [0, 100_000, 12 * MiB]) {
      failFirst(passing, 4)
      const content = randomBytes(bytes)
      const { key, sha256 } = await store.adopt(await write(content))
      assert.equal(sha256, createHash('sha256').update(content).digest('hex'))
      assert.ok((await buffer(await store.read(key))).equals(content))
      const kept = await store.keep(key)
      passTime()
      await store.remove(key)
      await assert.rejects(store.read(key), { code: 'gone' })
      // The age of a blob that may have been uploaded in parts counts only from a day after the
      // upload began.
      assert.deepEqual(await store.list({ adoptedBefore: now() + 86_400_001, limit: 10 }), [kept])
      assert.ok((await buffer(await store.read(kept))).equals(content))
      assert.equal(await store.mark('marker'), 'marker')
      assert.equal(await store.marker(), 'marker')
      passTime()
      await store.remove(kept)
    }
    assert.ok(proxy.faults > 50, `${proxy.faults} faults`)
  })

  test('after the deadline, the caller gets a 503 with the reason and a time to retry, and the file stays', async context => {
    const { store, write } = await open(context, impatience)
    const { key } = await store.adopt(await write('stored'))
    const file = await write('not stored')
    for (const fault of passing) {
      proxy.rule = () => fault
      const unavailable = {
        code: 'store_unavailable',
        status: 503,
        retryAfterSeconds: 5,
        message: /^The bucket of the files does not answer/,
      }
      const start = performance.now()
      await assert.rejects(store.adopt(file), unavailable)
      await assert.rejects(store.keep(key), unavailable)
      if (fault !== 'lost-answer') await assert.rejects(store.read(key), unavailable)
      assert.ok(performance.now() - start < 20_000)
    }
    assert.match((await store.problem()) ?? '', /^The bucket of the files does not answer/)
    proxy.rule = () => undefined
    assert.equal(await store.problem(), undefined)
    assert.ok(await store.adopt(file))
  })

  test('a service that requests a longer wait than the deadline is not called again', async context => {
    const { store, write } = await open(context, { ...impatience, ...unhurried, deadlineMs: 5_000 })
    proxy.rule = () => ({ status: 503, code: 'SlowDown', retryAfter: '20' })
    await assert.rejects(store.adopt(await write('a')), { code: 'store_unavailable', message: /503, SlowDown/ })
    assert.equal(proxy.faults, 1)
  })

  test('a refusal of the service is not retried, and its reason is named', async context => {
    const { store, write } = await open(context, { ...patience, ...unhurried })
    const cases: [Fault, RegExp][] = [
      [{ status: 403, code: 'AccessDenied' }, /403, AccessDenied\)\. The access key lacks a right\./],
      [{ status: 403, code: 'SignatureDoesNotMatch' }, /The access key is wrong or has expired\./],
      [{ status: 403, code: 'RequestTimeTooSkewed' }, /The clock of this machine is wrong\./],
      [{ status: 501, code: 'NotImplemented' }, /501, NotImplemented/],
      [{ status: 418, code: '<b>' }, /\(status 418\)/],
    ]
    for (const [fault, message] of cases) {
      proxy.faults = 0
      proxy.rule = () => fault
      await assert.rejects(store.adopt(await write('a')), { code: 'store_unavailable', message })
      assert.equal(proxy.faults, 1)
    }
  })

  test('a missing bucket counts as unavailable, and none of its blobs as deleted', async context => {
    const { store, write, direct } = await open(context, { ...impatience, ...unhurried })
    const { key } = await store.adopt(await write('a'))
    const elsewhere = await openS3Store({
      bucket: { ...direct, bucket: 'no-such-bucket' },
      directory: await store.scratch('x'),
      patience: impatience,
    })
    const unavailable = { code: 'store_unavailable', message: /NoSuchBucket/ }
    await assert.rejects(elsewhere.read(key), unavailable)
    await assert.rejects(elsewhere.keep(key), unavailable)
    await assert.rejects(elsewhere.adopt(await write('b')), unavailable)
    await assert.rejects(elsewhere.list({ adoptedBefore: 1, limit: 1 }), unavailable)
  })

  test('a body that is damaged in transit is refused, and sent again', async context => {
    const { store, write } = await open(context)
    for (const bytes of [50_000, 11 * MiB]) {
      const content = randomBytes(bytes)
      const damaged = new Set<string>()
      proxy.faults = 0
      proxy.rule = ({ method, url }) => {
        if (method !== 'PUT' || damaged.has(url)) return undefined
        damaged.add(url)
        return 'damage'
      }
      const { key } = await store.adopt(await write(content))
      assert.ok(proxy.faults >= (bytes > 5 * MiB ? 3 : 1))
      assert.ok((await buffer(await store.read(key))).equals(content))
    }
  })

  test('a download that breaks, stops or ends early is continued at the same byte', async context => {
    const { store, write } = await open(context)
    const content = randomBytes(3 * MiB)
    const { key } = await store.adopt(await write(content))
    for (const ending of ['reset', 'silence', 'end'] as const) {
      let cuts = 0
      proxy.rule = () => (++cuts <= 4 ? { bytes: 200_000 + cuts, ending } : undefined)
      assert.ok((await buffer(await store.read(key))).equals(content), ending)
      // A pause of this process or of the server can cause one more request.
      assert.ok(cuts === 5 || cuts === 6, `${cuts}`)
      cuts = 0
      const range = { start: 1_000_000, end: 2_500_000 }
      assert.ok((await buffer(await store.read(key, range))).equals(content.subarray(range.start, range.end + 1)), `${ending} range`)
      assert.ok(cuts === 5 || cuts === 6, `${cuts}`)
    }
  })

  test('a download that cannot be continued fails, and never ends as if it were complete', async context => {
    const { store, write, passTime, openOther } = await open(context, impatience)
    const content = randomBytes(2 * MiB)
    const { key } = await store.adopt(await write(content))
    for (const ending of ['reset', 'silence', 'end'] as const) {
      proxy.rule = ({ range }) => ({ bytes: range === undefined ? 1_000_000 : 0, ending })
      let bytes = 0
      await assert.rejects(
        async () => {
          for await (const chunk of await store.read(key)) bytes += chunk.length
        },
        { code: 'store_unavailable' },
      )
      // With the ending `end`, the answer announces no length, so the store refuses it before it
      // reads the first byte.
      assert.equal(bytes, ending === 'end' ? 0 : 1_000_000, ending)
      await assert.rejects(store.localFile(key, await store.scratch('job')), { code: 'store_unavailable' })
    }
    // In this case the object is deleted during the download.
    passTime()
    proxy.rule = ({ range }) => (range === undefined ? { bytes: 1_000_000, ending: 'reset' } : undefined)
    const stream = await store.read(key)
    await (await openOther()).remove(key)
    await assert.rejects(buffer(stream), { code: 'gone' })
  })

  test('half of a page is not taken for the last page of a list', async context => {
    const { store, write, now } = await open(context)
    const keys: string[] = []
    for (let index = 0; index < 20; index++) keys.push((await store.adopt(await write(`${index}`))).key)
    let cuts = 0
    proxy.rule = ({ method, url }) =>
      method === 'GET' && url.includes('list-type') && ++cuts <= 3 ? { bytes: 1_000 * cuts, ending: 'end' } : undefined
    assert.deepEqual(await store.list({ adoptedBefore: now() + 1, limit: 100 }), keys.sort())
    assert.equal(cuts, 4)
  })

  test('an upload whose parts the service has lost is repeated, also when the service reports success', async context => {
    const { store, write } = await open(context, { ...impatience, ...unhurried })
    const lies: Fault[] = [
      { text: '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>' },
      { status: 404, code: 'NoSuchUpload' },
    ]
    for (const lie of lies) {
      proxy.faults = 0
      proxy.rule = ({ method, url }) => (method === 'POST' && url.includes('uploadId=') && proxy.faults < 2 ? lie : undefined)
      const content = randomBytes(7 * MiB)
      const { key } = await store.adopt(await write(content))
      assert.equal(proxy.faults, 2)
      assert.ok((await buffer(await store.read(key))).equals(content))
    }
    proxy.rule = ({ method, url }) => (method === 'POST' && url.includes('uploadId=') ? lies[0] : undefined)
    await assert.rejects(store.adopt(await write(randomBytes(7 * MiB))), { code: 'store_unavailable', message: /lost an upload/ })
  })

  test('a failed upload in parts leaves nothing behind, and an abandoned one is removed later', async context => {
    const { store, write, direct } = await open(context, { ...impatience, ...unhurried })
    proxy.rule = ({ url }) => (url.includes('partNumber=3') ? { status: 500, code: 'InternalError' } : undefined)
    await assert.rejects(store.adopt(await write(randomBytes(12 * MiB))), { code: 'store_unavailable' })
    const client = new S3Client(direct, usualPatience)
    const prefix = `${direct.prefix}blobs/`
    const uploads = () => client.text({ method: 'GET', key: '', query: { uploads: '', prefix } })
    await until(async () => !(await uploads()).text.includes('<Upload>'), 'the parts are removed')
    await beginUpload(client, `${prefix}a`)
    await beginUpload(client, 'other/prefix')
    assert.equal(await abortUploads(client, { prefix, before: Date.now() - 60_000 }), 0)
    assert.equal(await abortUploads(client, { prefix, before: Date.now() + 60_000 }), 1)
    assert.equal(await abortUploads(client, { prefix: '', before: Date.now() + 60_000 }), 1)
  })
})
