import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { hourMs } from '@generation-gateway/kit/units.ts'
import type { BlobStore, DirectLink } from '../../core/ports/blobs.ts'
import type { Clock } from '../../core/ports/store.ts'
import { writeFault } from '../files/faults.ts'
import { newScratchFolder } from '../files/folders.ts'
import { placeOf } from './bucket.ts'
import type { BlobCache } from './cache.ts'
import type { S3Client } from './client.ts'
import { download } from './download.ts'
import { blobFault, faultsAsErrors, PassingFault, Refusal } from './faults.ts'
import { adoptedAt, isKey, newKey, sha256Of } from './keys.ts'
import { bucketMarker, markerKeyIn } from './marker.ts'
import { abortUploads, copyObject, deleteObject, type ListedObject, listObjects } from './objects.ts'
import { hashInParts, uploadFile } from './upload.ts'

interface Parts {
  client: S3Client
  cache: BlobCache
  scratchFolder: string
  clock: Clock
  keepAdoptedMs: number
  partBytes: number
  /** True when callers with a valid link may be redirected to the bucket. */
  isRedirecting: boolean
}

/** Folder of the blobs in the bucket, below the prefix. */
export const blobsFolder = 'blobs/'
const pageKeys = 1_000
/** Longest time of an upload in parts. An upload that began longer ago was abandoned: its process
 *  has ended or has given it up. */
const uploadMs = 24 * hourMs
const abortEveryMs = hourMs
/** Longest life of a link to the bucket, in seconds. */
const longestLinkSeconds = 300
/** A bucket that answered a request with success in the last `freshMs` milliseconds counts as
 *  usable without a probe. */
const freshMs = 15_000
const probeDeadlineMs = 2_000

/** A blob store that keeps each blob as an object `blobs/KEY` of a bucket. Each call of `adopt`
 *  gets a new key. Several nodes may use one bucket (docs/decisions/0052-blobs-in-s3.md). */
export class S3BlobStore implements BlobStore {
  readonly place: string
  readonly #parts: Parts
  #names = 0
  #abortedAt = Number.NEGATIVE_INFINITY

  constructor(parts: Parts) {
    this.#parts = parts
    this.place = placeOf(parts.client.bucket)
  }

