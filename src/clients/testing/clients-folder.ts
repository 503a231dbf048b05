import { hash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** Returns the folder for clients and servers that tests run and that are too large for `npm ci`.
 *  It is beside the engine packs in the user's cache. Its name contains a hash of the lockfile (and
 *  of the file `second`, if any), so a changed lockfile leads to a new installation. The folder
 *  exists only when the installation is complete. */
export function clientsFolder(kind: string, lockfile: URL, second?: URL, env: NodeJS.ProcessEnv = process.env): string {
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const locked = Buffer.concat([readFileSync(lockfile), second ? readFileSync(second) : Buffer.alloc(0)])
  return join(cache, 'generation-gateway', 'clients', `${kind}-${hash('sha256', locked, 'hex').slice(0, 16)}`)
}

/** Runs `fill`, which installs into a temporary folder, and then moves that folder to `folder`.
 *  An incomplete installation is therefore never used. Does nothing when `folder` exists. */
export function installWhole(folder: string, fill: (partial: string) => void): void {
  if (existsSync(folder)) return
  mkdirSync(dirname(folder), { recursive: true })
  const partial = mkdtempSync(`${folder}.partial-`)
  try {
    fill(partial)
    place(partial, folder)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

/** Moves the temporary folder to its final place. Does nothing when another process has installed
 *  the same folder in the meantime. */
function place(partial: string, folder: string): void {
  try {
    renameSync(partial, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
