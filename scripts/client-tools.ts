/** `node scripts/client-tools.ts`: installs the command line clients that tests of
 *  `src/clients/cli/` drive, exactly in the versions of their lockfile and without any install
 *  script. Leaves installed clients unchanged. */
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockfile, manifest, toolsFolder } from '../src/clients/cli/testing/client-tools.ts'
import { installWhole } from '../src/clients/testing/clients-folder.ts'

const folder = toolsFolder()
installWhole(folder, install)
process.stdout.write(`Command line clients: ${folder}\n`)

function install(partial: string): void {
  process.stdout.write('Installing the command line clients of the tests (about 740 MB) ...\n')
  copyFileSync(manifest, join(partial, 'package.json'))
  copyFileSync(lockfile, join(partial, 'package-lock.json'))
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error } = spawnSync('npm', args, { cwd: partial, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) throw new Error('npm ci could not install the command line clients')
}
