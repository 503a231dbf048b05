/** Runs the Pods of deploy/kubernetes with podman: one node without engines and two nodes with
 *  engines. All of them use the same PostgreSQL and the same bucket. */
import assert from 'node:assert/strict'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { startPostgres } from '../../src/stores/postgres/testing/server.ts'
import { findS3 } from '../../src/stores/s3/testing/binaries.ts'
import { settingsFor, startS3 } from '../../src/stores/s3/testing/server.ts'
import { freePort } from '../../src/testing/free-port.ts'
import { hasKubectl } from '../has-program.ts'
import { logsOf, podman, podmanCan, runProgram, stateOf, stopContainer, timed } from './podman.ts'
import { podYaml, renderManifests } from './pods.ts'
import { accessKey, drawPicture, untilHealthy } from './try-gateway.ts'
import { images } from './try-images.ts'

const adminKey = 'containers-test-admin-key'
const plans = [
  { deployment: 'api', name: 'gateway-api-1', image: images.gateway },
  { deployment: 'engines', name: 'gateway-engines-1', image: images.full },
  { deployment: 'engines', name: 'gateway-engines-2', image: images.full },
]

interface Pod {
  name: string
  url: string
  file: string
}

/** Requests a picture and a film from the node without engines. The other two nodes create them;
 *  the node that creates the film is killed in the middle of it. Both results are downloaded from
 *  the first node. */
export async function tryPods(): Promise<void> {
  if (!hasKubectl()) {
    process.stdout.write('The Pods of deploy/kubernetes are not run: kubectl is not installed.\n')
    return
  }
  runProgram(process.execPath, ['scripts/postgres.ts'])
  const folder = mkdtempSync(join(tmpdir(), 'gateway-pods-'))
  const server = await startPostgres({ version: 18 })
  const pods: Pod[] = []
  try {
    const blobs = await openBlobs(folder)
    const secrets = { 'database-url': await server.database(), 'access-key': accessKey, 'admin-key': adminKey, ...blobs.secrets }
    const manifests = renderManifests(folder, secrets)
    process.stdout.write(`Blobs: ${blobs.title}\n`)
    for (const plan of plans) {
      const port = await freePort()
      const env = { ...blobs.env, GATEWAY_PUBLIC_URL: '', GATEWAY_TRUST_PROXY: '0', GATEWAY_ENGINE_WORKERS: '1' }
      const file = join(folder, `${plan.name}.yaml`)
      writeFileSync(file, podYaml(manifests, { ...plan, port, folder: blobs.folder, env }))
      const pod = { name: plan.name, url: `http://127.0.0.1:${port}`, file }
      pods.push(pod)
      await timed(`start of the Pod ${pod.name}`, () => play(pod))
    }
    const [api] = pods
    assert.ok(api)
    await timed('a picture by a node without engines, drawn by another', () => drawPicture(api.url, 'studio'))
    await timed('a film whose node is killed', () => film(api.url))
    for (const { name, url } of pods) {
      const container = `${name}-gateway`
      if (stateOf(container) !== 'running') continue
      assert.equal((await fetch(`${url}/readyz`)).status, 200)
      await stopContainer(container)
    }
  } finally {
    for (const { file } of pods) podmanCan(['play', 'kube', '--down', file])
    podmanCan(['volume', 'prune', '--force'])
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Blobs {
  title: string
  env: Record<string, string>
  secrets: Record<string, string>
  /** Folder for blobs that the Pods share; undefined when they use a bucket. */
  folder?: string
}

/** Returns the settings for the blobs: a bucket on the S3 server of the tests, or a shared folder
 *  when this server is not installed (`npm run test:s3` installs it). */
async function openBlobs(folder: string): Promise<Blobs> {
  if ('missing' in findS3()) {
    const shared = join(folder, 'blobs')
    mkdirSync(shared)
    chownSync(shared, 10_001, 10_001)
    return { title: 'a shared folder', env: { GATEWAY_BLOBS_URL: 'file:///blobs' }, secrets: {}, folder: shared }
  }
  // The S3 server ends together with this process.
  const s3 = await startS3()
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', ...env } = settingsFor(await s3.bucket())
  return { title: `a bucket of ${s3.kind}`, env, secrets: { 's3-access-key': AWS_ACCESS_KEY_ID, 's3-secret-key': AWS_SECRET_ACCESS_KEY } }
}

async function play({ name, url, file }: Pod): Promise<void> {
  podmanCan(['play', 'kube', '--down', file])
  podman(['play', 'kube', file])
  const container = `${name}-gateway`
  await untilHealthy(url, { hasEnded: () => stateOf(container) !== 'running', output: () => logsOf(container) })
}

/** Requests a film, kills the node that creates it with SIGKILL, waits until another node has
 *  created it, and downloads it. */
async function film(url: string): Promise<void> {
  const { id } = await ask(url, '/v1/videos', { prompt: 'a sailing boat on the sea at sunset', seconds: '8', size: '1280x720' })
  const busy = await until(async () => {
    const { nodes } = await ask(url, '/admin/nodes')
    return nodes.find((node: { name: string; running: number }) => node.name.includes('engines') && node.running > 0)
  }, 'the beginning of the film')
  podman(['kill', '--signal', 'KILL', `${busy.name}-gateway`])
  process.stdout.write(`${busy.name} was killed\n`)
  await until(async () => {
    const { status, error } = await ask(url, `/v1/videos/${id}`)
    assert.notEqual(status, 'failed', JSON.stringify(error))
    return status === 'completed'
  }, 'the end of the film')
  const answer = await fetch(`${url}/v1/videos/${id}/content`, { headers: { authorization: `Bearer ${accessKey}` } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.deepEqual([answer.status, bytes.subarray(4, 8).toString()], [200, 'ftyp'])
  process.stdout.write(`a film of ${bytes.length} bytes, made by the other node\n`)
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the gateway, whose fields the callers check
async function ask(url: string, path: string, body?: object): Promise<any> {
  const key = path.startsWith('/admin/') ? adminKey : accessKey
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(url + path, { headers, ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }) })
  const text = await answer.text()
  assert.ok(answer.ok, text)
  return JSON.parse(text)
}
