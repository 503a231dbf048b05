/** `node scripts/postgres.ts`: installs the PostgreSQL servers that tests start. Version 18 is
 *  installed into the user's cache, exactly as the lockfile says and without install scripts.
 *  For root on Debian or Ubuntu, the package of the system is installed as well, if the machine
 *  has no server of version 15 or later. Servers that are already installed are not changed. */
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

/** Creates the links between the libraries. A tarball of npm cannot contain links, so a file in
 *  the package lists them. */
function linkLibraries(folder: string): void {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) symlinkSync(relative(dirname(target), source), join(folder, target))
}

function installSystem(): void {
  if (!('missing' in findPostgres(15)) || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  process.stdout.write('Installing the package postgresql, without a database of its own ...\n')
  // This setting stops the Debian package from creating a database and starting a server for it.
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
