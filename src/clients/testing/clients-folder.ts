import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where clients that are too large for `npm ci` are installed, beside the engine packs in the user's cache. The folder is named after the lockfile, so a changed one is
 *  installed anew, and it stands there only when it is whole. */
export function clientsFolder(kind: string, lockfile: URL, env: NodeJS.ProcessEnv = process.env): string {
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'generation-gateway', 'clients', `${kind}-${hash('sha256', readFileSync(lockfile), 'hex').slice(0, 16)}`)
}
