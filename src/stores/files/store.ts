import { renameSync, statSync, unlinkSync } from 'node:fs'
import { access, copyFile, type FileHandle, mkdtemp, open, readdir, rm, stat, statfs, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { BlobStore } from '../../core/ports/blobs.ts'
import type { Clock } from '../../core/ports/store.ts'
import { isBroken, isMissing, writeFault } from './faults.ts'
import { syncFolder } from './folders.ts'
import { hashFile } from './hash.ts'

const keyPattern = /^[0-9a-f]{64}$/

interface Parts {
  blobsFolder: string
  scratchFolder: string
  /** Device number of the blobs folder: a file elsewhere cannot be renamed into it. */
  device: number
  clock: Clock
  keepAdoptedMs: number
}

/** Blobs as files named by their SHA-256, which is also their key. A file's modification time is
 *  that of its last adoption. */
export class FileBlobStore implements BlobStore {
  readonly #parts: Parts
  #failure: string | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async adopt(file: string): Promise<{ key: string; bytes: number; sha256: string }> {
    if (this.#failure !== undefined) throw new GatewayError('store_unavailable', this.#failure)
    try {
      return await this.#adopt(file)
    } catch (error) {
      // After a failed fsync the kernel may mark the same pages clean, so no later success can
      // be trusted.
      if (isBroken(error)) this.#failure = 'The blob store has stopped writing until restart: the disk has failed.'
      throw writeFault(error)
    }
  }

  async read(key: string, range?: { start: number; end: number }): Promise<NodeJS.ReadableStream> {
    const handle = await this.#open(key)
    return handle.createReadStream(range ?? {})
  }

  async localFile(key: string): Promise<string> {
    const file = this.#path(key)
    try {
      await access(file)
      return file
    } catch (error) {
      throw missing(error)
    }
  }

  async keep(key: string): Promise<void> {
    const now = new Date(this.#parts.clock.now())
    try {
      await utimes(this.#path(key), now, now)
    } catch (error) {
      throw isMissing(error) ? missing(error) : writeFault(error)
    }
  }

  async remove(key: string): Promise<void> {
    const file = this.#path(key)
    const { clock, keepAdoptedMs } = this.#parts
    try {
      // Synchronous, so that the same content cannot be adopted in between.
      if (statSync(file).mtimeMs > clock.now() - keepAdoptedMs) return
      unlinkSync(file)
    } catch (error) {
      if (!isMissing(error)) throw writeFault(error)
    }
  }

  async list({ after = '', adoptedBefore, limit }: { after?: string; adoptedBefore: number; limit: number }): Promise<string[]> {
    const keys: string[] = []
    for (const prefix of (await readdir(this.#parts.blobsFolder)).sort()) {
      if (prefix < after.slice(0, 2)) continue
      for (const rest of (await readdir(join(this.#parts.blobsFolder, prefix))).sort()) {
        const key = prefix + rest
        if (key <= after || !(await this.#wasAdoptedBefore(key, adoptedBefore))) continue
        keys.push(key)
        if (keys.length >= limit) return keys
      }
    }
    return keys
  }

  async scratch(name: string): Promise<string> {
    const safeName = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)
    try {
      return await mkdtemp(join(this.#parts.scratchFolder, `${safeName}-`))
    } catch (error) {
      throw writeFault(error)
    }
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#parts.blobsFolder)
    return bavail * bsize
  }

  async #adopt(file: string): Promise<{ key: string; bytes: number; sha256: string }> {
    const { dev } = await stat(file)
    if (dev === this.#parts.device) return this.#moveIn(file)
    const folder = await this.scratch('adopt')
    try {
      const copy = join(folder, basename(file))
      await copyFile(file, copy)
      const adopted = await this.#moveIn(copy)
      await rm(file, { force: true })
      return adopted
    } finally {
      await rm(folder, { recursive: true, force: true })
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

  async #open(key: string): Promise<FileHandle> {
    try {
      return await open(this.#path(key), 'r')
    } catch (error) {
      throw missing(error)
    }
  }

  async #wasAdoptedBefore(key: string, at: number): Promise<boolean> {
    try {
      return (await stat(this.#path(key))).mtimeMs < at
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
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
