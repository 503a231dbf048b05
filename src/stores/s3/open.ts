import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { minuteMs } from '@generation-gateway/kit/units.ts'
import type { Clock } from '../../core/ports/store.ts'
import { scratchFolderOf } from '../files/scratch.ts'
import type { S3Bucket } from './bucket.ts'
import { BlobCache } from './cache.ts'
import { S3Client } from './client.ts'
import { download } from './download.ts'
import { type Patience, usualPatience } from './retry.ts'
import { blobsFolder, S3BlobStore } from './store.ts'
import { usualPartBytes } from './upload.ts'

export interface S3StoreOptions {
  bucket: S3Bucket
  /** The data directory. */
  directory: string
  /** Folder of temporary files and of the local copies. Default: `gateway-scratch` in the data
   *  directory. Files that remain in the folder are not removed when the store is opened. */
  scratchFolder?: string
  clock?: Clock
  /** Bytes that local copies of blobs may take. Default 1 GiB. */
  cacheBytes?: number
  /** True to redirect callers with a valid link to the bucket. Default false. */
  isRedirecting?: boolean
  /** Milliseconds after a blob was stored (`adopt`) in which `remove` does not delete it,
   *  because the row that refers to the blob may not be committed yet. Default 10 minutes. */
  keepAdoptedMs?: number
  /** Bodies over this length are sent in parts of at least this length. Default 16 MiB. */
  partBytes?: number
  patience?: Patience
}

const usualCacheBytes = 1024 ** 3

/** Opens the blob store of a bucket. Sends no request; the bucket must exist. */
export async function openS3Store(options: S3StoreOptions): Promise<S3BlobStore> {
  const { bucket, directory, scratchFolder = scratchFolderOf(directory), clock = { now: Date.now }, isRedirecting = false } = options
  const { cacheBytes = usualCacheBytes, keepAdoptedMs = 10 * minuteMs, partBytes = usualPartBytes, patience = usualPatience } = options
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(scratchFolder, 'blob-copies-'))
  const client = new S3Client(bucket, patience)
  const fetch = (key: string) => download(client, bucket.prefix + blobsFolder + key)
  const cache = new BlobCache({ folder, mostBytes: cacheBytes, fetch })
  return new S3BlobStore({ client, cache, scratchFolder, clock, keepAdoptedMs, partBytes, isRedirecting })
}
