import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, type TestContext, test } from 'node:test'
import { runCommand } from '../../testing/program.ts'
import { openFileStore } from '../files/open.ts'
import { exportStore } from '../moving/export.ts'
import { importStore } from '../moving/import.ts'
import { fillStore } from '../moving/testing/full-store.ts'
import type { BlobsPlace } from '../open-blobs.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import type { S3Bucket } from './bucket.ts'
import { checkBucketRights } from './check.ts'
import { S3Client } from './client.ts'
import { listObjects } from './objects.ts'
import { openS3Store } from './open.ts'
import { usualPatience } from './retry.ts'
import { needS3, type S3Server, settingsFor, startS3 } from './testing/server.ts'

const secretKey = Buffer.alloc(32, 7)
const progress = { show: () => {}, clear: () => {} }
const pictures = 20
const { skip } = needS3()

describe('moving from and to a bucket', { skip }, () => {
  let server: S3Server
  before(async () => {
    server = await startS3()
  })
  after(() => server?.stop())

  async function temporary(context: TestContext): Promise<string> {
    const root = await mkdtemp(join(tmpdir(), 'gateway-s3-moving-'))
    context.after(() => rm(root, { recursive: true }))
    return root
  }

  const inBucket = (bucket: S3Bucket): BlobsPlace => ({ bucket, isRedirecting: false, cacheBytes: 0 })
  const inFolder = (dataDir: string): BlobsPlace => ({ folder: join(dataDir, 'blobs'), isShared: false })
  const settings = (dataDir: string) => ({ dataDir, databaseUrl: undefined, nodeName: 'n' })
  const exporting = (dataDir: string, blobs: BlobsPlace, folder: string) =>
    exportStore({ settings: settings(dataDir), blobs, folder, secretKey, withBlobs: true, program: '1', progress })
  const importing = (dataDir: string, blobs: BlobsPlace, folder: string) =>
    importStore({ settings: settings(dataDir), blobs, folder, secretKey, progress })

  /** Fills a data folder and a bucket. Two of the stored files have equal content. */
  async function fill(dataDir: string, bucket: S3Bucket): Promise<void> {
    const store = await openSqliteStore({ directory: dataDir, secretKey })
    const blobs = await openS3Store({ bucket, directory: dataDir })
    await fillStore(store, blobs, pictures)
    for (const id of ['same-1', 'same-2']) {
      const file = join(await blobs.scratch('job'), 'f')
      await writeFile(file, 'equal content')
      const { key, sha256 } = await blobs.adopt(file)
      const owner = { accountId: 'account-1', family: 'K', endpoint: 'default', purpose: 'reference' }
      await store.files.put({ ...owner, id, key, sha256, facts: { mediaType: 'text/plain', bytes: 13 }, createdAt: 1, expiresAt: 9e12 })
    }
    await store.close()
  }

  /** Returns the hash and the bytes of each blob that a row names. */
  async function contents(dataDir: string, blobs: { read(key: string): Promise<NodeJS.ReadableStream> }): Promise<string[]> {
    const store = await openSqliteStore({ directory: dataDir, secretKey })
    const found: string[] = []
    for (const { artifacts } of await store.list({ limit: 100 }))
      for (const { id } of artifacts) {
        const blob = await store.blob(id)
        found.push(`${id} ${blob?.sha256} ${(await buffer(await blobs.read(blob?.key ?? ''))).toString('hex')}`)
      }
    for (const id of ['same-1', 'same-2']) {
      const file = await store.files.get({ accountId: 'account-1', family: 'K' }, id, 1)
      found.push(`${id} ${(await buffer(await blobs.read(file?.key ?? ''))).toString()}`)
    }
    await store.close()
    return found
  }

  test('an archive of a bucket can be imported into a folder and another bucket, with equal content stored once', async context => {
    const root = await temporary(context)
    const [source, folder, target, archive, second] = ['source', 'folder', 'target', 'archive', 'second'].map(name => join(root, name)) as [
      string,
      string,
      string,
      string,
      string,
    ]
    const [from, to] = [await server.bucket(), await server.bucket()]
    await fill(source, from)
    const { blobs } = await exporting(source, inBucket(from), archive)
    assert.deepEqual([blobs.blobs, blobs.missing], [pictures + 3, []])
    const expected = await contents(source, await openS3Store({ bucket: from, directory: source }))
    assert.equal(expected.length, pictures + 2)

    await importing(folder, inFolder(folder), archive)
    assert.deepEqual(await contents(folder, await openFileStore({ directory: folder })), expected)
    await importing(target, inBucket(to), archive)
    const moved = await openS3Store({ bucket: to, directory: target })
    assert.deepEqual(await contents(target, moved), expected)
    assert.equal((await moved.list({ adoptedBefore: Number.POSITIVE_INFINITY, limit: 100 })).length, pictures + 3)

    await exporting(target, inBucket(to), second)
    const sums = async (each: string) => JSON.parse(await readFile(join(each, 'archive.json'), 'utf8'))
    assert.equal((await sums(second)).blobs, (await sums(archive)).blobs)
    for (const prefix of await readdir(join(archive, 'blobs')))
      assert.deepEqual(await readdir(join(second, 'blobs', prefix)), await readdir(join(archive, 'blobs', prefix)))
  })

  test('an import writes nothing into a bucket that belongs to another database, and marks a free one', async context => {
    const root = await temporary(context)
    const [source, archive, target] = ['source', 'archive', 'target'].map(name => join(root, name)) as [string, string, string]
    const [from, taken, free] = [await server.bucket(), await server.bucket(), await server.bucket()]
    await fill(source, from)
    await exporting(source, inBucket(from), archive)
    const other = await openS3Store({ bucket: taken, directory: root })
    await other.mark('of-another-database')
    await assert.rejects(importing(target, inBucket(taken), archive), { code: 'store_unavailable', message: /belongs to another database/ })
    assert.deepEqual(await other.list({ adoptedBefore: Number.POSITIVE_INFINITY, limit: 1 }), [])
    assert.equal((await importing(target, inBucket(free), archive)).isContinued, true)
    const opened = await openSqliteStore({ directory: target, secretKey })
    context.after(() => opened.close())
    const blobs = await openS3Store({ bucket: free, directory: target })
    assert.deepEqual(JSON.parse((await opened.membership.fact('blobs')) ?? '{}'), { id: await blobs.marker(), isWritten: true })
  })

  test('a blob that the bucket has lost or damaged is named, and is not in the archive', async context => {
    const root = await temporary(context)
    const [source, archive] = [join(root, 'source'), join(root, 'archive')]
    const bucket = await server.bucket()
    await fill(source, bucket)
    const blobs = await openS3Store({ bucket, directory: source, keepAdoptedMs: -1_000 })
    const [lost = ''] = await blobs.list({ adoptedBefore: Number.POSITIVE_INFINITY, limit: 1 })
    await blobs.remove(lost)
    const { blobs: copies } = await exporting(source, inBucket(bucket), archive)
    assert.deepEqual(copies.missing, [lost.slice(-64)])
    await importing(join(root, 'target'), inFolder(join(root, 'target')), archive)
  })

  test('doctor tests the buckets that the configuration file maps', async context => {
    const root = await temporary(context)
    const bucket = await server.bucket()
    const config = join(root, 'gateway.yaml')
    const entry = (name: string, host: string, key = '') =>
      `  - { name: ${name}, url: "s3://${host}?endpoint=${server.endpoint.origin}"${key} }\n`
    const keys = ', access_key_env: NOT_SET, secret_key_env: NOT_SET'
    const entries = [
      '  - named-only\n',
      entry('clips', bucket.bucket),
      entry('gone', 'no-such-bucket'),
      entry('keyless', bucket.bucket, keys),
    ]
    await writeFile(config, `buckets:\n${entries.join('')}`)
    const { GATEWAY_BLOBS_URL: _, ...env } = settingsFor(bucket)
    const shown = await runCommand(['doctor'], { ...env, GATEWAY_DATA_DIR: join(root, 'data'), GATEWAY_CONFIG: config })
    assert.match(shown, /^bucket clips +ok +s3:\S+, can be listed, read and written$/m)
    assert.match(
      shown,
      /^bucket gone +unusable +The bucket s3:\/\/no-such-bucket at http:\S+ does not let this gateway list objects: .*NoSuchBucket/m,
    )
    assert.match(shown, /^bucket keyless +unusable +the variable NOT_SET is not set\.$/m)
    assert.deepEqual((await listObjects(new S3Client(bucket, usualPatience), { prefix: '', after: '', limit: 10 })).objects, [])
  })

  test('backup and restore are refused by name, and doctor tests the bucket', async context => {
    const root = await temporary(context)
    const bucket = await server.bucket()
    const env = { GATEWAY_DATA_DIR: join(root, 'data'), ...settingsFor(bucket) }
    for (const command of ['backup', 'restore'])
      await assert.rejects(
        runCommand([command, join(root, 'copy')], env),
        new RegExp(`gateway ${command} is for a data folder .* bucket s3://${bucket.bucket}/in/here`),
      )
    assert.match(
      await runCommand(['doctor'], env),
      new RegExp(`bucket +ok +bucket s3://${bucket.bucket}/in/here at http://127.0.0.1:\\d+, can be written`),
    )
    await assert.rejects(runCommand(['doctor'], { ...env, AWS_SECRET_ACCESS_KEY: 'wrong' }), /What is wrong above/)
    const wrong = { ...bucket, credentials: () => ({ accessKeyId: 'testkey', secretAccessKey: 'wrong' }) }
    const message = /does not let this gateway write an object: .*SignatureDoesNotMatch.* The access key is wrong/
    await assert.rejects(checkBucketRights(wrong), { code: 'store_unavailable', message })
    const elsewhere = { ...bucket, bucket: 'no-such-bucket' }
    await assert.rejects(checkBucketRights(elsewhere), { code: 'store_unavailable', message: /NoSuchBucket/ })
  })
})
