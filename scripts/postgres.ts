/** `node scripts/postgres.ts`: installs the PostgreSQL servers that tests start. Version 18
 *  comes into the user's cache, exactly as its lockfile says and without any install script; on
 *  Debian and Ubuntu, and as root, the system's package is installed where there is no server of
 *  version 15 or later. Leaves installed servers unchanged. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { installWhole } from '../src/clients/testing/clients-folder.ts'
import { fetchedFolder, fetchedPackage, findPostgres, lockfile, manifest, noBuild } from '../src/stores/postgres/testing/binaries.ts'
import { npmCi } from './npm-ci.ts'

installSystem()
if (noBuild() === undefined) installWhole(fetchedFolder(), fetch)
for (const version of [15, 18] as const) {
  const found = findPostgres(version)
  process.stdout.write(`PostgreSQL ${version}: ${'missing' in found ? `none; its tests are skipped. This ${found.missing}` : found.bin}\n`)
}

function fetch(partial: string): void {
  process.stdout.write('Installing PostgreSQL 18 for the tests (61 MB) ...\n')
  npmCi(partial, { manifest, lockfile })
  linkLibraries(join(partial, fetchedPackage))
}

/** Creates the links between libraries, which a tarball of npm cannot contain; a file of the
 *  package lists them. */
function linkLibraries(folder: string): void {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) symlinkSync(relative(dirname(target), source), join(folder, target))
}

function installSystem(): void {
  if (!('missing' in findPostgres(15)) || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  process.stdout.write('Installing the package postgresql, without a database of its own ...\n')
  // By default the Debian package would create a database and start a server for it.
  mkdirSync('/etc/postgresql-common/createcluster.d', { recursive: true })
  writeFileSync('/etc/postgresql-common/createcluster.d/no-cluster.conf', 'create_main_cluster = false\n')
  aptGet('update', '-qq')
  aptGet('install', '-y', '-qq', '--no-install-recommends', 'postgresql')
}

function aptGet(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, error } = spawnSync('apt-get', args, { env, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) throw new Error(`apt-get ${args[0]} failed; PostgreSQL cannot be installed`)
}
