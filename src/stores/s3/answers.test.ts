/** Tests how the store handles single answers of a service. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { hourMs } from '@generation-gateway/kit/units.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { S3Client } from './client.ts'
import { lengthOf, putObject } from './objects.ts'
import { openS3Store } from './open.ts'
import { usualPatience } from './retry.ts'
import { startService } from './testing/service.ts'

const key = 'a'.repeat(64)
const impatience = { ...usualPatience, deadlineMs: 0 }

test('the check of a silent bucket ends after two seconds', async context => {
  const { bucket, directory } = await startService(context, () => {})
  const store = await openS3Store({ bucket, directory })
  const startedAt = performance.now()
  assert.match((await store.problem()) ?? '', /it makes no progress/)
  assert.ok(performance.now() - startedAt < 8_000, `${performance.now() - startedAt} ms`)
})

test('the 404 of a load balancer without a service does not mean that a blob is deleted', async context => {
  let text = '404 page not found\n'
  const { bucket, directory } = await startService(context, (_request, response) => void response.writeHead(404).end(text))
  const store = await openS3Store({ bucket, directory, patience: impatience })
  const later = { code: 'store_unavailable' }
  await assert.rejects(store.read(key), later)
  await assert.rejects(store.remove(key), later)
  await assert.rejects(store.marker(), later)
  assert.match((await store.problem()) ?? '', /status 404/)
  text = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>'
  await assert.rejects(store.read(key), { code: 'gone' })
  await store.remove(key)
})

test('short requests do not wait for long bodies', async context => {
  let puts = 0
  const answer = Promise.withResolvers<void>()
  const { bucket } = await startService(context, async (request, response) => {
    request.resume()
    if (request.method === 'PUT') {
      puts += 1
      await answer.promise
    }
    response.writeHead(200, { 'content-length': 0 }).end()
  })
  const client = new S3Client(bucket, usualPatience)
  const bytes = Buffer.alloc(5 * 1024 * 1024)
  const body = { bytes: bytes.length, sha256: key, open: () => bytes }
  const sent = Array.from({ length: 70 }, (_, index) => putObject(client, `long-${index}`, body))
  await until(() => puts >= 64 || undefined, '64 long bodies')
  assert.equal(await lengthOf(client, 'short'), 0)
  answer.resolve()
  await Promise.all(sent)
  assert.equal(puts, 70)
})

test('a download that is destroyed before it is read releases its connection', async context => {
  let open = 0
  const { bucket, directory } = await startService(context, (_request, response) => {
    open += 1
    response.once('close', () => {
      open -= 1
    })
    // The body never ends, so that only the client can end the answer.
    response.writeHead(200, { 'content-length': 1_000_000 }).write('begun')
  })
  const store = await openS3Store({ bucket, directory })
  const unread = await store.read(key)
  assert.equal(open, 1)
  unread.destroy()
  await until(() => open === 0, 'the end of the connection')
})

/** Returns a listener that serves one object. `condition` says how it treats the header
 *  `if-none-match` of a write: it obeys the header, refuses it as unknown, or ignores it. */
function oneObject(condition: 'respected' | 'unknown' | 'ignored'): RequestListener {
  let stored: Buffer | undefined
  return async (request, response) => {
    const body = await buffer(request)
    const refuse = (status: number, code: string) => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    const isConditional = request.headers['if-none-match'] === '*' && condition !== 'ignored'
    if (request.method === 'GET') return stored ? response.end(stored) : refuse(404, 'NoSuchKey')
    if (isConditional && condition === 'unknown') return refuse(501, 'NotImplemented')
    if (isConditional && stored) return refuse(412, 'PreconditionFailed')
    stored = body
    return response.end()
  }
}

for (const condition of ['respected', 'unknown', 'ignored'] as const)
  test(`two databases that mark one prefix at the same time read the same marker: If-None-Match is ${condition}`, async context => {
    const { bucket, directory } = await startService(context, oneObject(condition))
    const stores = await Promise.all([1, 2].map(() => openS3Store({ bucket, directory })))
    const [one, other] = await Promise.all(stores.map((store, index) => store.mark(`database-${index}`)))
    assert.equal(one, other)
    assert.equal(await stores[0]?.marker(), one)
  })

test('a failed upload does not wait until its parts are removed', async context => {
  const aborted = Promise.withResolvers<void>()
  const { bucket, directory } = await startService(context, async (request, response) => {
    await buffer(request)
    if (request.method === 'DELETE') return aborted.resolve()
    if (request.method === 'POST') response.end('<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>')
    else response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
  })
  const store = await openS3Store({ bucket, directory, partBytes: 4 })
  const file = join(directory, 'file')
  await writeFile(file, 'in parts')
  await assert.rejects(store.adopt(file), { code: 'store_unavailable', message: /AccessDenied/ })
  await aborted.promise
})

test('a blob whose upload in parts took hours does not count as orphaned, and one that took a day is not adopted', async context => {
  const clock = createFakeClock()
  const sizes = new Map<string, number>()
  let uploadMs = 2 * hourMs
  const { bucket, directory } = await startService(context, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', bucket.endpoint)
    const key = pathname.slice('/media/'.length)
    const body = await buffer(request)
    if (request.method === 'HEAD') response.setHeader('content-length', sizes.get(key) ?? 0).end()
    else if (searchParams.has('list-type')) response.end(listing(sizes))
    else if (searchParams.has('uploadId')) {
      if (request.method === 'PUT') sizes.set(key, (sizes.get(key) ?? 0) + body.length)
      if (request.method === 'POST') clock.step(uploadMs)
      response.setHeader('etag', '"1"').end()
    } else if (request.method === 'POST') response.end('<X><UploadId>u1</UploadId></X>')
    else if (request.method === 'GET') response.end('<ListMultipartUploadsResult></ListMultipartUploadsResult>')
    else {
      sizes.set(key, body.length)
      response.end()
    }
  })
  const store = await openS3Store({ bucket, directory, clock, partBytes: 4 })
  const adopt = async (text: string) => {
    const file = join(directory, 'file')
    await writeFile(file, text)
    return store.adopt(file)
  }
  const orphans = () => store.list({ adoptedBefore: clock.now() - hourMs, limit: 10 })
  const short = await adopt('one')
  const long = await adopt('in parts')
  assert.deepEqual(await orphans(), [short.key])
  clock.step(24 * hourMs)
  assert.deepEqual(await orphans(), [short.key, long.key])
  uploadMs = 24 * hourMs
  await assert.rejects(adopt('in parts, slowly'), { code: 'store_unavailable', message: /longer than a day/ })
})

function listing(sizes: ReadonlyMap<string, number>): string {
  const rows = [...sizes].map(([key, bytes]) => `<Contents><Key>${key}</Key><Size>${bytes}</Size></Contents>`)
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${rows.join('')}</ListBucketResult>`
}
