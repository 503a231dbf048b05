import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { FileFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { CallFile, Files } from '../../contract/context.ts'
import { newId } from '../../core/id.ts'
import type { FileOwner } from '../../core/ports/files.ts'
import type { Artifact } from '../../core/task.ts'
import type { HttpDeps } from '../deps.ts'

type Deps = Pick<HttpDeps, 'store' | 'blobs' | 'files' | 'clock'>

/** The files of an account in one family, as a handler sees them. */
export function accountFiles({ store, blobs, files, clock }: Deps, { endpoint, ...owner }: FileOwner & { endpoint: string }): Files {
  return {
    keep: async (file, { lifetimeMs, ...kept }) => {
      const { key, sha256, bytes } = await bytesOf({ store, blobs }, file)
      const now = clock.now()
      const stored = {
        ...owner,
        ...kept,
        id: newId(now),
        endpoint,
        key,
        sha256,
        facts: factsOf(file, bytes),
        createdAt: now,
        expiresAt: now + lifetimeMs,
      }
      await files.put(stored)
      return stored
    },
    get: id => files.get(owner, id, clock.now()),
    list: filter => files.list(owner, filter, clock.now()),
    remove: id => files.remove(owner, id, clock.now()),
  }
}

async function bytesOf({ store, blobs }: Pick<Deps, 'store' | 'blobs'>, file: CallFile | Artifact): ReturnType<HttpDeps['blobs']['adopt']> {
  if ('path' in file) return blobs.adopt(file.path)
  const blob = await store.blob(file.id)
  if (!blob) throw new GatewayError('gone', 'The file was swept.')
  await blobs.keep(blob.key)
  return blob
}

function factsOf({ mediaType, width, height, durationSeconds, framesPerSecond }: FileFacts, bytes: number): FileFacts {
  return {
    mediaType,
    bytes,
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...(framesPerSecond === undefined ? {} : { framesPerSecond }),
  }
}
