import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig, settings } from './settings.ts'

test('without variables, or with empty ones, the defaults apply', () => {
  const plain = readConfig({})
  const empty = Object.fromEntries(Object.values(settings).map(setting => [setting.env, '']))
  assert.deepEqual(readConfig(empty), plain)
  assert.deepEqual([plain.port, plain.host, plain.publicUrl, plain.accessKey], [8080, '127.0.0.1', undefined, undefined])
  assert.match(plain.dataDir, /\/data$/)
  assert.match(plain.nodeName, /^[a-zA-Z0-9][\w.-]*-\d+$/)
  assert.equal(readConfig({ GATEWAY_NODE_NAME: 'eu-1.b' }).nodeName, 'eu-1.b')
})

test('invalid values are refused with the variable, the value and the allowed values', () => {
  const wrong: [Record<string, string>, RegExp][] = [
    [{ PORT: '65536' }, /^PORT is "65536"; it must be a whole number from 0 to 65535\.$/],
    [{ PORT: '80.5' }, /^PORT is "80\.5"/],
    [{ GATEWAY_KEEP_DAYS: '-1' }, /^GATEWAY_KEEP_DAYS is "-1"; it must be a whole number from 0/],
    [{ GATEWAY_ALLOW_PRIVATE_URLS: 'maybe' }, /^GATEWAY_ALLOW_PRIVATE_URLS is "maybe"; it must be 0 or 1\.$/],
    [{ GATEWAY_LOG_LEVEL: 'loud' }, /^GATEWAY_LOG_LEVEL is "loud"; it must be one of trace/],
    [{ GATEWAY_PUBLIC_URL: 'gateway.example' }, /^GATEWAY_PUBLIC_URL is "gateway\.example"; it must be an http or https URL/],
    [{ GATEWAY_PUBLIC_URL: 'https://gateway.example/?a=1' }, /without query/],
    [{ GATEWAY_ENGINE_WORKERS: '65' }, /^GATEWAY_ENGINE_WORKERS is "65"/],
    [{ GATEWAY_NODE_NAME: '../a' }, /^GATEWAY_NODE_NAME is "\.\.\/a"; it must be 1 to 64 letters/],
    [{ GATEWAY_NODE_NAME: 'a'.repeat(65) }, /it must be 1 to 64 letters/],
    [{ GATEWAY_DATABASE_URL: 'mysql://secret@db/x' }, /^GATEWAY_DATABASE_URL is \(secret\); it must be a URL like postgres:/],
    [{ GATEWAY_DATABASE_URL: 'postgres://secret@db' }, /^GATEWAY_DATABASE_URL is \(secret\)/],
    [{ GATEWAY_DATABASE_URL: 'postgres://u:p@db/x' }, /^GATEWAY_SECRET_KEY is not set; with GATEWAY_DATABASE_URL it must be/],
    [{ GATEWAY_DATABASE_URL: 'postgres://u:p@db/x', GATEWAY_SECRET_KEY: 'x' }, /^GATEWAY_ADMIN_KEY is not set; with GATEWAY_DATABASE_URL/],
    [{ GATEWAY_ADMIN_KEY_FILE: '/nowhere' }, /^GATEWAY_ADMIN_KEY_FILE names \/nowhere, which cannot be read \(ENOENT\)\.$/],
    [{ GATEWAY_ADMIN_KEY_FILE: '/dev/null' }, /^GATEWAY_ADMIN_KEY_FILE names \/dev\/null, which is empty\.$/],
    [{ GATEWAY_BLOBS_URL: '/srv/blobs' }, /^GATEWAY_BLOBS_URL is "\/srv\/blobs"; it must be the URL of a folder like file:/],
    [{ GATEWAY_BLOBS_REDIRECT: '1' }, /^GATEWAY_BLOBS_REDIRECT is "1"; it must be 0 unless GATEWAY_BLOBS_URL names a bucket\.$/],
    [{ GATEWAY_BLOBS_URL: 'file:///srv/a%2Fb' }, /^GATEWAY_BLOBS_URL is "file:\/\/\/srv\/a%2Fb"; it must be/],
    [{ GATEWAY_BLOBS_URL: 'S3://AKID:secret@media' }, /^GATEWAY_BLOBS_URL is "S3:\/\/\.\.\.@media"; it must be the URL/],
    [{ GATEWAY_BLOBS_URL: 'file://host/blobs' }, /^GATEWAY_BLOBS_URL is "file:/],
    [{ GATEWAY_PROCESSES: 'many' }, /^GATEWAY_PROCESSES is "many"; it must be a whole number from 1 to 256 or auto\.$/],
    [{ GATEWAY_PROCESSES: '0' }, /^GATEWAY_PROCESSES is "0"/],
    [{ GATEWAY_PROCESSES: '4' }, /^GATEWAY_PROCESSES is 4; several processes need GATEWAY_DATABASE_URL, because/],
    [{ GATEWAY_PROCESSES: 'auto' }, /^GATEWAY_PROCESSES is auto; several processes need GATEWAY_DATABASE_URL, because/],
    [{ GATEWAY_ROLES: 'api,worker' }, /^GATEWAY_ROLES is "api,worker"; it must be a list, separated by commas, of api, work, engines\.$/],
    [{ GATEWAY_ROLES: 'api,' }, /^GATEWAY_ROLES is "api,"/],
    [{ GATEWAY_ROLES: 'api,work' }, /^GATEWAY_ROLES is api,work; a node without all of api, work, engines needs GATEWAY_DATABASE_URL/],
    [{ GATEWAY_NODE_URL: '10.0.0.5:8080' }, /^GATEWAY_NODE_URL is "10\.0\.0\.5:8080"; it must be an http or https URL/],
    [{ GATEWAY_NODE_URL: '[fd00::5]' }, /; it must be an http or https URL without query, user name or password, or an IP address\.$/],
    [{ GATEWAY_NODE_URL: 'fe80::1%eth0' }, /^GATEWAY_NODE_URL is "fe80::1%eth0"; it must be/],
    [{ GATEWAY_ENGINE_PRIORITY: 'high' }, /^GATEWAY_ENGINE_PRIORITY is "high"; it must be one of low, normal\.$/],
  ]
  for (const [env, message] of wrong) assert.throws(() => readConfig(env), { code: 'invalid_request', message }, JSON.stringify(env))
})

test('valid values of each kind are read', () => {
  const config = readConfig({
    GATEWAY_PUBLIC_URL: 'https://gateway.example/base/',
    GATEWAY_CORS_ORIGINS: ' https://a.example, https://b.example ,',
    GATEWAY_TRUST_PROXY: 'TRUE',
    GATEWAY_ENGINE_WORKERS: '0',
    GATEWAY_KEEP_DAYS: '2',
    GATEWAY_MIN_FREE_MB: '1',
  })
  assert.equal(config.publicUrl, 'https://gateway.example/base')
  assert.deepEqual(config.corsOrigins, ['https://a.example', 'https://b.example'])
  assert.deepEqual([config.trustProxy, config.engineWorkers, config.keepMs, config.minFreeBytes], [true, 0, 172_800_000, 1_048_576])
})

test('several processes need a database, and share the cores between their engines', () => {
  const shared = { GATEWAY_DATABASE_URL: 'postgres://u:p@db/x', GATEWAY_SECRET_KEY: 'x', GATEWAY_ADMIN_KEY: 'y' }
  assert.equal(readConfig({ GATEWAY_PROCESSES: '1' }).processes, 1)
  assert.equal(readConfig({ ...shared, GATEWAY_PROCESSES: 'auto' }).processes, availableParallelism())
  const alone = readConfig(shared)
  assert.equal(alone.processes, 1)
  const two = readConfig({ ...shared, GATEWAY_PROCESSES: '2' })
  assert.deepEqual([two.processes, two.engineWorkers], [2, Math.max(1, Math.floor(alone.engineWorkers / 2))])
  assert.equal(readConfig({ ...shared, GATEWAY_PROCESSES: '64' }).engineWorkers, 1)
  assert.equal(readConfig({ ...shared, GATEWAY_PROCESSES: '64', GATEWAY_ENGINE_WORKERS: '3' }).engineWorkers, 3)
})

test('secrets may be in files, and blobs in a separate folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-settings-'))
  try {
    const file = join(folder, 'database')
    writeFileSync(file, 'postgres://u:p@db/gateway?sslmode=require\n')
    const keys = { GATEWAY_SECRET_KEY: 'c2VjcmV0', GATEWAY_ADMIN_KEY: 'a', GATEWAY_ADMIN_KEY_PREVIOUS: 'b' }
    const config = readConfig({ GATEWAY_DATABASE_URL_FILE: file, GATEWAY_BLOBS_URL: 'file:///srv/all%20blobs', ...keys })
    assert.equal(config.databaseUrl, 'postgres://u:p@db/gateway?sslmode=require')
    assert.deepEqual([config.blobs, config.adminKey, config.previousAdminKey], [{ folder: '/srv/all blobs', isShared: true }, 'a', 'b'])
    // A setting that is not a secret is never read from a file.
    assert.equal(readConfig({ HOST_FILE: file }).host, '127.0.0.1')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('roles are a list in any order; nodes that share a database may have some of them', () => {
  const shared = { GATEWAY_DATABASE_URL: 'postgres://u:p@db/x', GATEWAY_SECRET_KEY: 'x', GATEWAY_ADMIN_KEY: 'y' }
  const rolesOf = (GATEWAY_ROLES: string, env = {}) => readConfig({ GATEWAY_ROLES, ...env }).roles.join()
  assert.equal(rolesOf('engines, work,api'), 'api,work,engines')
  assert.equal(rolesOf('', shared), 'api,work,engines')
  assert.equal(rolesOf('engines,engines', shared), 'engines')
})

test('the address of a node is a URL, or an IP address whose port is known when the gateway listens', () => {
  const addressOf = (GATEWAY_NODE_URL: string) => {
    const { nodeUrl, nodeHost } = readConfig({ HOST: '::', GATEWAY_NODE_URL })
    return [nodeUrl, nodeHost]
  }
  assert.deepEqual(addressOf(''), [undefined, '::'])
  assert.deepEqual(addressOf('https://east.internal:8443/'), ['https://east.internal:8443', '::'])
  for (const address of ['10.0.0.5', 'fd00::5']) assert.deepEqual(addressOf(address), [undefined, address])
})

test('the address of a node may not have a password, and the message does not show it', () => {
  for (const account of ['', 'user']) {
    const given = { GATEWAY_NODE_URL: `https://${account}:hunter2@east.internal:8443/` }
    assert.throws(
      () => readConfig(given),
      ({ message }: Error) => message.startsWith('GATEWAY_NODE_URL is "https://...@east.internal:8443/"') && !message.includes('hunter2'),
    )
  }
})

test('proxy variables in lower case have priority, and may be in a file', () => {
  const { outbound } = readConfig({
    https_proxy: 'http://small.test',
    HTTPS_PROXY: 'http://large.test',
    HTTP_PROXY: 'http://plain.test',
    no_proxy: 'a',
    NO_PROXY: 'b',
  })
  assert.deepEqual(outbound, {
    httpsProxy: 'http://small.test',
    httpProxy: 'http://plain.test',
    noProxy: 'a',
    proxiesCallerUrls: false,
    caFile: undefined,
  })
  const none = readConfig({ https_proxy: '', HTTPS_PROXY: '' }).outbound
  assert.equal(none.httpsProxy, undefined)
  assert.throws(() => readConfig({ HTTPS_PROXY_FILE: '/nowhere' }), { message: /HTTPS_PROXY_FILE names \/nowhere, which cannot be read/ })
})
