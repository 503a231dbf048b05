/** Reads the contents of stored responses from the blob store. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { FairQueue } from '@generation-gateway/kit/process/fair-queue.ts'
import type { BlobStore } from './ports/blobs.ts'
import type { Clock, ResponseRecord, ResponseStore } from './ports/store.ts'
import { readJson } from './read-json.ts'

/** `places`: the number of callers whose contents are read at the same time. `paused`: the largest
 *  number of further callers whose reads may be interrupted, in favour of other accounts, while a
 *  part of their contents is in memory. */
const readers = { places: 2, paused: 2 }
/** Rough number of bytes that are read in a millisecond. The queue of the readers uses it to
 *  estimate how long a read will take. */
const bytesPerMs = 100_000

interface ReaderDeps {
  store: Pick<ResponseStore, 'get' | 'contentBlob'>
  blobs: Pick<BlobStore, 'read'>
  clock: Clock
}

/** The account for which contents are read, and a signal that is aborted when the caller
 *  disconnects. */
export interface Reader {
  accountId: string
  signal(): AbortSignal
}

/** Returns the record with its content; undefined when the response has expired or was deleted in
 *  the meantime. */
type ReadContent = (record: ResponseRecord) => Promise<ResponseRecord | undefined>

/** Limits how many callers read contents at the same time, because parsed contents are as large as
 *  a request, and no quota limits reads. The places are shared fairly between accounts. */
export class ContentReaders {
  readonly #places = new FairQueue(readers)
  readonly #deps: ReaderDeps

  constructor(deps: ReaderDeps) {
    this.#deps = deps
  }

  /** Waits for a free place, runs `use` and returns its result. Before each content is read, the
   *  place may pass to another account for a while. `use` must not call this method again, because
   *  that call would wait for the place that `use` occupies. `bytes` is the size of all contents
   *  together, as far as it is known. */
  async read<Result>(
    { accountId: account, signal }: Reader,
    bytes: number,
    use: (readContent: ReadContent) => Promise<Result>,
  ): Promise<Result> {
    using place = await this.#places.take({ account, workMs: bytes / bytesPerMs, signal: signal() })
    return await use(async record => {
      if (!isBlob(record)) return record
      await place.giveWay()
      return contentOfBlob(this.#deps, record)
    })
  }

  /** Returns the record with its content, as `ReadContent` does. */
  async readOne(reader: Reader, record: ResponseRecord): Promise<ResponseRecord | undefined> {
    return isBlob(record) ? this.read(reader, 0, readContent => readContent(record)) : record
  }
}

/** Returns true when the content of the record may be a blob. */
export function isBlob({ content, isDeleted, target }: ResponseRecord): boolean {
  return content === undefined && !isDeleted && target === undefined
}

async function contentOfBlob({ store, blobs, clock }: ReaderDeps, record: ResponseRecord): Promise<ResponseRecord | undefined> {
  let missing: string | undefined
  for (;;) {
    const blob = await store.contentBlob(record.id)
    // Two kinds of responses have no blob: a background response that has not ended, and a response
    // that was deleted or replaced after its row was read.
    if (blob === undefined) return ending(await store.get(record.id, clock.now()))
    try {
      return { ...record, content: await readJson(blobs, blob) }
    } catch (error) {
      // The first time that the bytes are missing, the blob was perhaps replaced during the read,
      // so the row is read again. If the same blob is missing a second time, it is lost. Other
      // errors are thrown at once.
      if (!(error instanceof GatewayError) || error.code !== 'gone' || missing === blob.key) throw error
      missing = blob.key
    }
  }
}

function ending(record: ResponseRecord | undefined): ResponseRecord | undefined {
  return record === undefined || record.isDeleted ? undefined : record
}
