/** Provides the base image of the Containerfile. */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { hasProgram } from '../has-program.ts'
import { importFolder, podman, podmanCan, runProgram, timed } from './podman.ts'

/** Makes sure that podman's store contains the base image. The image is pulled; when no registry of
 *  images answers, it is built from Debian packages and the Node that runs this program. Returns
 *  undefined when the image is there, otherwise a sentence with the reason. */
export async function provideBase(image: string): Promise<string | undefined> {
  if (podmanCan(['image', 'exists', image])) return undefined
  if (podmanCan(['pull', '--quiet', image], 120_000)) return undefined
  if (!hasProgram('debootstrap')) return `${image} cannot be pulled, and debootstrap is not installed`
  if (process.getuid?.() !== 0) return `${image} cannot be pulled, and debootstrap needs root`
  process.stdout.write(`${image} cannot be pulled; a stand-in is built.\n`)
  await timed('stand-in of the base image', () => buildStandIn(image))
  return undefined
}

/** Builds an image with the same contents as `node:...-bookworm-slim`: Debian 12, the libraries
 *  that Node needs, Node and npm. The image also trusts the certificates in the file
 *  NODE_EXTRA_CA_CERTS, if this variable is set, because `npm ci` may need them. */
async function buildStandIn(image: string): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'gateway-base-'))
  try {
    runProgram('debootstrap', ['--variant=minbase', '--include=libatomic1,libstdc++6', 'bookworm', root, debianMirror()])
    for (const path of globSync(['var/cache/apt/archives/*.deb', 'var/lib/apt/lists/*', 'usr/share/{doc,man,locale,info}/*'], {
      cwd: root,
    }))
      rmSync(join(root, path), { recursive: true })
    cpSync(process.execPath, join(root, 'usr/local/bin/node'), { dereference: true })
    cpSync(npmFolder(), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
    const certificates = process.env.NODE_EXTRA_CA_CERTS
    if (certificates !== undefined) cpSync(certificates, join(root, 'etc/machine-certificates.crt'), { dereference: true })
    await importFolder(root, `localhost/${image}`, [
      `ENV NODE_VERSION=${process.versions.node}`,
      ...(certificates === undefined ? [] : ['ENV NODE_EXTRA_CA_CERTS=/etc/machine-certificates.crt']),
    ])
    podman(['image', 'exists', image])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Returns the address from which this machine installs Debian packages. */
function debianMirror(): string {
  const files = globSync(['/etc/apt/sources.list.d/*.sources', '/etc/apt/sources.list', '/etc/apt/sources.list.d/*.list'])
  for (const file of files) {
    const [, address] = /^(?:URIs:|deb(?: \[.*?\])?) *(\S+)/m.exec(readFileSync(file, 'utf8')) ?? []
    if (address !== undefined) return address
  }
  throw new Error('No source of Debian packages is configured on this machine')
}

/** Returns the folder of the npm that is on the PATH. */
function npmFolder(): string {
  const { stdout } = spawnSync('npm', ['root', '--global'], { encoding: 'utf8' })
  return join(dirname(stdout.trim()), 'node_modules', 'npm')
}
