/** Moves a gateway from its embedded store to PostgreSQL. Callers and operators can read the
 *  same as before. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { polled } from '@generation-gateway/kit/driver.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { needPostgres, startPostgres } from '../../stores/postgres/testing/server.ts'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import { fakeTextDriver, says } from '../../testing/fakes/fake-text-driver.ts'
import { type CallOptions, startTestGateway, type TestGateway, testAdminKey } from '../../testing/gateway.ts'
import { runCommand } from '../../testing/program.ts'

const { skip } = needPostgres(18)
const key = 'sk-moving-key-000001'
const submitPath = '/v1/ai/studio/imgf/image/generate'
const yaml = `
currency: EUR
accounts:
  - id: acme
    quotas: { cost: 5/month, images: 10/day }
    keys: [{ name: ci, secret: ${key} }]
    endpoints: [{ name: studio }, { name: default }]
models:
  - { id: cloud, family: F1, group: P, price: { image: 0.04 }, targets: [{ driver: paid }] }
  - { id: talk, family: [chat, responses], price: { million_input_tokens: 1 }, targets: [{ driver: t }] }
`

describe('a gateway that moves to PostgreSQL', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  test('everything reads the same, earlier links are valid, usage continues, and unfinished tasks end', async context => {
    const root = await mkdtemp(join(tmpdir(), 'gateway-move-'))
    context.after(() => rm(root, { recursive: true }))
    let holdsWork = false
    const starts: string[] = []
    const painter = fakeImageDriver(
      'paid',
      polled<ImageGenerateRequest>({
        pollEveryMs: 20,
        start: async job => {
          starts.push(job.request.seed ?? '')
          return { state: 'started', handle: { id: `upstream-${job.request.seed}` } }
        },
        check: async (job, handle) => {
          assert.deepEqual(handle, { id: `upstream-${job.request.seed}` })
          return holdsWork ? { state: 'running' } : donePixel(job)
        },
      }),
    )
    const options = { drivers: [painter, fakeTextDriver('t', () => says('hello there'))], yaml }
    for (const name of ['one', 'two']) await mkdir(join(root, name))

    const one = await startTestGateway({ ...options, dataDir: join(root, 'one'), env: { GATEWAY_DATABASE_URL: '' } })
    context.after(() => one.gateway.stop(0))
    const pictures = await Promise.all([1, 2, 3].map(seed => submit(one, { seed })))
    for (const { body } of pictures) assert.equal(await ended(one, body.id), 'succeeded')
    const first = await callOn(one, '/v1/responses', { body: { model: 'talk', input: 'hi' } })
    await callOn(one, '/v1/responses', { body: { model: 'talk', input: 'more', previous_response_id: first.body.id } })
    await one.admin('/admin/keys', { body: { account: 'acme', name: 'made', families: ['F1'] } })
    holdsWork = true
    const unfinished = await submit(one, { seed: 9 })
    await until(async () => (await callOn(one, `/v1/tasks/${unfinished.body.id}`)).body.state === 'running', 'the running task')
    await until(async () => (await one.admin('/admin/calls')).body.calls.length === 2, 'the records of both responses')
    const paths = [
      ...['/v1/tasks?limit=50', '/v1/usage', `/v1/responses/${first.body.id}`, `/v1/responses/${first.body.id}/input_items`],
      ...pictures.map(({ body }) => `/v1/tasks/${body.id}`),
    ]
    const adminPaths = ['/admin/accounts', '/admin/keys', '/admin/endpoints', '/admin/usage?by=model', '/admin/calls']
    const before = await answersOf(one, paths, adminPaths)
    const link = new URL((await callOn(one, pictures[0]?.body.polling_url)).body.result.sample)
    await one.gateway.stop(0)

    const url = await server.database()
    const secretKey = (await readFile(join(root, 'one/secret.key'), 'utf8')).trim()
    const env = { GATEWAY_DATABASE_URL: url, GATEWAY_BLOBS_URL: `file://${root}/blobs`, GATEWAY_SECRET_KEY: secretKey }
    await runCommand(['export', join(root, 'archive')], { GATEWAY_DATA_DIR: join(root, 'one') })
    await runCommand(['import', join(root, 'archive')], { ...env, GATEWAY_DATA_DIR: join(root, 'two'), GATEWAY_ADMIN_KEY: testAdminKey })

    await using two = await startTestGateway({ ...options, dataDir: join(root, 'two'), env })
    assert.deepEqual(await answersOf(two, paths, adminPaths), before)
    const picture = await callOn(two, link.pathname + link.search, { key: false })
    assert.equal(picture.status, 200)
    assert.equal(picture.headers.get('content-type'), 'image/png')
    const next = await callOn(two, '/v1/responses', { body: { model: 'talk', input: 'and', previous_response_id: first.body.id } })
    assert.equal(next.status, 200, next.bytes.toString())
    assert.equal((await submit(two, { seed: 1 })).body.id, pictures[0]?.body.id, 'a repeat is recognised')
    holdsWork = false
    assert.equal(await ended(two, unfinished.body.id), 'succeeded')
    assert.deepEqual(starts.sort(), ['1', '2', '3', '9'], 'nothing was sent twice')
    const images = (await callOn(two, '/v1/usage')).body.quotas.find((quota: { unit: string }) => quota.unit === 'images')
    assert.deepEqual([images.used, images.held], [4, 0])
  })
})

/** Sends a request with the key of the account that was moved. */
function callOn(gateway: TestGateway, path: string, options: CallOptions = {}) {
  return gateway.call(path, { key, ...options })
}

function ended(gateway: TestGateway, id: string): Promise<string> {
  return until(async () => {
    const { state } = (await callOn(gateway, `/v1/tasks/${id}`)).body
    return state === 'queued' || state === 'running' ? undefined : state
  }, 'the end of the task')
}

function submit(gateway: TestGateway, { seed }: { seed: number }) {
  const headers = { 'idempotency-key': `picture-${seed}` }
  return callOn(gateway, submitPath, { body: { prompt: 'a fox', model: 'cloud', width: 256, height: 256, seed }, headers })
}

/** Returns the answers without everything that differs between two starts: the address, signatures,
 *  ids of requests, and the time at which a key was last used. */
async function answersOf(gateway: TestGateway, paths: readonly string[], adminPaths: readonly string[]): Promise<unknown[]> {
  const answers = []
  for (const path of paths) answers.push([path, await callOn(gateway, path)] as const)
  for (const path of adminPaths) answers.push([path, await gateway.admin(path)] as const)
  return answers.map(([path, { status, body }]) => {
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    const text = JSON.stringify(body, (name, value) => (['request_id', 'lastUsedAt'].includes(name) ? undefined : value))
    return [path, JSON.parse(text.replaceAll(gateway.url, 'http://gateway').replace(/\?exp=[^"\\]*/g, '?signed'))]
  })
}
