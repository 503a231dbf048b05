/** Backs up a running gateway and restores the backup: callers can read what they could read
 *  before, and unfinished tasks come to an end. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { donePixel, fakeImageDriver, fakeModelYaml, onePixelPng } from '../testing/fakes/fake-driver.ts'
import { startTestGateway, testAdminKey } from '../testing/gateway.ts'
import { runCommand } from '../testing/program.ts'
import { onlyEmbedded } from '../testing/stores/database.ts'

const submitPath = '/v1/ai/default/imgf/image/generate'

test(
  'a gateway is backed up while it works, and restored into another folder',
  onlyEmbedded('backs up the files of the embedded store'),
  async context => {
    const root = await mkdtemp(join(tmpdir(), 'gateway-backed-'))
    context.after(() => rm(root, { recursive: true }))
    const [data, backup, restored] = ['data', 'backup', 'restored'].map(name => join(root, name))
    assert.ok(data && backup && restored)
    await mkdir(data)
    const options = { drivers: [fakeImageDriver('f', once(donePixel))], yaml: fakeModelYaml('f') }
    const gateway = await startTestGateway({ ...options, dataDir: data })
    context.after(() => gateway.gateway.stop(0))
    const submit = async (prompt: string) => (await gateway.call(submitPath, { body: { prompt, model: 'fake' } })).body
    const first = await submit('first')
    await gateway.result(first.polling_url)
    const link = new URL(String(Object((await gateway.result(first.polling_url)).result).sample))

    let isOver = false
    let submitted = 0
    const working = (async () => {
      for (; !isOver; submitted++) {
        const { id } = await submit(`picture ${submitted}`)
        if (submitted % 3 === 0) await gateway.call(`/v1/tasks/${id}`, { method: 'DELETE' })
      }
    })()
    await until(() => submitted > 20, 'the first submits')
    const output = await runCommand(['backup', backup], { GATEWAY_DATA_DIR: data }).finally(() => {
      isOver = true
      return working
    })
    assert.match(output, /IT HOLDS THE KEYS OF THE GATEWAY: secret.key/)
    await gateway.stop()
    await rm(data, { recursive: true })
    await mkdir(data)

    assert.match(await runCommand(['restore', backup, '--check'], {}), /is whole: \d+ blobs/)
    await assert.rejects(runCommand(['restore', backup], { GATEWAY_DATA_DIR: backup }), /is not empty/)
    await runCommand(['restore', backup], { GATEWAY_DATA_DIR: restored })
    const again = await startTestGateway({ ...options, dataDir: restored })
    context.after(() => again.gateway.stop(0))
    assert.deepEqual((await again.call(link.pathname + link.search, { key: false })).bytes, onePixelPng)
    const states = async () => {
      const { body } = await again.call('/v1/tasks?limit=100')
      return body.data.map((task: { state: string }) => task.state)
    }
    await until(async () => !(await states()).some((state: string) => state === 'queued' || state === 'running'), 'the end of all tasks')
    const found = await states()
    assert.ok(found.length > 20, `${found.length} tasks`)
    for (const state of found) assert.match(state, /^(succeeded|cancelled|failed)$/)
    assert.deepEqual(await readFile(join(restored, 'secret.key')), await readFile(join(backup, 'secret.key')))
  },
)

test('a folder that cannot be used is named with the reason', onlyEmbedded('backs up the files of the embedded store'), async context => {
  const root = await mkdtemp(join(tmpdir(), 'gateway-backed-'))
  context.after(() => rm(root, { recursive: true }))
  const [none, file, data] = [join(root, 'none'), join(root, 'file'), join(root, 'data')]
  await writeFile(file, '')
  const gateway = await startTestGateway({ dataDir: data })
  await gateway.stop()
  const env = { GATEWAY_DATA_DIR: data, GATEWAY_SECRET_KEY: Buffer.alloc(32).toString('base64') }
  const refused = (args: string[], message: RegExp, dataDir = data) =>
    assert.rejects(runCommand(args, { ...env, GATEWAY_DATA_DIR: dataDir }), { message })
  await refused(['import', none], /none" cannot be used: there is no such file or folder/)
  await refused(['restore', none], /not empty/)
  await refused(['restore', none], /none" cannot be used: there is no such file or folder/, join(root, 'new'))
  await refused(['export', none], /does not open with this secret key/)
  await refused(['export'], /takes one folder/)
  await refused(['backup', file], /file" cannot be used: there is a file of this name/)
  await refused(['backup', join(file, 'in-it')], /cannot be used: a part of the path is a file/)
  await refused(['backup', '/proc/none'], /cannot be used: the file system takes no folder there/)
  await assert.rejects(runCommand(['export', file], { GATEWAY_DATA_DIR: data }), {
    message: /cannot be used: there is a file of this name/,
  })
})

test('for a database that several nodes share, the command explains how to back it up', async () => {
  const env = { GATEWAY_DATABASE_URL: 'postgres://u@127.0.0.1:1/d', GATEWAY_SECRET_KEY: 'x', GATEWAY_ADMIN_KEY: testAdminKey }
  for (const command of ['backup', 'restore'])
    await assert.rejects(runCommand([command, '/tmp/none'], env), /PostgreSQL's own tools \(pg_dump.*docs\/operate\/backup.md/)
})
