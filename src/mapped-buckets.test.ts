import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { toGatewayError } from '@generation-gateway/kit/errors.ts'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import type { MappedBucket } from './core/ports/buckets.ts'
import { checkMappedBucket, createMappedBuckets, warnOfBuckets } from './mapped-buckets.ts'
import { S3Client } from './stores/s3/client.ts'
import { fetchFile } from './stores/s3/files-in-bucket.ts'
import { usualPatience } from './stores/s3/retry.ts'
import { startService } from './stores/s3/testing/service.ts'
import { hashInParts, uploadFile } from './stores/s3/upload.ts'

const key = 'a'.repeat(64)
const impatience = { ...usualPatience, deadlineMs: 0 }

/** An object that has grown after the gateway read its length: HEAD states the length 4, and GET
 *  returns the first of 1,000,000 bytes. */
const grown: RequestListener = (request, response) => {
  const [, end] = /^bytes=0-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const bytes = Buffer.alloc(end === undefined ? 1_000_000 : Number(end) + 1, 'x')
  if (request.method === 'HEAD') response.writeHead(200, { 'content-length': 4 }).end()
  else if (end === undefined) response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
  else response.writeHead(206, { 'content-length': bytes.length, 'content-range': `bytes 0-${end}/1000000` }).end(bytes)
}

test('an object that becomes longer while it is fetched does not become a longer file', async context => {
  const { bucket, directory } = await startService(context, grown)
  const toFile = join(directory, 'fetched')
  assert.equal(await fetchFile(new S3Client(bucket, impatience), 'in/a', { toFile, maxBytes: 10 }), 4)
  assert.equal(await readFile(toFile, 'utf8'), 'xxxx')
})

test('a file that cannot be made fails its call and not the process; one without bytes is not begun', async context => {
  let status = 200
  const { bucket, directory } = await startService(context, (request, response) => {
    if (request.method === 'HEAD' || status === 200) setTimeout(() => grown(request, response), 50)
    else response.writeHead(status).end('<Error><Code>InvalidObjectState</Code></Error>')
  })
  const client = new S3Client(bucket, impatience)
  const nowhere = join(directory, 'missing', 'fetched')
  await assert.rejects(fetchFile(client, 'in/a', { toFile: nowhere, maxBytes: 10 }), { code: 'store_unavailable' })
  status = 403
  const toFile = join(directory, 'fetched')
  await assert.rejects(fetchFile(client, 'in/a', { toFile, maxBytes: 10 }), { code: 'store_unavailable' })
  assert.equal(existsSync(toFile), false)
})

test('calls of a mapped bucket share connections, and those at once one write', async context => {
  const puts: (string | undefined)[] = []
  const { bucket, directory, connections } = await startService(context, (request, response) => {
    if (request.method !== 'PUT') return grown(request, response)
    puts.push(request.url, request.headers['content-type'])
    request.resume().on('end', () => setTimeout(() => response.writeHead(200, { 'content-length': 0 }).end(), 50))
  })
  const file = join(directory, 'video')
  await writeFile(file, 'longer')
  const blobs = { localFile: async () => file, scratch: () => mkdtemp(join(directory, 'scratch-')) }
  const env = { KEY: 'id', SECRET: 'secret' }
  const mapped = { name: 'clips', url: `s3://media?endpoint=${bucket.endpoint.origin}`, access_key_env: 'KEY', secret_key_env: 'SECRET' }
  const buckets = createMappedBuckets({ blobs, env, outbound: directOutbound })
  for (let call = 0; call < 5; call++) await buckets.put({ ...mapped }, 'run/a.mp4', { key, bytes: 4, mediaType: 'video/mp4' })
  assert.deepEqual([connections(), puts], [1, []])
  await Promise.all(Array.from({ length: 5 }, () => buckets.put({ ...mapped }, 'run/b.mp4', { key, bytes: 6, mediaType: 'video/mp4' })))
  assert.deepEqual(puts, ['/media/run/b.mp4', 'video/mp4'])
})

