import { type FSWatcher, watch } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

interface FileWatchDeps {
  /** Called when the file may have changed. It may also be unchanged, or deleted. */
  onChange(): void
  log: { warn(fields: object, message: string): void }
}

/** Time in ms for which a file must be unchanged before it is read, because editors write a file
 *  in several steps. */
const settleMs = 200
/** Interval in ms at which the file is polled as well. Network file systems may not report changes,
 *  and a change of a symbolic link in the middle of the path is not reported either. */
const pollMs = 2_000
/** Name of the link inside a Kubernetes volume that is mounted from a ConfigMap or Secret.
 *  Kubernetes replaces this link when the contents change. */
const volumeLink = '..data'

/** Watches the folder of the path, and the folder of the file to which the path leads through
 *  links. Watching folders instead of the file also detects that the file was replaced by
 *  another one. Does not keep the program alive. */
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
    // While the file is missing, its links cannot be resolved. Only the folder of the path is then
    // watched.
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
