/** `node scripts/client-tools.ts`: installs the command line clients that tests in
 *  `src/clients/cli/` run. The versions are exactly those of the lockfile, and no install
 *  scripts are run. Does nothing for clients that are already installed. */
import { lockfile, manifest, toolsFolder } from '../src/clients/cli/testing/client-tools.ts'
import { installWhole } from '../src/clients/testing/clients-folder.ts'
import { npmCi } from './npm-ci.ts'

const folder = toolsFolder()
installWhole(folder, install)
process.stdout.write(`Command line clients: ${folder}\n`)

function install(partial: string): void {
  process.stdout.write('Installing the command line clients of the tests (about 1.2 GB) ...\n')
  npmCi(partial, { manifest, lockfile })
}
