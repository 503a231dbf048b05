/** Copies of blobs on the local disk, for engines, which read their inputs by path. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, copyFile, link, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { sha256Of } from './keys.ts'

interface CacheOptions {
  /** Folder of the copies, empty at the beginning. Only this process uses it. */
  folder: string
  /** Bytes that the copies may take together. */
  mostBytes: number
  fetch(key: string): Promise<NodeJS.ReadableStream>
}

interface Copy {
  path: string
  bytes: number
}

/** A caller who waits until the file `target` has the blob. */
interface Waiting {
  target: string
  resolve(): void
  reject(error: unknown): void
}

/** Modification time of each copy. Another time shows that a reader has written into the copy. */
const stamp = new Date(0)

/** Keeps the blobs that were used last. A caller gets a further name (hard link) of a copy, so a
 *  copy that leaves the cache stays readable until its last caller has removed that name. */
export class BlobCache {
  readonly #options: CacheOptions
  /** The least recently used copy is the first. */
  readonly #copies = new Map<string, Copy>()
  /** The callers who wait for a blob that is being fetched, by the key of the blob. */
  readonly #fetching = new Map<string, Waiting[]>()
  #bytes = 0
  #names = 0

  constructor(options: CacheOptions) {
    this.#options = options
  }

  /** Creates the file `target` with the bytes of the blob, from a copy or from the bucket. Throws
   *  the errors of `fetch` and of the file system, and `store_unavailable` when the bucket has
   *  other bytes than were stored. */
  async place(key: string, target: string): Promise<void> {
    if (await this.#placeCopy(key, target)) return
    const { promise, ...settle } = Promise.withResolvers<void>()
    const waiting = { target, ...settle }
    const fetching = this.#fetching.get(key)
    if (fetching) fetching.push(waiting)
    else void this.#fetchFor(key, [waiting])
    return promise
  }

  /** Fetches the blob once for all callers who wait for it, including those who arrive during the
   *  download. Never throws. */
  async #fetchFor(key: string, waiting: Waiting[]): Promise<void> {
    this.#fetching.set(key, waiting)
    const path = this.#newPath()
    const ends: (() => void)[] = []
    try {
      await this.#fetch(key, path)
      for (const { target, resolve, reject } of waiting)
        ends.push(
          await linkOrCopy(path, target).then(
            () => resolve,
            error => () => reject(error),
          ),
        )
      this.#fetching.delete(key)
      await this.#take(key, path)
    } catch (error) {
      this.#fetching.delete(key)
      // A caller who already has the file is not affected, because a promise is settled only once.
      for (const { reject } of waiting) ends.push(() => reject(error))
      await rm(path, { force: true }).catch(() => {})
    }
    for (const end of ends) end()
  }

  /** Moves a file with the bytes of the blob into the cache. Removes the file when this fails. */
  async add(key: string, file: string): Promise<void> {
    const path = this.#newPath()
    try {
      await rename(file, path)
      await chmod(path, 0o600)
      await this.#take(key, path)
    } catch {
      for (const each of [file, path]) await rm(each, { force: true })
    }
  }

  async drop(key: string): Promise<void> {
    const copy = this.#copies.get(key)
    if (copy === undefined) return
    this.#copies.delete(key)
    this.#bytes -= copy.bytes
    await rm(copy.path, { force: true })
  }

  /** Removes all copies. */
  async clear(): Promise<void> {
    for (const key of [...this.#copies.keys()]) await this.drop(key)
  }

  /** Creates the file `target` from the copy. Returns false when there is no copy, or when a
   *  reader has changed it. */
  async #placeCopy(key: string, target: string): Promise<boolean> {
    const copy = this.#copies.get(key)
    if (copy === undefined) return false
    this.#copies.delete(key)
    this.#copies.set(key, copy)
    try {
      await linkOrCopy(copy.path, target)
      const { size, mtimeMs } = await stat(target)
      if (size === copy.bytes && mtimeMs === stamp.getTime()) return true
    } catch {
      // The copy was removed meanwhile.
    }
    await rm(target, { force: true })
    if (this.#copies.get(key) === copy) await this.drop(key)
    return false
  }

  async #fetch(key: string, path: string): Promise<void> {
    const hash = createHash('sha256')
    const source = await this.#options.fetch(key)
    await pipeline(
      source,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    )
    if (hash.digest('hex') !== sha256Of(key))
      throw new GatewayError('store_unavailable', 'The bucket has other bytes of the file than were stored.')
  }

  async #take(key: string, path: string): Promise<void> {
    await utimes(path, stamp, stamp)
    const { size: bytes } = await stat(path)
    // The next lines must not await anything, because another download of the same blob may end
    // meanwhile.
    const earlier = this.#copies.get(key)
    this.#copies.delete(key)
    this.#copies.set(key, { path, bytes })
    this.#bytes += bytes - (earlier?.bytes ?? 0)
    if (earlier) await rm(earlier.path, { force: true })
    for (const oldest of [...this.#copies.keys()]) {
      if (this.#bytes <= this.#options.mostBytes) return
      await this.drop(oldest)
    }
  }

  #newPath(): string {
    this.#names += 1
    return join(this.#options.folder, `copy-${this.#names}`)
  }
}

/** Creates `target` as a hard link to the file, or as a copy where a hard link is not possible,
 *  such as on another file system. */
async function linkOrCopy(path: string, target: string): Promise<void> {
  try {
    await link(path, target)
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'].includes(Object(error).code)) throw error
    await copyFile(path, target)
    await utimes(target, stamp, stamp)
  }
}
