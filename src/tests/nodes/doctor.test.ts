import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { version } from '../../config/settings.ts'
import { needPostgres } from '../../stores/postgres/testing/server.ts'
import { testAdminKey } from '../../testing/gateway.ts'
import { runCommand } from '../../testing/program.ts'
import { startTestNodes } from '../../testing/stores/nodes.ts'

test('doctor and nodes show the database, its nodes and their files', needPostgres(18), async context => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-doctor-'))
  context.after(() => rm(dataDir, { recursive: true }))
  await using started = await startTestNodes(1)
  const [one] = started.nodes
  assert.ok(one)
  await started.start('node-2', { yaml: 'accounts: [{ id: studio }]\n' })
  await started.start('node-3', { yaml: 'accounts: [{ id: film }]\n' })
  await until(async () => (await one.admin('/admin/nodes')).body.nodes.length === 3, 'the heartbeats')
  const env = { ...started.envOf('doctor'), GATEWAY_ADMIN_KEY: testAdminKey, GATEWAY_DATA_DIR: dataDir }

  const report = await runCommand(['doctor'], env)
  for (const line of [
    /database +ok +PostgreSQL 18\.\d+ at 127\.0\.0\.1:\d+, database test_1\n/,
    /schema +ok +version \d+\n/,
    /notifications +ok +arrive/,
    /writes +ok +a commit takes [\d.]+ ms/,
    new RegExp(`nodes +ok +node-1 \\(${version}, ready\\), node-2 \\(${version}, ready\\), node-3 \\(${version}, ready\\)`),
    /folder of blobs +ok .*, shared with the other nodes/,
    /node-2 +differs/,
    /node-3 +the same/,
  ])
    assert.match(report, line)
  assert.doesNotMatch(report, /wrong/)
  const listed = await runCommand(['nodes'], env)
  assert.match(listed, /node-2 +ready .*differs from generation 2/)
  assert.match(listed, /No queues\./)

  await started.server.kill()
  const refused = await runCommand(['doctor'], env).catch(error => error.message)
  assert.match(refused, /would stop a start/)
  const unreachable = await runCommand(['nodes'], env).catch(error => error.message)
  assert.match(unreachable, /GATEWAY_DATABASE_URL cannot be used: 127\.0\.0\.1:\d+ cannot be reached/)
})

test('doctor on a node without engines shows its roles, and no engine as missing', needPostgres(18), async context => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-doctor-'))
  context.after(() => rm(dataDir, { recursive: true }))
  await using started = await startTestNodes(0)
  const engines = await started.start('engines-1', { env: { GATEWAY_ROLES: 'engines' } })
  const api = await started.start('api-1', { env: { GATEWAY_ROLES: 'api,work' } })
  await until(async () => (await api.admin('/admin/nodes')).body.nodes.length === 2, 'the heartbeats')
  assert.equal((await engines.call('/healthz')).status, 200)
  const env = { ...started.envOf('doctor'), GATEWAY_ADMIN_KEY: testAdminKey, GATEWAY_DATA_DIR: dataDir, GATEWAY_ROLES: 'api,work' }
  const report = await runCommand(['doctor'], env)
  for (const line of [
    /roles +ok +api, work; engines run on other nodes\n/,
    new RegExp(`nodes +ok +api-1 \\(${version}, ready, api and work\\), engines-1 \\(${version}, ready, engines\\)`),
    /\nF1 +MaaS_ImgF_P|\nF1 +served/,
  ])
    assert.match(report, line)
  assert.doesNotMatch(report, /npm ci adds it|wrong/)
  const listed = await runCommand(['nodes'], env)
  assert.match(listed, /api-1 +ready +api,work/)
  assert.match(listed, /engines-1 +ready +engines/)
})