test('a long video has its content type, too', async context => {
  const begun: (string | undefined)[] = []
  const { bucket, directory } = await startService(context, (request, response) => {
    if (request.method === 'POST') begun.push(request.headers['content-type'])
    request.resume().on('end', () => response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'))
  })
  const file = join(directory, 'video')
  await writeFile(file, 'in parts')
  const hashed = await hashInParts(file, 4)
  const uploaded = uploadFile(new S3Client(bucket, impatience), 'run/c.mp4', hashed, 'video/mp4')
  await assert.rejects(uploaded, { code: 'AccessDenied' })
  assert.deepEqual(begun, ['video/mp4'])
})

test('a bucket that is missing is not taken for a missing object, whose HEAD is the same', async context => {
  let code = 'NoSuchBucket'
  const { bucket, directory } = await startService(context, (request, response) =>
    response.writeHead(404).end(request.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code></Error>`),
  )
  const client = new S3Client(bucket, impatience)
  const target = { toFile: join(directory, 'fetched'), maxBytes: 10 }
  await assert.rejects(fetchFile(client, 'in/a', target), { code: 'store_unavailable', message: /NoSuchBucket/ })
  code = 'NoSuchKey'
  assert.equal(await fetchFile(client, 'in/a', target), undefined)
})

test('a caller learns that a bucket cannot be used, and only the log and the operator learn why', async () => {
  const mapped = {
    name: 'clips',
    url: 's3://media?endpoint=http://127.0.0.1:1',
    access_key_env: 'CLIPS_KEY',
    secret_key_env: 'CLIPS_SECRET',
  }
  const wrong: [env: Record<string, string>, bucket: MappedBucket, reason: RegExp][] = [
    [{}, mapped, /the variable CLIPS_KEY is not set/],
    [{ CLIPS_KEY: 'id', CLIPS_SECRET: 'secret' }, { ...mapped, url: 'http://media' }, /must begin with s3/],
    [{ AWS_SHARED_CREDENTIALS_FILE: '/nowhere/keys' }, { name: 'clips', url: mapped.url }, /nowhere\/keys/],
  ]
  const blobs = { localFile: async () => '', scratch: async () => '' }
  for (const [env, bucket, reason] of wrong) {
    const fetched = createMappedBuckets({ blobs, env, outbound: directOutbound }).fetch(bucket, 'in/a', { toFile: '/nowhere', maxBytes: 1 })
    const error = await fetched.then(
      () => assert.fail(),
      caught => toGatewayError(caught),
    )
    assert.deepEqual([error.code, error.message, error.field], ['store_unavailable', 'The bucket clips cannot be used now.', undefined])
    assert.match(String(error.cause), reason)
    await assert.rejects(checkMappedBucket(bucket, { env, outbound: directOutbound }), { message: reason })
  }
})

test('the check of a bucket leaves nothing there, and says what is missing', async context => {
  const requests: string[] = []
  let isRefusing = false
  const { bucket } = await startService(context, (request, response) => {
    requests.push(`${request.method} ${request.url?.replace(/doctor-[\w-]+/, 'object')}`)
    if (request.method === 'POST' && isRefusing) return response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    if (request.method === 'POST')
      return response.end('<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>')
    if (request.method === 'DELETE') return response.writeHead(204).end()
    if (request.url?.includes('list-type')) return response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>')
    return response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  })
  const env = { KEY: 'id', SECRET: 'secret' }
  const mapped = {
    name: 'clips',
    url: `s3://media/out?endpoint=${bucket.endpoint.origin}`,
    access_key_env: 'KEY',
    secret_key_env: 'SECRET',
  }
  await checkMappedBucket(mapped, { env, outbound: directOutbound })
  assert.deepEqual(requests, [
    'GET /media?list-type=2&prefix=out%2F&max-keys=1',
    'GET /media/out/object',
    'POST /media/out/object?uploads=',
    'DELETE /media/out/object?uploadId=u1',
  ])
  isRefusing = true
  await assert.rejects(checkMappedBucket(mapped, { env, outbound: directOutbound }), {
    code: 'store_unavailable',
    message: /^The bucket s3:\/\/media\/out at http:\S+ does not let this gateway write an object: .*The access key lacks a right\.$/,
  })
  const warned: object[] = []
  await warnOfBuckets(['named-only', mapped], { env, outbound: directOutbound, log: { warn: (fields: object) => warned.push(fields) } })
  assert.deepEqual(
    warned.map(fields => Object(fields).bucket),
    ['clips'],
  )
})
