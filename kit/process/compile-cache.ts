/** Keeps Node's compiled code of an engine's modules for the engine's next process, which then
 *  loads them in less than half the time. */
import { mkdirSync } from 'node:fs'
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { join } from 'node:path'

const variable = 'NODE_COMPILE_CACHE'

/** Returns flags and environment for a process that stores compiled modules. They name a subfolder
 *  of this process's cache and allow the process to write there until it calls `sealCompileCache`.
 *  Both are empty when this process has no cache or cannot create the subfolder. */
export function compileCache(): { flags: string[]; environment: Record<string, string> } {
  const ours = getCompileCacheDir()
  if (ours === undefined) return { flags: [], environment: {} }
  const folder = join(ours, 'engines')
  try {
    // The folder is created first, because Node treats a path that does not exist as the path of a
    // file.
    mkdirSync(folder, { recursive: true })
  } catch {
    return { flags: [], environment: {} }
  }
  return { flags: [`--allow-fs-write=${folder}`], environment: { [variable]: folder } }
}

/** Saves the code compiled so far and gives up the permission to write to the cache. Otherwise a
 *  compromised process could store malicious code that the next process would run. Call it before
 *  the process reads any input from outside. */
export function sealCompileCache(): void {
  const folder = process.env[variable]
  if (folder === undefined) return
  flushCompileCache()
  process.permission?.drop('fs.write', folder)
}
