/** Reads and writes objects in the buckets that the operator lists in the configuration file. */
import { rm } from 'node:fs/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Outbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { bucketOf, type Environment, environmentCredentials } from './config/s3-settings.ts'
import type { BlobStore } from './core/ports/blobs.ts'
import type { MappedBucket, MappedBuckets } from './core/ports/buckets.ts'
import type { WorkerLog } from './core/work/worker-deps.ts'
import type { S3Bucket, S3Credentials } from './stores/s3/bucket.ts'
import type { S3Client } from './stores/s3/client.ts'

const nameForm = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/

interface BucketAccess {
  /** Environment of the process; it contains the keys of the buckets. */
  env: Environment
  outbound: Outbound
}

interface MappedBucketsDeps extends BucketAccess {
  blobs: Pick<BlobStore, 'localFile' | 'scratch'>
}

/** Returns the object that reads and writes files in the operator's buckets. */
export function createMappedBuckets({ blobs, env, outbound }: MappedBucketsDeps): MappedBuckets {
  const clients = new Map<string, S3Client>()
  const clientOf = async (mapped: MappedBucket): Promise<S3Client> => {
    // This module is loaded only when a bucket is used, because most gateways have none.
    const { openClient } = await import('./stores/s3/files-in-bucket.ts')
    const client = clients.get(entryOf(mapped)) ?? openClient(s3BucketOf(mapped, env, outbound))
    clients.set(entryOf(mapped), client)
    return client
  }
  const within = async <Result>(mapped: MappedBucket, name: string, work: (client: S3Client) => Promise<Result>): Promise<Result> => {
    if (!nameForm.test(name)) throw new TypeError(`${name} is no name of an object`)
    try {
      return await work(await clientOf(mapped))
    } catch (cause) {
      if (!(cause instanceof GatewayError) || cause.code === 'gone' || cause.code === 'disk_full') throw cause
      // The message does not contain the cause, such as a wrong key or a missing variable. Callers
      // cannot correct it and should not learn its name; the log has it.
      throw new GatewayError('store_unavailable', `The bucket ${mapped.name} cannot be used now.`, { cause, retryAfterSeconds: 5 })
    }
  }
  const write: MappedBuckets['put'] = async (mapped, name, { key, ...facts }) => {
    const { putFile } = await import('./stores/s3/files-in-bucket.ts')
    const folder = await blobs.scratch('bucket')
    try {
      await within(mapped, name, client => putFile(client, name, { ...facts, file: () => blobs.localFile(key, folder) }))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  const underWay = new Map<string, Promise<void>>()
  return {
    put(mapped, name, blob) {
      const object = `${entryOf(mapped)} ${name}`
      // If a write of the same object is in progress, the call waits for that write instead of
      // starting another.
      const put = underWay.get(object) ?? write(mapped, name, blob).finally(() => underWay.delete(object))
      underWay.set(object, put)
      return put
    },
    async fetch(mapped, name, target) {
      const { fetchFile } = await import('./stores/s3/files-in-bucket.ts')
      return within(mapped, name, client => fetchFile(client, name, target))
    },
  }
}

/** Tries the rights that the gateway needs in a bucket. Throws `invalid_request` and
 *  `store_unavailable`, whose messages tell operators why the bucket cannot be used. */
export async function checkMappedBucket(mapped: MappedBucket, { env, outbound }: BucketAccess): Promise<void> {
  const { checkGuestRights } = await import('./stores/s3/check.ts')
  await checkGuestRights(s3BucketOf(mapped, env, outbound))
}

/** Returns the buckets that the section `buckets` of a configuration file maps. */
export function mappedIn(section: unknown): MappedBucket[] {
  // The cast is safe: the section was checked by the schema of family V.
  const entries = (section ?? []) as readonly (string | Partial<MappedBucket>)[]
  return entries.filter((entry): entry is MappedBucket => typeof entry !== 'string' && entry.url !== undefined)
}

/** Logs a warning for each bucket of the section that cannot be used. Never throws. */
export async function warnOfBuckets(section: unknown, { log, ...access }: BucketAccess & { log: Pick<WorkerLog, 'warn'> }): Promise<void> {
  const check = (mapped: MappedBucket): Promise<void> =>
    checkMappedBucket(mapped, access).catch(error =>
      log.warn({ bucket: mapped.name, reason: Object(error).message }, 'a bucket of the configuration file cannot be used'),
    )
  await Promise.all(mappedIn(section).map(check))
}

/** Returns a text that is the same for equal entries of the configuration file. */
function entryOf({ url, access_key_env, secret_key_env }: MappedBucket): string {
  return JSON.stringify([url, access_key_env, secret_key_env])
}

function s3BucketOf(mapped: MappedBucket, env: Environment, outbound: Outbound): S3Bucket {
  const credentials = () => credentialsOf(mapped, env)
  credentials()
  return bucketOf('its url', mapped.url, { env, credentials, route: () => outbound.routeOf() })
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
