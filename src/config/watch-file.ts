import { type FSWatcher, watch } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

interface FileWatchDeps {
  /** Called when the file may have changed; it may also be the same as before, or gone. */
  onChange(): void
  log: { warn(fields: object, message: string): void }
}

/** Editors write in several steps: the file is read once nothing has happened for this long. */
const settleMs = 200
/** For file systems that report no changes (network mounts) and links that this watch does not
 *  know. */
const pollMs = 2_000
/** A mounted Kubernetes volume is swapped by renaming the link `..data`. */
const volumeLink = '..data'

/** Watches the folders of the path and of the file it leads to, not the file itself, so that a
 *  file replaced by another is noticed too. Never keeps the program alive. */
export class FileWatch {
  readonly #path: string
  readonly #deps: FileWatchDeps
  readonly #folders = new Map<string, FSWatcher>()
  readonly #unwatchable = new Set<string>()
  readonly #names: Set<string>
  readonly #polling: NodeJS.Timeout
  #settling: NodeJS.Timeout | undefined
  #seen: string | undefined
  #isClosed = false

  constructor(path: string, deps: FileWatchDeps) {
    this.#path = path
    this.#deps = deps
    this.#names = new Set([basename(path), volumeLink])
    this.#polling = setInterval(() => void this.#poll(), pollMs).unref()
    void this.#poll()
    this.#watchFolder(dirname(path))
    void this.#watchFolders()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#settling)
    clearInterval(this.#polling)
    for (const watcher of this.#folders.values()) watcher.close()
  }

  #touched(): void {
    clearTimeout(this.#settling)
    if (this.#isClosed) return
    this.#settling = setTimeout(() => {
      void this.#watchFolders()
      this.#deps.onChange()
    }, settleMs).unref()
  }

  #watchFolder(folder: string): void {
    if (this.#isClosed || this.#folders.has(folder) || this.#unwatchable.has(folder)) return
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null || this.#names.has(name)) this.#touched()
      })
      watcher.on('error', error => this.#failed(folder, error))
      this.#folders.set(folder, watcher)
    } catch (error) {
      this.#failed(folder, error)
    }
  }

  #failed(folder: string, error: unknown): void {
    this.#folders.get(folder)?.close()
    this.#folders.delete(folder)
    this.#unwatchable.add(folder)
    this.#deps.log.warn({ err: error, folder }, `the folder cannot be watched; the file is looked at every ${pollMs / 1000} s`)
  }

  async #watchFolders(): Promise<void> {
    // While it is missing, only its own folder can be watched.
    const real = await realpath(this.#path).catch(() => this.#path)
    this.#names.add(basename(real))
    const wanted = new Set([dirname(this.#path), dirname(real)])
    for (const [folder, watcher] of this.#folders) {
      if (wanted.has(folder)) continue
      watcher.close()
      this.#folders.delete(folder)
    }
    for (const folder of wanted) this.#watchFolder(folder)
  }

  async #poll(): Promise<void> {
    const print = await fingerprint(this.#path)
    if (this.#seen !== undefined && print !== this.#seen) this.#touched()
    this.#seen = print
  }
}

async function fingerprint(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeMs } = await stat(path)
    return `${dev}:${ino}:${size}:${mtimeMs}`
  } catch {
    return 'missing'
  }
}
