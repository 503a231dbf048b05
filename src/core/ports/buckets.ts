import type { StoredBlob } from './blobs.ts'

/** A bucket of the operator outside of the blob store, as an entry of the section `buckets` of the
 *  configuration file maps it. */
export interface MappedBucket {
  /** The name by which callers know it. */
  name: string
  /** `s3://bucket/prefix?endpoint=...`. */
  url: string
  /** Names of the environment variables that contain the keys; without them the usual variables of
   *  AWS count. */
  access_key_env?: string
  secret_key_env?: string
}

/** Reads and writes objects in buckets of the operator. The name of an object consists of letters,
 *  digits, `.`, `_`, `-` and `/`, in parts that begin with none of the dots. */
export interface MappedBuckets {
  /** Writes a blob to the object `name` of the bucket. Does nothing when there is an object of this
   *  name and length. Throws `gone` and `store_unavailable`. */
  put(bucket: MappedBucket, name: string, blob: Pick<StoredBlob, 'key' | 'bytes'>): Promise<void>
  /** Copies the object `name` of the bucket into a new file, and returns its length in bytes. An
   *  object that is longer than `maxBytes` is not copied. Returns undefined when there is none.
   *  Throws `store_unavailable`. */
  fetch(bucket: MappedBucket, name: string, target: { toFile: string; maxBytes: number }): Promise<number | undefined>
}
