import type { StoredBlob } from './blobs.ts'

/** A bucket that belongs to the operator and not to the gateway's blob store. The section
 *  `buckets` of the configuration file lists these buckets. */
export interface MappedBucket {
  /** The name that callers use for the bucket. */
  name: string
  /** Address of the bucket: `s3://bucket/prefix?endpoint=...`. */
  url: string
  /** Names of the environment variables that contain the keys for the bucket. When absent, the
   *  usual variables of AWS are used. */
  access_key_env?: string
  secret_key_env?: string
}

/** Reads and writes objects in the operator's buckets. The name of an object consists of
 *  letters, digits, `.`, `_`, `-` and `/`; no part between slashes begins with a dot. */
export interface MappedBuckets {
  /** Writes a blob to the object `name` of the bucket, with its media type. Does nothing when
   *  the bucket already has an object with this name and length. Throws `gone`, `disk_full` and
   *  `store_unavailable`. */
  put(bucket: MappedBucket, name: string, blob: Pick<StoredBlob, 'key' | 'bytes' | 'mediaType'>): Promise<void>
  /** Copies the object `name` of the bucket into a new file, and returns its length in bytes.
   *  Returns undefined when the bucket has no such object. An object longer than `maxBytes` is
   *  not copied. Throws `disk_full` and `store_unavailable`. */
  fetch(bucket: MappedBucket, name: string, target: { toFile: string; maxBytes: number }): Promise<number | undefined>
}
