import { type FSWatcher, watch } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

export interface FileWatch {
  close(): void
}

interface FileWatchDeps {
  /** Something about the file may have changed; it may also be the same as before, or gone. */
  onChange(): void
  log: { warn(fields: object, message: string): void }
}

/** Editors write in several steps: the file is looked at once nothing has happened for so long. */
const settleMs = 200
/** For file systems that tell nothing (network mounts) and links this watch does not know. */
const pollMs = 2_000
/** A mounted Kubernetes volume is swapped by renaming the link `..data`. */
const volumeLink = '..data'

/** Watches the folders of the path and of the file it leads to, not the file itself, so that one that is replaced by another is seen too. Never keeps the program from ending. */
export function watchFile(path: string, { onChange, log }: FileWatchDeps): FileWatch {
  const folders = new Map<string, FSWatcher>()
  const unwatchable = new Set<string>()
  const names = new Set([basename(path), volumeLink])
  let settling: NodeJS.Timeout | undefined
  let seen: string | undefined
  let isClosed = false

  const touched = (): void => {
    clearTimeout(settling)
    if (isClosed) return
    settling = setTimeout(() => {
      void watchFolders()
      onChange()
    }, settleMs).unref()
  }
  const watchFolder = (folder: string): void => {
    if (isClosed || folders.has(folder) || unwatchable.has(folder)) return
    const failed = (error: unknown): void => {
      folders.get(folder)?.close()
      folders.delete(folder)
      unwatchable.add(folder)
      log.warn({ err: error, folder }, `the folder cannot be watched; the file is looked at every ${pollMs / 1000} s`)
    }
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null || names.has(name)) touched()
      })
      watcher.on('error', failed)
      folders.set(folder, watcher)
    } catch (error) {
      failed(error)
    }
  }
  const watchFolders = async (): Promise<void> => {
    // While it is missing there is only its own folder to watch.
    const real = await realpath(path).catch(() => path)
    names.add(basename(real))
    const wanted = new Set([dirname(path), dirname(real)])
    for (const [folder, watcher] of folders) {
      if (wanted.has(folder)) continue
      watcher.close()
      folders.delete(folder)
    }
    for (const folder of wanted) watchFolder(folder)
  }
  const poll = async (): Promise<void> => {
    const print = await fingerprint(path)
    if (seen !== undefined && print !== seen) touched()
    seen = print
  }
  const polling = setInterval(() => void poll(), pollMs).unref()
  void poll()
  watchFolder(dirname(path))
  void watchFolders()
  return {
    close: () => {
      isClosed = true
      clearTimeout(settling)
      clearInterval(polling)
      for (const watcher of folders.values()) watcher.close()
    },
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
