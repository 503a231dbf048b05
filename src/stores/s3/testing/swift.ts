/** Swift with its S3 interface: four servers and memcached, with one device and one replica, from
 *  the packages of Debian. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A program of Swift, in a folder of its own. */
export interface SwiftPart {
  name: string
  program: string
  args: readonly string[]
  port: number
}

interface SwiftPorts {
  proxy: number
  account: number
  container: number
  object: number
  memcached: number
}

/** Keys of the account that `writeSwift` creates. */
export const swiftKeys = { accessKeyId: 'test:tester', secretAccessKey: 'testsecretkey' }

const kinds = ['account', 'container', 'object'] as const

/** Writes the whole configuration into the folder. Returns the programs in the order of their
 *  start; the last one serves S3. */
export function writeSwift(folder: string, ports: SwiftPorts): SwiftPart[] {
  mkdirSync(join(folder, 'devices/d1'), { recursive: true })
  writeFileSync(join(folder, 'swift.conf'), '[swift-hash]\nswift_hash_path_prefix = test\nswift_hash_path_suffix = test\n')
  for (const kind of kinds) {
    makeRing(folder, kind, ports[kind])
    writeFileSync(join(folder, `${kind}.conf`), storageConfig(folder, kind, ports[kind]))
  }
  writeFileSync(join(folder, 'proxy.conf'), proxyConfig(folder, ports))
  const server = (name: keyof SwiftPorts, kind: string): SwiftPart => ({
    name,
    program: `/usr/bin/swift-${kind}-server`,
    args: [join(folder, `${name}.conf`)],
    port: ports[name],
  })
  const memory = ['-u', 'nobody', '-l', '127.0.0.1', '-p', String(ports.memcached), '-m', '16']
  return [
    { name: 'memcached', program: '/usr/bin/memcached', args: memory, port: ports.memcached },
    ...kinds.map(kind => server(kind, kind)),
    server('proxy', 'proxy'),
  ]
}

function makeRing(folder: string, kind: string, port: number): void {
  const builder = join(folder, `${kind}.builder`)
  const device = ['--region', '1', '--zone', '1', '--ip', '127.0.0.1', '--port', String(port), '--device', 'd1', '--weight', '1']
  for (const args of [['create', '2', '1', '0'], ['add', ...device], ['rebalance']]) {
    const { status, stdout, stderr } = spawnSync('swift-ring-builder', [builder, ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`swift-ring-builder ${args[0]} failed: ${stdout}${stderr}`)
  }
}

function defaults(folder: string, port: number): string {
  const user = process.getuid?.() === 0 ? 'user = root\n' : ''
  return `[DEFAULT]\nswift_dir = ${folder}\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\n${user}`
}

function storageConfig(folder: string, kind: string, port: number): string {
  return `${defaults(folder, port)}devices = ${folder}/devices
mount_check = false
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`
}

function proxyConfig(folder: string, { proxy, memcached }: SwiftPorts): string {
  return `${defaults(folder, proxy)}[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${swiftKeys.secretAccessKey} .admin
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
${['catch_errors', 'gatekeeper', 'healthcheck', 'listing_formats', 'bulk', 'slo', 'dlo', 'copy', 'versioned_writes', 'symlink']
  .map(filter => `[filter:${filter}]\nuse = egg:swift#${filter}\n`)
  .join('')}`
}
