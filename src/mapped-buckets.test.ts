import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { createMappedBuckets } from './mapped-buckets.ts'
import { S3Client } from './stores/s3/client.ts'
import { fetchFile } from './stores/s3/files-in-bucket.ts'
import { usualPatience } from './stores/s3/retry.ts'
import { startService } from './stores/s3/testing/service.ts'

const key = 'a'.repeat(64)
const impatience = { ...usualPatience, deadlineMs: 0 }

/** Answers HEAD with the length 4, and GET with the first bytes of an object that is longer now. */
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
  const puts: string[] = []
  const { bucket, directory, connections } = await startService(context, (request, response) => {
    if (request.method !== 'PUT') return grown(request, response)
    puts.push(request.url ?? '')
    request.resume().on('end', () => setTimeout(() => response.writeHead(200, { 'content-length': 0 }).end(), 50))
  })
  const file = join(directory, 'video')
  await writeFile(file, 'longer')
  const blobs = { localFile: async () => file, scratch: () => mkdtemp(join(directory, 'scratch-')) }
  const env = { KEY: 'id', SECRET: 'secret' }
  const mapped = { name: 'clips', url: `s3://media?endpoint=${bucket.endpoint.origin}`, access_key_env: 'KEY', secret_key_env: 'SECRET' }
  const buckets = createMappedBuckets({ blobs, env, outbound: directOutbound })
  for (let call = 0; call < 5; call++) await buckets.put({ ...mapped }, 'run/a.mp4', { key, bytes: 4 })
  assert.deepEqual([connections(), puts], [1, []])
  await Promise.all(Array.from({ length: 5 }, () => buckets.put({ ...mapped }, 'run/b.mp4', { key, bytes: 6 })))
  assert.deepEqual(puts, ['/media/run/b.mp4'])
})
