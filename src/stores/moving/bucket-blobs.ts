/** Copies the blobs to which rows of a database refer between a bucket and a folder. In the
 *  folder, the path of a blob is `ab/cdef...`. */
import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { hashFolders, syncFolder } from '../files/folders.ts'
import { hashFile } from '../files/hash.ts'
import type { S3Bucket } from '../s3/bucket.ts'
import { S3Client } from '../s3/client.ts'
import { download } from '../s3/download.ts'
import { blobFault } from '../s3/faults.ts'
import { isKey, sha256Of } from '../s3/keys.ts'
import { lengthOf } from '../s3/objects.ts'
import { usualPatience } from '../s3/retry.ts'
import { blobsFolder } from '../s3/store.ts'
import { hashInParts, uploadFile, usualPartBytes } from '../s3/upload.ts'
import type { Connection } from '../sql/statements.ts'
import { type BlobCopies, blobFile, type CopyOptions, type NamedKey, namedKeys, prepareFolder } from './blobs.ts'
import { HashSet } from './hash-set.ts'

/** Largest number of requests at a time. */
const atOnce = 8

type BucketCopy = Omit<CopyOptions, 'from' | 'to'>

/** Copies the blobs to which rows refer from a bucket into a folder, and checks the SHA-256 of
 *  each. The SHA-256 becomes the key of the blob in the folder, so equal content is copied only
 *  once. A blob that the folder has already is not copied again. Throws `store_unavailable` and
 *  the errors of the file system. */
export async function copyFromBucket(bucket: S3Bucket, to: string, { connection, onBlob }: BucketCopy): Promise<BlobCopies> {
  const moving = await prepareFolder(to)
  const client = new S3Client(bucket, usualPatience)
  const done = await copyNamed({ connection, onBlob }, async ({ key }) => {
    if (!isKey(key)) return undefined
    const target = blobFile(to, sha256Of(key))
    const there = await stat(target).catch(() => undefined)
    if (there) return { sha256: sha256Of(key), bytes: there.size }
    // Two keys of equal content may arrive at once, so each is written to a file of its own.
    const half = join(moving, `copy-${key}`)
    const bytes = await fetchChecked(client, key, half)
    if (bytes === undefined) return undefined
    await rename(half, target)
    return { sha256: sha256Of(key), bytes }
  })
  for (const prefix of hashFolders) await syncFolder(join(to, prefix))
  return done
}

/** Returns the number of bytes; undefined when the bucket lacks the blob, or when the blob's bytes
 *  do not match the hash in its key. */
async function fetchChecked(client: S3Client, key: string, file: string): Promise<number | undefined> {
  try {
    await pipeline(await download(client, client.bucket.prefix + blobsFolder + key), createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'gone') return undefined
    throw error
  }
  const handle = await open(file, 'r+')
  try {
    const { sha256, bytes } = await hashFile(handle)
    await handle.sync()
    if (sha256 === sha256Of(key)) return bytes
  } finally {
    await handle.close()
  }
  await rm(file)
  return undefined
}

/** Copies the blobs that rows name from a folder into a bucket, each under its SHA-256. A blob that
 *  the bucket has already, of the same length, is not copied again. Throws `store_unavailable` and
 *  the errors of the file system. */
export async function copyToBucket(from: string, bucket: S3Bucket, options: BucketCopy): Promise<BlobCopies> {
  const client = new S3Client(bucket, usualPatience)
  return copyNamed(options, async ({ key }) => {
    if (!isKey(key)) return undefined
    const hashed = await hashInParts(blobFile(from, key), usualPartBytes).catch(error => {
      if (Object(error).code === 'ENOENT') return undefined
      throw error
    })
    if (hashed?.sha256 !== key) return undefined
    const object = bucket.prefix + blobsFolder + key
    if ((await lengthOf(client, object)) !== hashed.bytes) await uploadFile(client, object, hashed)
    return hashed
  })
}

/** Returns the keys to which rows refer, but whose blob is missing from the bucket, or has
 *  another length there than the row states. */
export async function checkBucket(bucket: S3Bucket, options: BucketCopy): Promise<string[]> {
  const client = new S3Client(bucket, usualPatience)
  const { missing } = await copyNamed(options, async ({ key, bytes }) => {
    if (!isKey(key)) return undefined
    const found = await lengthOf(client, bucket.prefix + blobsFolder + key)
    return found !== undefined && found === (bytes ?? found) ? { sha256: sha256Of(key), bytes: found } : undefined
  })
  return missing
}

/** Calls `copy` for each key to which rows refer, several at a time. `copy` returns undefined
 *  for a blob that is missing or damaged; equal content counts once. */
async function copyNamed(
  { connection, onBlob }: { connection: Connection; onBlob: CopyOptions['onBlob'] },
  copy: (named: NamedKey) => Promise<{ sha256: string; bytes: number } | undefined>,
): Promise<BlobCopies> {
  const keysOf = namedKeys(connection)
  const done: BlobCopies = { blobs: 0, bytes: 0, missing: [] }
  const counted = new HashSet()
  const copyOne = async (named: NamedKey): Promise<void> => {
    const copied = await copy(named).catch(error => {
      throw blobFault(error)
    })
    if (copied === undefined) done.missing.push(isKey(named.key) ? sha256Of(named.key) : named.key)
    else if (counted.add(copied.sha256)) {
      done.blobs += 1
      done.bytes += copied.bytes
    }
    onBlob(done)
  }
  for (const prefix of hashFolders) {
    let batch: Promise<void>[] = []
    for await (const named of keysOf(prefix)) {
      batch.push(copyOne(named))
      if (batch.length < atOnce) continue
      await Promise.all(batch)
      batch = []
    }
    await Promise.all(batch)
  }
  return done
}
