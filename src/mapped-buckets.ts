/** Reads and writes objects in the buckets that the operator lists in the configuration file. */
import { rm } from 'node:fs/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { bucketOf, type Environment, environmentCredentials } from './config/s3-settings.ts'
import type { BlobStore } from './core/ports/blobs.ts'
import type { MappedBucket, MappedBuckets } from './core/ports/buckets.ts'
import type { S3Bucket, S3Credentials } from './stores/s3/bucket.ts'

const nameForm = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/

/** Returns the access to the operator's buckets. `env` is the environment, which contains the
 *  keys. */
export function createMappedBuckets({ blobs, env }: { blobs: Pick<BlobStore, 'localFile' | 'scratch'>; env: Environment }): MappedBuckets {
  const within = async <Result>(mapped: MappedBucket, name: string, work: (bucket: S3Bucket) => Promise<Result>): Promise<Result> => {
    if (!nameForm.test(name)) throw new TypeError(`${name} is no name of an object`)
    try {
      return await work(s3BucketOf(mapped, env))
    } catch (cause) {
      if (!(cause instanceof GatewayError) || cause.code === 'gone') throw cause
      // Errors of a bucket, such as a wrong key, are reported as `store_unavailable`: the operator
      // has to fix them, and callers cannot.
      const code = cause.code === 'disk_full' ? 'disk_full' : 'store_unavailable'
      throw new GatewayError(code, `The bucket ${mapped.name} cannot be used: ${cause.message}`, { cause, retryAfterSeconds: 5 })
    }
  }
  return {
    async put(mapped, name, { key, bytes }) {
      // This module is loaded only when a bucket is used, because most gateways have none.
      const { putFile } = await import('./stores/s3/files-in-bucket.ts')
      const folder = await blobs.scratch('bucket')
      try {
        await within(mapped, name, bucket => putFile(bucket, name, { bytes, file: () => blobs.localFile(key, folder) }))
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    async fetch(mapped, name, target) {
      const { fetchFile } = await import('./stores/s3/files-in-bucket.ts')
      return within(mapped, name, bucket => fetchFile(bucket, name, target))
    },
  }
}

function s3BucketOf(mapped: MappedBucket, env: Environment): S3Bucket {
  const credentials = () => credentialsOf(mapped, env)
  credentials()
  return bucketOf('its url', mapped.url, { env, credentials })
}

function credentialsOf({ access_key_env: access, secret_key_env: secret }: MappedBucket, env: Environment): S3Credentials {
  if (access === undefined && secret === undefined) return environmentCredentials(env)
  return { accessKeyId: variable(access, env), secretAccessKey: variable(secret, env) }
}

function variable(name: string | undefined, env: Environment): string {
  const value = name === undefined ? undefined : env[name]
  if (value) return value
  const missing = name === undefined ? 'access_key_env and secret_key_env belong together.' : `the variable ${name} is not set.`
  throw new GatewayError('invalid_request', missing)
}
