import { hash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** Where clients that are too large for `npm ci` are installed, beside the engine packs in the user's cache. The folder is named after the lockfile (and a second one), so a changed one is
 *  installed anew, and it stands there only when it is whole. */
export function clientsFolder(kind: string, lockfile: URL, second?: URL, env: NodeJS.ProcessEnv = process.env): string {
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const locked = Buffer.concat([readFileSync(lockfile), second ? readFileSync(second) : Buffer.alloc(0)])
  return join(cache, 'generation-gateway', 'clients', `${kind}-${hash('sha256', locked, 'hex').slice(0, 16)}`)
}

/** Has `fill` install into a folder beside this one, which then takes its place: a half-done one is never taken for it. Does nothing where it stands already. */
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

/** Another install may have been faster; its folder is the same. */
function place(partial: string, folder: string): void {
  try {
    renameSync(partial, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
