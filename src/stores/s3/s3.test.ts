import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, type TestContext, test } from 'node:test'
import { openScratch } from '../files/scratch.ts'
import { blobStoreSuite } from '../suite/blobs.ts'
import { S3Client } from './client.ts'
import { getText, putText } from './objects.ts'
import { openS3Store } from './open.ts'
import { usualPatience } from './retry.ts'
import { needS3, type S3Server, startS3 } from './testing/server.ts'

const hour = 3600 * 1000
const { skip } = needS3()

describe('S3', { skip }, () => {
  let server: S3Server
  before(async () => {
    server = await startS3()
  })
  after(() => server.stop())

  blobStoreSuite('s3', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gateway-blobs-'))
    let now = 1_800_000_000_000
    const clock = { now: () => now }
    const bucket = await server.bucket()
    let scratch = await openScratch(directory, 'node')
    // S3 accepts no parts shorter than 5 MiB, except the last one.
    const open = () => openS3Store({ bucket, directory, scratchFolder: scratch.folder, clock, partBytes: 5 * 1024 * 1024 })
    return {
      blobs: await open(),
      passTime() {
        now += hour
      },
      now: clock.now,
      async reopen() {
        await scratch.close()
        scratch = await openScratch(directory, 'node')
        return open()
      },
      async dispose() {
        await scratch.close()
        await rm(directory, { recursive: true })
      },
    }
  })

  async function temporary(context: TestContext): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'gateway-blobs-'))
    context.after(() => rm(directory, { recursive: true }))
    return directory
  }

  test('other objects of the bucket are neither listed nor removed, however many there are', async context => {
    const directory = await temporary(context)
    const bucket = await server.bucket()
    const client = new S3Client(bucket, usualPatience)
    const store = await openS3Store({ bucket, directory, keepAdoptedMs: -hour })
    const brought = 'f'.repeat(64)
    const names = [`${bucket.prefix}blobs/../a`, 'in/here.txt', 'in/hereafter/blobs/b', 'zzz', `blobs/${brought}`]
    // One page of a listing has at most 1,000 keys, so these keys take two pages.
    const many = Array.from({ length: 1_050 }, (_, index) => `${bucket.prefix}blobs/01a/${index}`)
    const foreign = [...names.slice(1), ...many]
    for (let at = 0; at < foreign.length; at += 50) await Promise.all(foreign.slice(at, at + 50).map(name => putText(client, name, name)))
    await putText(client, `${bucket.prefix}blobs/${brought}`, 'brought by an import')
    const keys: string[] = []
    for (const content of ['a', 'b']) {
      const file = join(await store.scratch('job'), 'f')
      await writeFile(file, content)
      keys.push((await store.adopt(file)).key)
    }
    const all = await store.list({ adoptedBefore: Date.now() + hour, limit: 10 })
    assert.deepEqual(all, [...keys.sort(), brought])
    assert.deepEqual(await store.list({ adoptedBefore: Date.now() + hour, limit: 10, after: keys[0] ?? '' }), all.slice(1))
    assert.deepEqual(await store.list({ adoptedBefore: Date.now() - hour, limit: 10 }), [])
    for (const key of [...all, ...names, 'zzz', '../../zzz']) await store.remove(key).catch(() => {})
    assert.deepEqual(await store.list({ adoptedBefore: Date.now() + hour, limit: 10 }), [])
    for (const name of foreign.slice(0, 10)) assert.equal(await getText(client, name), name)
  })

  test('credentials that were replaced in their file are read again', async context => {
    const directory = await temporary(context)
    const bucket = await server.bucket()
    const valid = bucket.credentials()
    let current = valid
    const store = await openS3Store({ bucket: { ...bucket, credentials: () => current }, directory, isRedirecting: true })
    const adopt = async () => {
      const file = join(await store.scratch('job'), 'f')
      await writeFile(file, 'content')
      return (await store.adopt(file)).key
    }
    current = { ...valid, secretAccessKey: 'expired' }
    await assert.rejects(adopt(), { code: 'store_unavailable', message: /The access key is wrong or has expired/ })
    current = valid
    const key = await adopt()
    assert.equal((await buffer(await store.read(key))).toString(), 'content')
    const link = await store.directLink(key, { mediaType: 'text/plain', disposition: 'inline', seconds: 5 })
    assert.equal(await (await fetch(link ?? '')).text(), 'content')
    assert.equal(await store.directLink(key, { mediaType: 'text/plain', disposition: 'inline', seconds: 0.5 }), undefined)
  })
})
