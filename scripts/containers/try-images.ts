/** Builds both images with podman and runs them as docs/operate/containers.md says. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/testing/free-port.ts'
import { hardened, imageBytes, logsOf, podman, removeContainer, stateOf, stopContainer, timed } from './podman.ts'
import { accessKey, drawPicture, mostGatewayBytes, relayYaml, untilHealthy } from './try-gateway.ts'

export const images = { gateway: 'localhost/generation-gateway:gateway', full: 'localhost/generation-gateway:full' }

/** Families whose demos create a picture, a clip, a song, a narration and a slide deck. */
const everyKind = ['images', 'H', 'M', 'T2', 'Slides']

export async function buildImages(base: string, packs: string): Promise<void> {
  for (const [target, image] of Object.entries(images)) {
    const options = ['--isolation', 'chroot', '--pull=never', '--layers', '--format', 'docker', '--build-context', `packs=${packs}`]
    await timed(`build of ${target}`, () => podman(['build', ...options, '--target', target, '--tag', image, '.'], { shown: true }))
    const [total, above] = [imageBytes(image), imageBytes(image) - imageBytes(base)]
    process.stdout.write(`${target}: ${Math.round(total / 1e6)} MB in all, ${Math.round(above / 1e6)} MB above the base image\n`)
    if (target === 'gateway') assert.ok(above <= mostGatewayBytes, `${above} bytes are more than ${mostGatewayBytes}`)
  }
  podman(['image', 'prune', '--force'])
}

/** Runs the demo of each family in `everyKind` in the full image, without a network. */
export async function tryWithoutNetwork(): Promise<void> {
  const families = everyKind.flatMap(family => ['--family', family])
  await timed('a picture, a clip, a song, narration and a deck without a network', () =>
    podman(['run', '--rm', '--network', 'none', ...hardened, images.full, 'demo', '--out', '/data/demo', ...families], { shown: true }),
  )
}

/** Starts a container of each image. Requests a picture from the gateway in the full image, and
 *  then one from the gateway in the other image, which relays the request to the first gateway.
 *  Checks rights, health check and stop of both containers. */
export async function tryTogether(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-containers-'))
  const names = ['generation-gateway-full', 'generation-gateway-relay'] as const
  try {
    const painter = await timed('start of full', () => start(names[0], images.full, []))
    await drawPicture(painter, 'studio')
    const config = join(folder, 'gateway.yaml')
    writeFileSync(config, relayYaml(painter), { mode: 0o644 })
    const mount = ['--volume', `${config}:/etc/gateway.yaml:ro`, '--env', 'GATEWAY_CONFIG=/etc/gateway.yaml']
    const relay = await timed('start of gateway', () => start(names[1], images.gateway, mount))
    await drawPicture(relay, 'painter')
    for (const name of names) {
      checkRights(name)
      podman(['healthcheck', 'run', name])
      await stopContainer(name)
    }
  } finally {
    for (const name of names) removeContainer(name)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(name: string, image: string, options: readonly string[]): Promise<string> {
  const port = await freePort()
  const env = [`PORT=${port}`, 'HOST=127.0.0.1', `GATEWAY_ACCESS_KEY=${accessKey}`, 'GATEWAY_LOG_LEVEL=warn', 'GATEWAY_ENGINE_PRELOAD=0']
  removeContainer(name)
  podman(['run', '--detach', '--name', name, '--network', 'host', ...hardened, ...options, ...env.flatMap(each => ['--env', each]), image])
  const url = `http://127.0.0.1:${port}`
  await untilHealthy(url, { hasEnded: () => stateOf(name) !== 'running', output: () => logsOf(name) })
  return url
}

/** Asserts that the program in the container runs as user 10001, has no capabilities, and cannot
 *  write its own files. */
function checkRights(name: string): void {
  const script = `const { readFileSync, writeFileSync } = require('node:fs')
    const reason = path => { try { writeFileSync(path, ''); return 'written' } catch ({ code }) { return code } }
    const [, capabilities] = /CapBnd:\\s*(\\S+)/.exec(readFileSync('/proc/1/status', 'utf8'))
    console.log(JSON.stringify([process.getuid(), Number('0x' + capabilities), ['/x', 'x', '/opt/packs/x'].map(reason)]))`
  const [uid, capabilities, writes] = JSON.parse(podman(['exec', name, 'node', '-e', script]))
  assert.deepEqual([uid, capabilities], [10_001, 0])
  for (const code of writes) assert.ok(['EROFS', 'ENOENT'].includes(code), code)
}
