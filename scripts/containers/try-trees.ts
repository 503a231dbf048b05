/** Checks the contents of the images on machines without podman: builds the file trees of the
 *  images in a folder, and starts the program from there. When this process is root, the program
 *  runs as the user nobody. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, globSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/testing/free-port.ts'
import { buildTree, type TreeSource } from './build-tree.ts'
import { timed } from './podman.ts'
import { accessKey, drawPicture, mostGatewayBytes, relayYaml, untilHealthy } from './try-gateway.ts'

const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Builds both trees, prints their sizes and starts a gateway from each. Requests a picture from
 *  the full one, and then one from the other, which relays the request to the full one. Throws when
 *  a check fails. */
export async function tryTrees(source: TreeSource): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'gateway-trees-'))
  const running: Running[] = []
  try {
    chmodSync(root, 0o755)
    copyFileSync(process.execPath, join(root, 'node'))
    const trees = { gateway: join(root, 'gateway'), full: join(root, 'full') }
    const gateway = await timed('tree of the image gateway', () => buildTree(source, 'gateway-tree', trees.gateway))
    const bytes = bytesOf(trees.gateway)
    process.stdout.write(`gateway: ${megabytes(bytes)} above the base image\n`)
    assert.ok(bytes <= mostGatewayBytes, `${bytes} bytes are more than ${mostGatewayBytes}`)
    const full = await timed('tree of the image full', () => buildTree(source, 'full-tree', trees.full))
    process.stdout.write(`full: ${megabytes(bytesOf(trees.full))} above the base image, without the packs\n`)
    running.push(await timed('start of full', () => start(root, full, {})))
    const [painter] = running
    if (!painter) throw new Error('The full tree does not run')
    await drawPicture(painter.url, 'studio')
    const config = join(root, 'gateway.yaml')
    writeFileSync(config, relayYaml(painter.url), { mode: 0o644 })
    running.push(await timed('start of gateway', () => start(root, gateway, { GATEWAY_CONFIG: config })))
    for (const each of running.slice(1)) await drawPicture(each.url, 'painter')
    for (const each of running) assert.equal(await timed('stop', each.stop), 0, each.output())
  } finally {
    for (const each of running) each.kill()
    rmSync(root, { recursive: true, force: true })
  }
}

interface Running {
  url: string
  /** Sends SIGTERM, and SIGKILL after 40 seconds. Resolves with the exit code; null after
   *  SIGKILL. */
  stop(): Promise<number | null>
  kill(): void
  output(): string
}

async function start(root: string, tree: string, env: Record<string, string>): Promise<Running> {
  const port = await freePort()
  const dataDir = mkdtempSync(join(root, 'data-'))
  const home = join(dataDir, 'home')
  mkdirSync(home)
  if (nobody.uid !== undefined) for (const folder of [dataDir, home]) chownSync(folder, nobody.uid, nobody.gid)
  const child = spawn(join(root, 'node'), ['src/cli/gateway.ts', 'serve'], {
    ...nobody,
    cwd: tree,
    env: {
      ...{ PATH: '/usr/bin:/bin', HOME: home, HOST: '127.0.0.1', PORT: String(port), GATEWAY_DATA_DIR: dataDir },
      ...{ GATEWAY_ACCESS_KEY: accessKey, GATEWAY_ENGINE_PRELOAD: '0', GATEWAY_LOG_LEVEL: 'warn', ...env },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  const running: Running = {
    url,
    kill: () => child.kill('SIGKILL'),
    output: () => output,
    stop: () => {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 40_000)
      return exited.finally(() => clearTimeout(late))
    },
  }
  try {
    await untilHealthy(url, { hasEnded: () => child.exitCode !== null || child.signalCode !== null, output: running.output })
    return running
  } catch (error) {
    running.kill()
    throw error
  }
}

/** Returns the size in bytes of all files in a folder. A link counts with its own size. */
function bytesOf(folder: string): number {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .map(entry => lstatSync(join(entry.parentPath, entry.name)))
    .reduce((sum, entry) => sum + (entry.isDirectory() ? 0 : entry.size), 0)
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
