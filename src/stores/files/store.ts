import { randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { access, constants, copyFile, type FileHandle, open, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { BlobStore } from '../../core/ports/blobs.ts'
import type { Clock } from '../../core/ports/store.ts'
import { isBroken, isElsewhere, isMissing, writeFault } from './faults.ts'
import { hashFolders, newScratchFolder, syncFolder } from './folders.ts'
import { hashFile } from './hash.ts'
import { readMarker, writeMarker } from './marker.ts'

const keyPattern = /^[0-9a-f]{64}$/
const prefixPattern = /^[0-9a-f]{2}$/

interface Parts {
  blobsFolder: string
  scratchFolder: string
  /** Folder on the same device as the blobs, for files that are about to become blobs, and for
   *  blobs that are about to be removed. */
  movingFolder: string
  /** Device number of the blobs folder: a file elsewhere cannot be renamed into it. */
  device: number
  clock: Clock
  keepAdoptedMs: number
}

/** A blob store that keeps each blob as a file. The file is named by its SHA-256, which is also the
 *  key of the blob. The file's modification time is the time of the last `adopt` or `keep`. Several
 *  nodes may use one folder. */
export class FileBlobStore implements BlobStore {
  readonly place: string
  readonly #parts: Parts
  #failure: string | undefined
  /** False once a file of the same device could not be renamed into the blobs folder. In a
   *  container, the folder of the file and the blobs folder may be separate mounts of one
   *  device. */
  #canMove = true

  constructor(parts: Parts) {
    this.#parts = parts
    this.place = `folder of blobs ${parts.blobsFolder}`
  }

  async adopt(file: string): Promise<{ key: string; bytes: number; sha256: string }> {
    if (this.#failure !== undefined) throw new GatewayError('store_unavailable', this.#failure)
    try {
      return await this.#adopt(file)
    } catch (error) {
      // After a failed fsync, the kernel may mark the unwritten pages as written, so no later
      // success can be trusted.
      if (isBroken(error)) this.#failure = 'The blob store has stopped writing until restart: the disk has failed.'
      throw (await this.#awayFault(error)) ?? writeFault(error)
    }
  }

  async read(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const handle = await this.#open(key)
    return handle.createReadStream(range ?? {})
  }

  async localFile(key: string): Promise<string> {
    const file = this.#path(key)
    try {
      await access(file)
      return file
    } catch (error) {
      throw (await this.#awayFault(error)) ?? missing(error)
    }
  }

  async keep(key: string): Promise<string> {
    const now = new Date(this.#parts.clock.now())
    try {
      await utimes(this.#path(key), now, now)
      return key
    } catch (error) {
      throw (await this.#awayFault(error)) ?? (isMissing(error) ? missing(error) : writeFault(error))
    }
  }

  async remove(key: string): Promise<void> {
    const file = this.#path(key)
    if (!(await this.#isRemovable(file))) return
    const moved = join(this.#parts.movingFolder, randomUUID())
    try {
      // This or another node may adopt the same content (`adopt`) during the removal. After the
      // rename, it writes the file anew. If it adopted the content just before the rename, the
      // moved file has a new modification time and is moved back.
      await rename(file, moved)
      if (await this.#isRemovable(moved)) await rm(moved)
      else await rename(moved, file)
    } catch (error) {
      if (!isMissing(error)) throw writeFault(error)
    }
  }

  async list({ after = '', adoptedBefore, limit }: { after?: string; adoptedBefore: number; limit: number }): Promise<string[]> {
    const keys: string[] = []
    for (const prefix of (await readdir(this.#parts.blobsFolder)).sort()) {
      if (!prefixPattern.test(prefix) || prefix < after.slice(0, 2)) continue
      for (const rest of (await readdir(join(this.#parts.blobsFolder, prefix))).sort()) {
        const key = prefix + rest
        // Operators copy files into this folder, so it may contain files that are not blobs.
        if (!keyPattern.test(key) || key <= after || !(await this.#wasAdoptedBefore(this.#path(key), adoptedBefore))) continue
        keys.push(key)
        if (keys.length >= limit) return keys
      }
    }
    return keys
  }

  async scratch(name: string): Promise<string> {
    return newScratchFolder(this.#parts.scratchFolder, name)
  }

  marker(): Promise<string | undefined> {
    return readMarker(this.#parts.blobsFolder)
  }

  mark(id: string): Promise<string> {
    return writeMarker(this.#parts.blobsFolder, id)
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#parts.blobsFolder)
    return bavail * bsize
  }

  async problem(): Promise<string | undefined> {
    if (this.#failure !== undefined) return this.#failure
    const code = await this.#accessFault()
    return code && `The ${this.place} cannot be used (${code}).`
  }

  async directLink(): Promise<undefined> {
    return undefined
  }

  async #adopt(file: string): Promise<{ key: string; bytes: number; sha256: string }> {
    const { dev } = await stat(file)
    if (dev === this.#parts.device && this.#canMove) {
      try {
        return await this.#moveIn(file)
      } catch (error) {
        if (!isElsewhere(error)) throw error
        this.#canMove = false
      }
    }
    const copy = join(this.#parts.movingFolder, randomUUID())
    try {
      await copyFile(file, copy)
      const adopted = await this.#moveIn(copy)
      await rm(file, { force: true })
      return adopted
    } finally {
      await rm(copy, { force: true })
    }
  }

  async #moveIn(file: string): Promise<{ key: string; bytes: number; sha256: string }> {
    const handle = await open(file, 'r+')
    const { sha256, bytes } = await this.#makeDurable(handle).finally(() => handle.close())
    const target = this.#path(sha256)
    // Replacing a file of the same content changes only its time.
    renameSync(file, target)
    await syncFolder(dirname(target))
    return { key: sha256, bytes, sha256 }
  }

  async #makeDurable(handle: FileHandle): Promise<{ sha256: string; bytes: number }> {
    const now = new Date(this.#parts.clock.now())
    await handle.chmod(0o600)
    await handle.utimes(now, now)
    const hashed = await hashFile(handle)
    await handle.sync()
    return hashed
  }

  /** Returns the error for callers while the folder cannot be reached: a network folder may not
   *  be mounted at the moment, and its blobs are then not lost. Returns undefined when the
   *  folder can be used, and after a failure that only a restart can end. */
  async #awayFault(cause: unknown): Promise<GatewayError | undefined> {
    if (cause instanceof GatewayError || this.#failure !== undefined || (await this.#accessFault()) === undefined) return undefined
    return new GatewayError('store_unavailable', 'The folder of the files cannot be used now.', { cause, retryAfterSeconds: 5 })
  }

  /** Returns the system's error code when the folder, or its first subfolder `00`, cannot be used;
   *  undefined when both can. */
  async #accessFault(): Promise<string | undefined> {
    const { blobsFolder } = this.#parts
    try {
      for (const folder of [blobsFolder, join(blobsFolder, hashFolders[0] ?? '')]) await access(folder, constants.R_OK | constants.W_OK)
      return undefined
    } catch (error) {
      return String(Object(error).code)
    }
  }

  async #open(key: string): Promise<FileHandle> {
    try {
      return await open(this.#path(key), 'r')
    } catch (error) {
      throw (await this.#awayFault(error)) ?? missing(error)
    }
  }

  async #wasAdoptedBefore(file: string, at: number): Promise<boolean> {
    try {
      return (await stat(file)).mtimeMs < at
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  /** False when the file was adopted within the last `keepAdoptedMs`, or is missing. */
  async #isRemovable(file: string): Promise<boolean> {
    const { clock, keepAdoptedMs } = this.#parts
    return this.#wasAdoptedBefore(file, clock.now() - keepAdoptedMs)
  }

  /** Returns the file of a key; an invalid key is treated as missing, and never reaches the file
   *  system. */
  #path(key: string): string {
    if (!keyPattern.test(key)) throw new GatewayError('gone', 'There is no such file.')
    return join(this.#parts.blobsFolder, key.slice(0, 2), key.slice(2))
  }
}

function missing(error: unknown): unknown {
  return isMissing(error) ? new GatewayError('gone', 'The file is no longer there.', { cause: error }) : error
}
