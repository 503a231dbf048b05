/** Opens the blob store that the settings name. */
import type { BlobStore } from '../core/ports/blobs.ts'
import type { Clock } from '../core/ports/store.ts'
import { openFileStore } from './files/open.ts'
import { placeOf, type S3Bucket } from './s3/bucket.ts'

/** The place of the blobs: a folder or a bucket. */
export type BlobsPlace = FolderPlace | BucketPlace

interface FolderPlace {
  /** Absolute path. */
  folder: string
  /** True when a setting names the folder, so that other processes may use it. */
  isShared: boolean
}

export interface BucketPlace {
  bucket: S3Bucket
  /** True when a caller with a valid link is redirected to the bucket instead of getting the bytes
   *  from the gateway. */
  isRedirecting: boolean
  /** Bytes that local copies of blobs may take. */
  cacheBytes: number
}

interface BlobsOptions {
  /** The data directory. */
  directory: string
  /** Folder of temporary files. Default: `gateway-scratch` in the data directory. */
  scratchFolder?: string
  clock?: Clock
}

/** Opens the store of a folder or a bucket. Sends no request to a bucket. */
export async function openBlobs(place: BlobsPlace, options: BlobsOptions): Promise<BlobStore> {
  if ('folder' in place) return openFileStore({ ...options, blobsFolder: place.folder })
  // Loaded only here, because a gateway with a folder of blobs needs no client of S3.
  const { openS3Store } = await import('./s3/open.ts')
  return openS3Store({ ...options, ...place })
}

/** Returns true when other processes may use the same place. */
export function mayBeShared(place: BlobsPlace): boolean {
  return 'bucket' in place || place.isShared
}

/** Returns the folder of the blobs. When the blobs are in a bucket, throws the error that
 *  `refuse` returns for the name of this bucket. */
export function folderOf(place: BlobsPlace, refuse: (bucket: string) => Error): string {
  if ('folder' in place) return place.folder
  throw refuse(placeOf(place.bucket))
}
