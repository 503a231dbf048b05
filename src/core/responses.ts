/** Stored conversations, as an account sees them at one endpoint: small content in the store's rows, large content in blobs. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { BlobStore } from './ports/blobs.ts'
import type { Clock, ResponseRecord, ResponseStore } from './ports/store.ts'
import { newId } from './records/id.ts'
import { inlineRequestBytes } from './work/stored-request.ts'

export type SavedResponse = Pick<ResponseRecord, 'id' | 'parentId' | 'model' | 'target' | 'taskId' | 'content' | 'expiresAt'>

/** The responses of one account and endpoint. */
export interface AccountResponses {
  /** Writes it or replaces the one with its id; one that was deleted while its task ran stays deleted. Resolves when it is on disk.
   *  Throws `conflict` when another account or endpoint has a response of this id, `store_unavailable`, `disk_full`. */
  save(response: SavedResponse): Promise<void>
  /** Undefined when it is unknown, deleted, past its end, or of another account or endpoint. */
  get(id: string): Promise<ResponseRecord | undefined>
  /** Notes what has come of a response that an upstream keeps, once its answer has ended. Resolves when it is on disk. */
  note(id: string, note: { items: readonly string[]; content: JsonObject }): Promise<void>
  /** The response that an upstream's item belongs to; undefined like `get`. */
  ofItem(itemId: string): Promise<ResponseRecord | undefined>
  /** The response and those it continues, oldest first, at most 1,000. Deleted and expired ones come without content, with `isDeleted`. Empty when the response itself is not there. */
  chain(id: string): Promise<ResponseRecord[]>
  /** Deletes its contents; later turns still find what came before it. False when it is not there. */
  remove(id: string): Promise<boolean>
}

export interface StoredResponses {
  at(accountId: string, endpoint: string): AccountResponses
}

interface Deps {
  store: ResponseStore
  blobs: Pick<BlobStore, 'adopt' | 'read' | 'scratch'>
  clock: Clock
}

export function createResponses(deps: Deps): StoredResponses {
  const { store, clock } = deps
  return {
    at(accountId, endpoint) {
      const isOurs = (record: ResponseRecord | undefined): record is ResponseRecord =>
        record !== undefined && record.accountId === accountId && record.endpoint === endpoint && !record.isDeleted
      const find = async (id: string): Promise<ResponseRecord | undefined> => {
        const record = await store.get(id, clock.now())
        return isOurs(record) ? record : undefined
      }
      return {
        async save(response) {
          const now = clock.now()
          // A background response is saved when it is accepted and again when it has ended.
          const earlier = response.taskId === undefined ? undefined : await find(response.id)
          const record = { ...response, accountId, endpoint, createdAt: earlier?.createdAt ?? now, isDeleted: false }
          await put(deps, record)
        },
        async get(id) {
          const record = await find(id)
          return record && withContent(deps, record)
        },
        async note(id, note) {
          await store.note(id, { accountId, endpoint }, note)
        },
        async ofItem(itemId) {
          return store.ofItem(itemId, { accountId, endpoint }, clock.now())
        },
        async chain(id) {
          const records = await store.chain(id, clock.now())
          if (!isOurs(records.at(-1))) return []
          const turns: ResponseRecord[] = []
          for (const record of records) turns.push((await withContent(deps, record)) ?? tombstoneOf(record))
          return turns
        },
        async remove(id) {
          return (await find(id)) !== undefined && store.remove(id, clock.now())
        },
      }
    },
  }
}

async function put({ store, blobs, clock }: Deps, record: ResponseRecord): Promise<void> {
  const { content, ...rest } = record
  const json = content === undefined ? '' : JSON.stringify(content)
  if (json.length <= inlineRequestBytes && Buffer.byteLength(json) <= inlineRequestBytes) return store.put(record)
  const { key, bytes, sha256 } = await adoptText(blobs, json)
  const artifact = {
    id: newId(clock.now()),
    kind: 'output',
    role: 'response',
    index: 0,
    mediaType: 'application/json',
    bytes,
    sha256,
  } as const
  return store.put(rest, { artifact, key, expiresAt: record.expiresAt })
}

async function adoptText(blobs: Deps['blobs'], text: string): ReturnType<BlobStore['adopt']> {
  const folder = await blobs.scratch('response')
  try {
    const file = join(folder, 'content.json')
    await writeFile(file, text, { mode: 0o600 })
    return await blobs.adopt(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The record with its content, wherever that lies; undefined when the response has ended in the meantime. */
async function withContent({ store, blobs, clock }: Deps, record: ResponseRecord): Promise<ResponseRecord | undefined> {
  if (record.content !== undefined || record.isDeleted || record.target !== undefined) return record
  let missing: string | undefined
  for (;;) {
    const blob = await store.contentBlob(record.id)
    // No blob is the state of a background response at its start, and of one that was deleted or replaced since it was read.
    if (blob === undefined) return ending(await store.get(record.id, clock.now()))
    try {
      return { ...record, content: await readJson(blobs, blob.key) }
    } catch (error) {
      // Replaced while it was being read: the next look finds the new blob. The same one twice is a loss.
      if (!(error instanceof GatewayError) || error.code !== 'gone' || missing === blob.key) throw error
      missing = blob.key
    }
  }
}

function ending(record: ResponseRecord | undefined): ResponseRecord | undefined {
  return record === undefined || record.isDeleted ? undefined : record
}

function tombstoneOf({ content: _, ...record }: ResponseRecord): ResponseRecord {
  return { ...record, isDeleted: true }
}

async function readJson(blobs: Deps['blobs'], key: string): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of await blobs.read(key)) chunks.push(Buffer.from(chunk))
  return JSON.parse(Buffer.concat(chunks).toString())
}
