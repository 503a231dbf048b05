/** `node scripts/provider-packages.ts`: installs the provider packages of the AI SDK that tests in
 *  `src/drivers/vendors/ai-sdk/providers/` run. The versions are exactly those of the lockfile, and
 *  no install scripts are run. Does nothing when they are already installed. */
import { installWhole } from '../src/clients/testing/clients-folder.ts'
import { lockfile, manifest, packagesFolder } from '../src/drivers/vendors/ai-sdk/providers/testing/packages.ts'
import { npmCi } from './npm-ci.ts'

const folder = packagesFolder()
installWhole(folder, install)
process.stdout.write(`Provider packages of the AI SDK: ${folder}\n`)

function install(partial: string): void {
  process.stdout.write('Installing the provider packages of the tests (about 60 MB) ...\n')
  npmCi(partial, { manifest, lockfile })
}
