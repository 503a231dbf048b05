/** Reads and writes the stored conversations and completions of an account at one endpoint.
 *  Small contents are stored in the rows of responses, large ones as blobs. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { KiB, MiB } from '@generation-gateway/kit/units.ts'
import { ContentReaders, isBlob, type Reader } from './content-readers.ts'
import type { BlobStore } from './ports/blobs.ts'
import type { CompletionPage, StoredChain, StoredKind } from './ports/responses.ts'
import type { Clock, ResponseRecord, ResponseStore } from './ports/store.ts'
import { newId } from './records/id.ts'
import { inlineRequestBytes } from './work/stored-request.ts'

/** Number of bytes of contents stored as blobs after which a page of completions ends. Contents
 *  may be large, because they include the messages of the request with their pictures. */
const mostListedBytes = 16 * MiB
/** Largest content, in UTF-8 bytes, that is stored in its row while the blob store cannot be
 *  reached. */
const mostRowBytes = 256 * KiB

export type SavedResponse = Pick<ResponseRecord, 'id' | 'parentId' | 'model' | 'target' | 'taskId' | 'content' | 'expiresAt' | 'metadata'>

/** The account and the endpoint whose stored responses are read. */
export interface ResponseOwner {
  accountId: string
  endpoint: string
  /** The models in the scopes of the caller's key; responses of other models are not found. All
   *  models when it is absent or empty. */
  models?: readonly string[]
}

/** The stored responses, or the stored chat completions, of one account and endpoint. */
export interface StoredRecords {
  /** Writes a response, or replaces the one with the same id; a response that was deleted while
   *  its background task was running stays deleted. Resolves when it is on disk. Throws
   *  `store_unavailable`, `disk_full`, and `conflict` when another account or endpoint has a
   *  response with this id. */
  save(response: SavedResponse): Promise<void>
  /** Returns the response; undefined when it is unknown, was deleted, has expired, or belongs to
   *  another account, endpoint or model. */
  get(id: string): Promise<ResponseRecord | undefined>
  /** Returns the same as `get`, but never waits for contents that are stored as blobs: they are
   *  absent. */
  find(id: string): Promise<ResponseRecord | undefined>
  /** Records the outcome of a response that an upstream stores, once the answer has ended. Resolves
   *  when it is on disk. */
  note(id: string, note: { items: readonly string[]; content: JsonObject }): Promise<void>
  /** Returns the response that contains the item with this id of the upstream; undefined in the
   *  same cases as `get`. */
  ofItem(itemId: string): Promise<ResponseRecord | undefined>
  /** Deletes the content of a response; later turns of the conversation still find the turns before
   *  it. Returns false when the response does not exist. */
  remove(id: string): Promise<boolean>
}

/** The stored responses of one account and endpoint. */
export interface AccountResponses extends StoredRecords {
  /** Returns the result of `read`, which gets the response and its predecessors in the
   *  conversation. When contents are stored as blobs, waits until few other callers read such
   *  contents. `read` must not read another response, because it could then wait for the place that
   *  it occupies itself. */
  readChain<Result>(id: string, read: (chain: StoredChain) => Promise<Result>): Promise<Result>
}

/** The stored chat completions of one account and endpoint. */
export interface AccountCompletions extends StoredRecords {
  /** Returns a page of completions with their contents; `hasMore` is true when more completions
   *  follow. A page ends early when its contents are large. `after` may be a completion that was
   *  deleted or has expired, until the next sweep removes it. Throws `invalid_request` when `after`
   *  is not found. */
  list(page: CompletionPage): Promise<{ records: ResponseRecord[]; hasMore: boolean }>
}

/** Gives access to stored responses and completions. Reads may have to wait for their turn.
 *  `signal` returns a signal that is aborted when the caller disconnects; the abort ends the
 *  waiting. */
export interface StoredResponses {
  at(owner: ResponseOwner, signal?: Reader['signal']): AccountResponses
  completionsAt(owner: ResponseOwner, signal?: Reader['signal']): AccountCompletions
  recordsAt(kind: StoredKind, owner: ResponseOwner): StoredRecords
}

interface Deps {
  store: ResponseStore
  blobs: Pick<BlobStore, 'adopt' | 'read' | 'scratch'>
  clock: Clock
}

export function createResponses(deps: Deps): StoredResponses {
  const reading = { ...deps, readers: new ContentReaders(deps) }
  const at = (kind: StoredKind, owner: ResponseOwner, signal = never) => storedAt(reading, { ...owner, kind, signal })
  return {
    at: (...given) => at('response', ...given),
    completionsAt: (...given) => at('completion', ...given),
    recordsAt: at,
  }
}

const endless = new AbortController().signal

function never(): AbortSignal {
  return endless
}

interface ReadingDeps extends Deps {
  readers: ContentReaders
}