  async adopt(file: string): Promise<{ key: string; bytes: number; sha256: string }> {
    const { client, cache, clock, partBytes } = this.#parts
    const hashed = await hashInParts(file, partBytes).catch(error => {
      throw writeFault(error)
    })
    const { bytes, sha256 } = hashed
    const startedAt = clock.now()
    const key = newKey(startedAt, sha256)
    await faultsAsErrors(uploadFile(client, this.#objectKey(key), hashed))
    // During an upload of more than a day, `list` may already have returned this blob as one to
    // which no row refers, so the blob may be deleted at any time.
    if (clock.now() - startedAt >= uploadMs) throw blobFault(new PassingFault('an upload takes longer than a day'))
    await cache.add(key, file)
    return { key, bytes, sha256 }
  }

  async read(key: string, range?: { start: number; end: number }): Promise<Readable> {
    return download(this.#parts.client, this.#objectKey(key), range)
  }

  async localFile(key: string, folder: string): Promise<string> {
    if (!isKey(key)) throw noFile()
    const target = join(folder, `blob-${this.#names++}`)
    try {
      await this.#parts.cache.place(key, target)
      return target
    } catch (error) {
      const fault = error instanceof GatewayError ? error : writeFault(error)
      if (fault.code === 'disk_full') await this.#parts.cache.clear()
      throw fault
    }
  }

  async keep(key: string): Promise<string> {
    const { client, clock } = this.#parts
    const from = this.#objectKey(key)
    const kept = newKey(clock.now(), sha256Of(key))
    await faultsAsErrors(copyObject(client, from, this.#objectKey(kept)))
    return kept
  }

  async remove(key: string): Promise<void> {
    const { client, cache, clock, keepAdoptedMs } = this.#parts
    const object = this.#objectKey(key)
    const at = adoptedAt(key)
    if (at !== undefined && at >= clock.now() - keepAdoptedMs) return
    await cache.drop(key)
    await faultsAsErrors(deleteObject(client, object))
  }

  async list({ after = '', adoptedBefore, limit }: { after?: string; adoptedBefore: number; limit: number }): Promise<string[]> {
    if (after === '') await this.#abortOldUploads()
    const { client } = this.#parts
    const prefix = client.bucket.prefix + blobsFolder
    const keys: string[] = []
    for (let last = after === '' ? '' : prefix + after; ; ) {
      const { objects, isLast } = await faultsAsErrors(listObjects(client, { prefix, after: last, limit: pageKeys }))
      for (const object of objects) {
        const key = object.key.slice(prefix.length)
        if (!object.key.startsWith(prefix) || !isKey(key) || this.#uploadedBy(key, object) >= adoptedBefore) continue
        keys.push(key)
        if (keys.length >= limit) return keys
      }
      const next = objects.at(-1)?.key
      if (isLast || next === undefined) return keys
      last = next
    }
  }

  async scratch(name: string): Promise<string> {
    return newScratchFolder(this.#parts.scratchFolder, name)
  }

  marker(): Promise<string | undefined> {
    return bucketMarker(this.#parts.client).marker()
  }

  mark(text: string): Promise<string> {
    return bucketMarker(this.#parts.client).mark(text)
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#parts.scratchFolder)
    return bavail * bsize
  }

  async problem(): Promise<string | undefined> {
    const { client } = this.#parts
    if (client.workedWithin(freshMs)) return undefined
    try {
      await client.text(
        { method: 'GET', key: markerKeyIn(client.bucket) },
        { patience: { ...client.patience, deadlineMs: 0, stallMs: probeDeadlineMs } },
      )
      return undefined
    } catch (error) {
      // The answer that the marker is missing also shows that the bucket works.
      if (error instanceof Refusal && error.isMissing) return undefined
      return blobFault(error).message
    }
  }

  async directLink(key: string, { mediaType, disposition, seconds }: DirectLink): Promise<string | undefined> {
    const { client, isRedirecting } = this.#parts
    if (!isRedirecting || seconds < 1) return undefined
    const query = { 'response-content-type': mediaType, 'response-content-disposition': disposition }
    return client.presigned(this.#objectKey(key), query, Math.min(Math.floor(seconds), longestLinkSeconds))
  }

  /** Returns the time, in Unix milliseconds, that counts as the end of an object's upload. The key
   *  says only when the upload began; an upload in parts may have ended up to `uploadMs` later. The
   *  time of the last change does not help: for an object that was uploaded in parts, Amazon S3
   *  also reports the beginning of the upload. */
  #uploadedBy(key: string, { bytes, modifiedAt }: ListedObject): number {
    const at = adoptedAt(key)
    if (at === undefined) return modifiedAt
    return bytes > this.#parts.partBytes ? at + uploadMs : at
  }

  async #abortOldUploads(): Promise<void> {
    const now = Date.now()
    if (now - this.#abortedAt < abortEveryMs) return
    this.#abortedAt = now
    const { client } = this.#parts
    try {
      await abortUploads(client, { prefix: client.bucket.prefix + blobsFolder, before: now - uploadMs })
    } catch (error) {
      // When the gateway may not list uploads, a rule of the bucket has to remove the abandoned
      // ones (docs/operate/s3.md).
      if (!(error instanceof Refusal)) throw blobFault(error)
    }
  }

  /** Returns the key of the object; an invalid key is treated as missing, and never reaches a
   *  URL. */
  #objectKey(key: string): string {
    if (!isKey(key)) throw noFile()
    return this.#parts.client.bucket.prefix + blobsFolder + key
  }
}

function noFile(): GatewayError {
  return new GatewayError('gone', 'There is no such file.')
}
