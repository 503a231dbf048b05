/** `node scripts/s3-server.ts`: builds versitygw, the S3 server that tests start, with the Go
 *  toolchain, and installs it in the user's cache. Does nothing when it is installed already. The
 *  build runs with low priority and takes some minutes. */
import { spawnSync } from 'node:child_process'
import { installWhole } from '../src/clients/testing/clients-folder.ts'
import { findS3, versityFolder, versityModule, versityVersion } from '../src/stores/s3/testing/binaries.ts'
import { hasProgram } from './has-program.ts'

const buildMs = 8 * 60_000

if (hasProgram('go', ['version'])) installWhole(versityFolder(), build)
const found = findS3()
if (!('missing' in found)) process.stdout.write(`S3 server of the tests: ${found.kind === 'versitygw' ? found.path : 'Swift with s3api'}\n`)
else process.stdout.write(`S3 server of the tests: none; its tests are skipped. This ${found.missing}\n`)

/** Builds the server. Go's module proxy and checksum database ensure that the source code is the
 *  same in every build. */
function build(folder: string): void {
  process.stdout.write(`Building versitygw ${versityVersion} for the tests ...\n`)
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-p=2', CGO_ENABLED: '0' }
  const { status, error } = spawnSync('nice', ['go', 'install', `${versityModule}@${versityVersion}`], {
    env,
    stdio: 'inherit',
    timeout: buildMs,
  })
  if (error) throw error
  if (status !== 0) throw new Error('versitygw could not be built')
}
