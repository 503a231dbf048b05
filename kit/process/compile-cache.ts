/** What Node compiled of an engine's modules, kept for the next process of it: loading them then takes less than half the time. */
import { mkdirSync } from 'node:fs'
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { join } from 'node:path'

const variable = 'NODE_COMPILE_CACHE'

/** What a process is started with that keeps compiled modules: a folder of its own in that of this process, and the right to write there until `sealCompileCache`. Nothing when this process keeps none, or may not write. */
export function compileCache(): { flags: string[]; environment: Record<string, string> } {
  const ours = getCompileCacheDir()
  if (ours === undefined) return { flags: [], environment: {} }
  const folder = join(ours, 'engines')
  try {
    // Node takes a path that is not there for that of a file.
    mkdirSync(folder, { recursive: true })
  } catch {
    return { flags: [], environment: {} }
  }
  return { flags: [`--allow-fs-write=${folder}`], environment: { [variable]: folder } }
}

/** Keeps what was compiled so far, and gives up the right to: a process that has been taken over could leave code for the next. Call it before the process reads anything from outside. */
export function sealCompileCache(): void {
  const folder = process.env[variable]
  if (folder === undefined) return
  flushCompileCache()
  process.permission?.drop('fs.write', folder)
}
