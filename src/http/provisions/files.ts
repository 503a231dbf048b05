import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { CallFile } from '../../contract/call-file.ts'
import type { Files, NewStoredFile } from '../../contract/needs/files.ts'
import type { FileOwner, StoredFile } from '../../core/ports/files.ts'
import { newId } from '../../core/records/id.ts'
import type { Artifact } from '../../core/records/task.ts'
import type { HttpDeps } from '../deps.ts'
import type { Provision } from './provision.ts'

type Deps = Pick<HttpDeps, 'store' | 'blobs' | 'files' | 'clock'>

export const files: Provision<'files'> = ({ deps, family, call: { key, endpoint } }) =>
  accountFiles(deps, { accountId: key.accountId, family: family.id, endpoint: endpoint.name })

function accountFiles({ store, blobs, files, clock }: Deps, { endpoint, ...owner }: FileOwner & { endpoint: string }): Files {
  const put = async (bytes: KeptBytes, { lifetimeMs, ...kept }: NewStoredFile): Promise<StoredFile> => {
    const now = clock.now()
    const stored = { ...owner, ...kept, ...bytes, id: newId(now), endpoint, createdAt: now, expiresAt: now + lifetimeMs }
    await files.put(stored)
    return stored
  }
  return {
    keep: async (file, kept) => put(await bytesOf({ store, blobs }, file), kept),
    keepText: async (given, kept) => put(await textBytes(blobs, given), kept),
    get: id => files.get(owner, id, clock.now()),
    list: filter => files.list(owner, filter, clock.now()),
    remove: id => files.remove(owner, id, clock.now()),
  }
}

type KeptBytes = Pick<StoredFile, 'key' | 'sha256' | 'facts'>

async function textBytes(blobs: Deps['blobs'], { text, mediaType }: { text: string; mediaType: string }): Promise<KeptBytes> {
  const folder = await blobs.scratch(`text-${randomUUID()}`)
  try {
    const path = join(folder, 'text')
    await writeFile(path, text, { mode: 0o600 })
    const { bytes, ...adopted } = await blobs.adopt(path)
    return { ...adopted, facts: { mediaType, bytes } }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function bytesOf({ store, blobs }: Pick<Deps, 'store' | 'blobs'>, file: CallFile | Artifact): Promise<KeptBytes> {
  if ('path' in file) {
    const { path, field: _field, role: _role, name: _name, ...facts } = file
    return { ...(await blobs.adopt(path)), facts }
  }
  const { id, kind: _kind, role: _role, index: _index, sha256, ...facts } = file
  const blob = await store.blob(id)
  if (!blob) throw new GatewayError('gone', 'The file was swept.')
  return { key: await blobs.keep(blob.key), sha256, facts }
}
