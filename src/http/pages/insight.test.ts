import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway, type TestGateway, testAdminKey } from '../../testing/gateway.ts'
import { isLocal } from './insight.ts'

const metricsKey = 'metrics-key-of-the-test'
const far = { 'x-forwarded-for': '203.0.113.9' }

const withKey = (key: string) => ({ key, headers: far })

async function sees(gateway: TestGateway, options: object): Promise<string> {
  const metrics = await gateway.call('/metrics', options)
  const ready = await gateway.call('/readyz', options)
  assert.deepEqual([ready.status, ready.body.status], [200, 'ready'])
  const hasDetail = Object.keys(ready.body).length > 1
  return `metrics ${metrics.status}, detail ${hasDetail}`
}

const all = 'metrics 200, detail true'
const none = 'metrics 401, detail false'

test('a caller without a key sees only the status; the metrics key and the admin key show everything', async () => {
  await using gateway = await startTestGateway({ env: { GATEWAY_METRICS_KEY: metricsKey } })
  for (const headers of [far, { 'x-forwarded-proto': 'https' }, { forwarded: 'for=203.0.113.9' }, { 'x-real-ip': '203.0.113.9' }])
    assert.equal(await sees(gateway, { key: false, headers }), none, JSON.stringify(headers))
  const { body } = await gateway.call('/readyz', { key: false, headers: far })
  assert.deepEqual(body, { status: 'ready' })
  assert.equal(await sees(gateway, withKey('wrong')), none)
  assert.equal(await sees(gateway, withKey(metricsKey)), all)
  assert.equal(await sees(gateway, withKey(testAdminKey)), all)
  assert.equal(await sees(gateway, { key: false }), all, 'the machine itself')
  assert.equal((await gateway.call('/admin/keys', { key: metricsKey })).status, 401)
})

test('an access key shows no more than a call without a key', async () => {
  await using gateway = await startTestGateway()
  assert.equal(await sees(gateway, { headers: far }), none)
})

test('behind a proxy no caller counts as local; a setting opens the metrics to all', async () => {
  await using behind = await startTestGateway({ env: { GATEWAY_TRUST_PROXY: '1' } })
  assert.equal(await sees(behind, { key: false }), none)
  await using open = await startTestGateway({ env: { GATEWAY_OPEN_METRICS: '1' } })
  assert.equal(await sees(open, { key: false, headers: far }), all)
})

test('public pages name no target and no model of the configuration', async () => {
  const yaml =
    'models:\n  - id: secret-model\n    family: chat\n    targets:\n      - { driver: openai-compatible, base_url: "http://127.0.0.1:9/secret-host", api_key: x, model: up }\n'
  await using gateway = await startTestGateway({ yaml })
  for (const path of ['/', '/docs', '/openapi.json', '/readyz', '/metrics', '/healthz'])
    assert.doesNotMatch((await gateway.call(path, { key: false, headers: far })).bytes.toString(), /secret-model|secret-host/, path)
})

test('only a loopback address of the socket counts as local', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) assert.equal(isLocal(address, {}), true, address)
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '203.0.113.9', 'fe80::1', '127.evil', '', undefined])
    assert.equal(isLocal(address, {}), false, String(address))
  assert.equal(isLocal('127.0.0.1', { forwarded: 'for=x' }), false)
  for (const host of ['localhost:8080', '127.0.0.1', '[::1]:80', '[::ffff:127.0.0.1]', 'gateway', undefined])
    assert.equal(isLocal('127.0.0.1', { host }), true, String(host))
  for (const host of ['page.example', 'page.example:8080', '127.0.0.1.page.example', 'page.example.'])
    assert.equal(isLocal('127.0.0.1', { host }), false, host)
  const reported =
    'x-forwarded-for x-forwarded-host x-original-forwarded-for x-real-ip via cf-connecting-ip do-connecting-ip true-client-ip x-client-ip client-ip fastly-client-ip fly-client-ip x-cluster-client-ip wl-proxy-client-ip x-azure-clientip x-appengine-user-ip x-proxyuser-ip x-envoy-external-address cdn-loop x-original-uri'
  for (const name of reported.split(' ')) assert.equal(isLocal('127.0.0.1', { [name]: '203.0.113.9' }), false, name)
  assert.equal(isLocal('127.0.0.1', { host: 'a', 'user-agent': 'curl', 'x-request-id': '1', accept: '*/*' }), true)
})
