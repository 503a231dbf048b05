import { hash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** Folder of clients and servers that tests drive and that are too large for `npm ci`, beside the
 *  engine packs in the user's cache.
 *  Its name contains the hash of the lockfile (and of a second one), so a changed lockfile is
 *  installed anew; the folder exists only when it is complete. */
export function clientsFolder(kind: string, lockfile: URL, second?: URL, env: NodeJS.ProcessEnv = process.env): string {
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const locked = Buffer.concat([readFileSync(lockfile), second ? readFileSync(second) : Buffer.alloc(0)])
  return join(cache, 'generation-gateway', 'clients', `${kind}-${hash('sha256', locked, 'hex').slice(0, 16)}`)
}

/** Lets `fill` install into a temporary folder, which then takes the place of `folder`, so that an
 *  incomplete installation is never used. Does nothing when `folder` exists. */
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

/** Moves the temporary folder to its final place. A concurrent installation may have finished
 *  first; its folder has the same content. */
function place(partial: string, folder: string): void {
  try {
    renameSync(partial, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
