/** The S3 servers of this machine that tests start. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The S3 server versitygw (licence Apache-2.0), which the Go toolchain builds from the module
 *  proxy in the version below. */
export const versityModule = 'github.com/versity/versitygw/cmd/versitygw'
export const versityVersion = 'v1.8.0'

export type S3Program = { kind: 'versitygw'; path: string } | { kind: 'swift' }

/** Folder, in the user's cache, of the program that scripts/s3-server.ts builds. */
export function versityFolder(env: NodeJS.ProcessEnv = process.env): string {
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'generation-gateway', 'clients', `versitygw-${versityVersion}`)
}

/** Returns the server to start, or the reason why this machine has none. With
 *  GATEWAY_TEST_S3=swift, versitygw is not used even if it is there. */
export function findS3(): S3Program | { missing: string } {
  const path = join(versityFolder(), 'versitygw')
  if (existsSync(path) && process.env.GATEWAY_TEST_S3 !== 'swift') return { kind: 'versitygw', path }
  if (hasSwift()) return { kind: 'swift' }
  return { missing: 'needs versitygw (node scripts/s3-server.ts, with the Go toolchain) or Swift with s3api (packages of Debian)' }
}

function hasSwift(): boolean {
  return (
    ['proxy', 'account', 'container', 'object'].every(part => existsSync(`/usr/bin/swift-${part}-server`)) &&
    existsSync('/usr/bin/memcached')
  )
}

/** Options of a test that starts a server. The test is skipped, with the reason, in a run of all
 *  tests, and where there is no server. With GATEWAY_REQUIRE_S3=1 it runs and fails where there
 *  is no server. */
export function needS3(): { skip?: string } {
  if (process.env.GATEWAY_TEST_S3 === 'apart') return { skip: 'runs in a step of its own: npm run test:s3' }
  const found = findS3()
  return 'missing' in found && process.env.GATEWAY_REQUIRE_S3 !== '1' ? { skip: found.missing } : {}
}
