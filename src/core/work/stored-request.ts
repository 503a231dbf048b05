/** Stores and reads the neutral request of a task: in the row of the task, or as a blob when it is
 *  large. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { BlobStore } from '../ports/blobs.ts'
import type { NewTask, StoredRequest, TaskStore } from '../ports/store.ts'
import { readJson } from '../read-json.ts'
import { newId } from '../records/id.ts'

/** Longest request in UTF-8 bytes that is stored in the row; a longer one is stored as a blob
 *  (docs/decisions/0020). */
export const inlineRequestBytes = 8 * 1024

/** Returns the request in the form in which the store takes it: as JSON, or as a blob when it is
 *  large. */
export async function storeRequest(
  blobs: Pick<BlobStore, 'adopt' | 'scratch'>,
  request: JsonObject,
  { now, expiresAt }: { now: number; expiresAt: number },
): Promise<NewTask['request']> {
  const text = JSON.stringify(request)
  if (text.length <= inlineRequestBytes && Buffer.byteLength(text) <= inlineRequestBytes) return { inline: request }
  const id = newId(now)
  const folder = await blobs.scratch(`request-${id}`)
  try {
    const file = join(folder, 'request.json')
    await writeFile(file, text, { mode: 0o600 })
    const { key, bytes, sha256 } = await blobs.adopt(file)
    const facts = { kind: 'input', role: 'request', index: 0, mediaType: 'application/json' } as const
    return { blob: { key, expiresAt, artifact: { id, ...facts, bytes, sha256 } } }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Stores {
  store: Pick<TaskStore, 'request' | 'blob'>
  blobs: Pick<BlobStore, 'read'>
}

/** Returns the request of a task. Throws `task_not_found`, and `gone` when its blob has been
 *  swept. */
export async function requestOfTask(stores: Stores, taskId: string): Promise<JsonObject> {
  const stored = await stores.store.request(taskId)
  if (!stored) throw new GatewayError('task_not_found', `There is no task ${taskId}.`)
  return loadRequest(stores, stored)
}

/** Returns the request from the row or the blob. Throws `gone` when its blob has been swept,
 *  and `store_unavailable`. */
export async function loadRequest({ store, blobs }: Stores, stored: StoredRequest): Promise<JsonObject> {
  if ('inline' in stored) return stored.inline
  const blob = await store.blob(stored.blobId)
  if (!blob) throw new GatewayError('gone', 'The stored request of the task is missing.')
  return readJson(blobs, blob)
}
