import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { CallFile, Files } from '../../contract/context.ts'
import { newId } from '../../core/id.ts'
import type { FileOwner, StoredFile } from '../../core/ports/files.ts'
import type { Artifact } from '../../core/task.ts'
import type { HttpDeps } from '../deps.ts'

type Deps = Pick<HttpDeps, 'store' | 'blobs' | 'files' | 'clock'>

/** The files of an account in one family, as a handler sees them. */
export function accountFiles({ store, blobs, files, clock }: Deps, { endpoint, ...owner }: FileOwner & { endpoint: string }): Files {
  return {
    keep: async (file, { lifetimeMs, ...kept }) => {
      const { key, sha256, facts } = await bytesOf({ store, blobs }, file)
      const now = clock.now()
      const stored = { ...owner, ...kept, id: newId(now), endpoint, key, sha256, facts, createdAt: now, expiresAt: now + lifetimeMs }
      await files.put(stored)
      return stored
    },
    get: id => files.get(owner, id, clock.now()),
    list: filter => files.list(owner, filter, clock.now()),
    remove: id => files.remove(owner, id, clock.now()),
  }
}

async function bytesOf(
  { store, blobs }: Pick<Deps, 'store' | 'blobs'>,
  file: CallFile | Artifact,
): Promise<Pick<StoredFile, 'key' | 'sha256' | 'facts'>> {
  if ('path' in file) {
    const { path, field: _field, role: _role, name: _name, ...facts } = file
    return { ...(await blobs.adopt(path)), facts }
  }
  const { id, kind: _kind, role: _role, index: _index, sha256, ...facts } = file
  const blob = await store.blob(id)
  if (!blob) throw new GatewayError('gone', 'The file was swept.')
  await blobs.keep(blob.key)
  return { key: blob.key, sha256, facts }
}