interface Owner extends Reader, ResponseOwner {
  kind: StoredKind
}

function storedAt(deps: ReadingDeps, reader: Owner): AccountResponses & AccountCompletions {
  const { store, clock, readers } = deps
  const { accountId, endpoint, kind, models = [] } = reader
  const owner = { accountId, endpoint }
  const isOurs = (record: ResponseRecord | undefined): record is ResponseRecord =>
    record !== undefined &&
    record.accountId === accountId &&
    record.endpoint === endpoint &&
    (record.kind ?? 'response') === kind &&
    (models.length === 0 || models.includes(record.model)) &&
    !record.isDeleted
  const find = async (id: string): Promise<ResponseRecord | undefined> => {
    const record = await store.get(id, clock.now())
    return isOurs(record) ? record : undefined
  }
  return {
    async save(response) {
      const now = clock.now()
      // A background response is saved when it is accepted and when it has ended. A completion is
      // saved again when its metadata changes. Both keep the time at which they were created.
      const earlier = response.taskId === undefined && kind === 'response' ? undefined : await find(response.id)
      const createdAt = earlier?.createdAt ?? now
      await put(deps, { ...response, ...owner, createdAt, isDeleted: false, ...(kind === 'completion' ? { kind } : {}) })
    },
    async get(id) {
      const record = await find(id)
      return record && readers.readOne(reader, record)
    },
    find,
    async list(page) {
      const records = await store.completions(owner, { ...page, models, limit: page.limit + 1 }, clock.now())
      if (records === undefined)
        throw new GatewayError('invalid_request', `after names '${page.after?.slice(0, 100)}', which is not stored.`, { field: 'after' })
      return listed(deps, reader, { records: records.slice(0, page.limit), hasMore: records.length > page.limit })
    },
    async note(id, note) {
      await store.note(id, owner, note)
    },
    async ofItem(itemId) {
      const record = await store.ofItem(itemId, owner, clock.now())
      return isOurs(record) ? record : undefined
    },
    async readChain(id, read) {
      const records = await store.chain(id, clock.now())
      return isOurs(records.at(-1)) ? readTurns(deps, reader, { records, read }) : read(emptyChain)
    },
    async remove(id) {
      return (await find(id)) !== undefined && store.remove(id, clock.now())
    },
  }
}

/** Returns the completions of a page with their contents. Ends the page early when the contents are
 *  large. */
async function listed(
  { store, readers }: ReadingDeps,
  reader: Reader,
  { records, hasMore }: { records: ResponseRecord[]; hasMore: boolean },
): Promise<{ records: ResponseRecord[]; hasMore: boolean }> {
  if (!records.some(isBlob)) return { records, hasMore }
  return readers.read(reader, mostListedBytes, async readContent => {
    const shown: ResponseRecord[] = []
    let bytes = 0
    for (const record of records) {
      if (bytes >= mostListedBytes) return { records: shown, hasMore: true }
      const blob = isBlob(record) ? await store.contentBlob(record.id) : undefined
      const whole = await readContent(record)
      if (!whole) continue
      shown.push(whole)
      bytes += blob?.bytes ?? 0
    }
    return { records: shown, hasMore }
  })
}

const emptyChain: StoredChain = { records: [], blobBytes: 0, withContent: async record => record }

async function readTurns<Result>(
  { readers }: ReadingDeps,
  reader: Reader,
  { records, read }: { records: ResponseRecord[]; read: (chain: StoredChain) => Promise<Result> },
): Promise<Result> {
  const blobBytes = records.reduce((sum, { contentBytes = 0 }) => sum + contentBytes, 0)
  if (!records.some(isBlob)) return read({ ...emptyChain, records })
  return readers.read(reader, blobBytes, readContent =>
    read({ records, blobBytes, withContent: async record => (await readContent(record)) ?? tombstoneOf(record) }),
  )
}

async function put({ store, blobs, clock }: Deps, record: ResponseRecord): Promise<void> {
  const { content, ...rest } = record
  const json = content === undefined ? '' : JSON.stringify(content)
  if (json.length <= inlineRequestBytes && Buffer.byteLength(json) <= inlineRequestBytes) return store.put(record)
  const adopted = await adoptText(blobs, json).catch(error => {
    // The answer of the model is paid for, and without its record the caller would get an error in
    // its place.
    if (!isUnavailable(error) || Buffer.byteLength(json) > mostRowBytes) throw error
    return undefined
  })
  if (adopted === undefined) return store.put(record)
  const { key, bytes, sha256 } = adopted
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

function isUnavailable(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'store_unavailable'
}

function tombstoneOf({ content: _, contentBytes: _bytes, ...record }: ResponseRecord): ResponseRecord {
  return { ...record, isDeleted: true }
}
