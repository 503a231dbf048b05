import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { defineDriver, once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import Type from 'typebox'
import { families } from '../families/index.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../testing/fakes/fake-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'
import { loadConfigFile } from './config-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'gateway-yaml-'))
after(() => rm(folder, { recursive: true, force: true }))

/** A driver that has its own settings. */
const hosted = defineDriver({
  ...fakeImageDriver('hosted', once(donePixel)),
  settings: Type.Object({ base_url: Type.String({ format: 'http-url' }), api_key: Type.String({ minLength: 1, secret: true }) }),
})
const known = { families, drivers: [hosted, fakeImageDriver('f', once(donePixel))], missingEngines: [] }

async function load(yaml: string, env: Record<string, string> = {}) {
  const path = join(folder, 'gateway.yaml')
  await writeFile(path, yaml)
  return loadConfigFile(path, known, env)
}

async function refusal(yaml: string): Promise<string> {
  const error = await load(yaml).then(
    () => assert.fail(`taken: ${yaml}`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof GatewayError, String(error))
  return error.message.replace(join(folder, 'gateway.yaml'), 'FILE')
}

test('a file that is read again is checked with the compiled validator of the first reading', () => {
  const path = join(folder, 'again.yaml')
  const read = () => loadConfigFile(path, known, {}, { text: { text: 'models: []' } })
  read()
  const ms = leastCpuMs(read, 15)
  assert.ok(ms < 15, `reading it again takes ${ms} ms of CPU`)
})

test('faults are reported with line and reason', async () => {
  const cases: [string, RegExp][] = [
    ['accounts: [', /^FILE, line 1: /],
    ['accounts:\n  - id: a\n    id: b', /^FILE, line 3: .*unique/],
    [
      'account:\n  - id: acme',
      /^FILE, line 1: account is not known; known are currency, prices_file, accounts, models, aliases, built_in_aliases, unknown_models, buckets, pronunciation_dictionaries\.$/,
    ],
    ['accounts:\n  - id: acme\n    key: []', /^FILE, line 3: accounts\[0\]\.key is not known; known are id, name, .*\.$/],
    ['accounts:\n  - id: Acme Inc', /^FILE, line 2: accounts\[0\]\.id is "Acme Inc"; it must be 1 to 63 small letters/],
    ['accounts:\n  - id: acme\n  - id: acme', /^FILE, line 3: acme stands here a second time\.$/],
    ['accounts:\n  - keys: []', /^FILE, line 2: accounts\[0\]\.id is required\.$/],
    ['accounts:\n  - id: *abc', /^FILE, line 2: A value begins with \*/],
    ['accounts: []\nmodels: &m [*m]', /^FILE, line 2: An alias is inside the value/],
    [
      `aliases: &a { ${'b'.repeat(20)}: c }\nbuckets: &b [${'*a, '.repeat(20)}]\nmodels: [${'*b, '.repeat(20)}]`,
      /^FILE: its aliases repeat/,
    ],
    ['accounts: 7', /^FILE, line 1: accounts is 7; it must be array\.$/],
    ['- a', /accounts|object/],
    ['accounts:\n  - id: a\n    keys:\n      - name: k', /^FILE, line 4: the key k needs either secret_env or secret\.$/],
    ['accounts:\n  - id: a\n    keys:\n      - { name: k, secret: sk-long-enough-000, secret_env: K }', /line 4: .*either/],
    [
      'accounts:\n  - id: a\n    keys:\n      - { name: k, secret: sk-long-enough-000,\n          expires: 2027-02-30 }',
      /^FILE, line 5: expires is "2027-02-30"/,
    ],
    ['accounts:\n  - id: a\n    endpoints:\n      - name: models', /^FILE, line 4: name is models; that name is reserved\.$/],
    ['accounts:\n  - id: a\n    endpoints:\n      - name: a/b', /^FILE, line 4: name is "a\/b"/],
    [
      'accounts:\n  - id: a\n    endpoints:\n      - name: e\n        routes:\n          F99: {}',
      /line 6: there is no family F99; known are .*F1/,
    ],
    [
      'accounts:\n  - id: a\n    endpoints:\n      - name: e\n        routes:\n          F1: { model: nope }',
      /line 6: there is no model nope for family F1\.$/,
    ],
    [
      'models:\n  - id: m\n    family: F1\n    group: Z\n    targets: [{ driver: f }]',
      /line 4: group is Z; family F1 has no such group\.$/,
    ],
    [
      'models:\n  - id: m\n    family: F1\n    targets:\n      - driver: nope',
      /line 5: the target names the driver nope; known are hosted, f\.$/,
    ],
    ['models:\n  - id: m\n    family: F1\n    targets: []', /line 4: models\[0\]\.targets has 0 items; at least 1\.$/],
    [
      'models:\n  - id: m\n    family: F1\n    targets:\n      - { driver: hosted, base_url: "ftp://x", api_key: k }',
      /line 5: base_url is "ftp:\/\/x"/,
    ],
    [
      'models:\n  - id: m\n    family: F1\n    model_in_answers: ours\n    targets: [{ driver: f }]',
      /line 4: model_in_answers is for models of chat, responses/,
    ],
    [
      'models:\n  - id: m\n    family: chat\n    model_in_answers: mine\n    targets: [{ driver: f }]',
      /line 4: models\[0\]\.model_in_answers is "mine"; it must be/,
    ],
    [
      'models:\n  - id: m\n    family: F1\n    targets:\n      - { driver: f, order: 0 }',
      /line 5: models\[0\]\.targets\[0\]\.order is 0; at least 1\.$/,
    ],
    ['aliases:\n  a: b\n  b: a', /^FILE, line 2: The alias a leads back to a and never to a model\.$/],
    ['aliases:\n  a: nowhere', /^FILE, line 2: The alias a stands for nowhere, and there is no model nowhere/],
    ['unknown_models: guess', /^FILE, line 1: unknown_models is "guess"; it must be/],
  ]
  for (const [yaml, reason] of cases) assert.match(await refusal(yaml), reason, yaml)
  await assert.rejects(
    async () => loadConfigFile(join(folder, 'none.yaml'), known, {}),
    /GATEWAY_CONFIG names .*none\.yaml, which cannot be read/,
  )
})

test('a refusal never shows a key', async () => {
  const yamls = [
    'accounts:\n  - { id: a, keys: [{ name: k, secret: hush-hush }] }',
    'accounts:\n  - { id: a, keys: [{ name: k, secret: [hush-hush] }] }',
    'accounts:\n  - { id: a, keys: [{ name: k, secret: "hush-hush }] }',
    'models:\n  - { id: m, family: F1, targets: [{ driver: hosted, base_url: "http://x", api_key: [hush-hush] }] }',
    ...['keys: [hush-hush]', 'keys: hush-hush', 'keys: [{ name: k, secret hush-hush }]', 'keys: [{ name: k, secret:hush-hush }]'].map(
      keys => `accounts:\n  - { id: a, ${keys} }`,
    ),
    ...['|hush', '*hush', '!a!hush x', '"\\xhush"', '[ ) ]hush', '@hush'].map(
      secret => `accounts:\n  - id: a\n    keys:\n      - name: k\n        secret: ${secret}`,
    ),
  ]
  for (const yaml of yamls) assert.doesNotMatch(await refusal(yaml), /hu/, yaml)
})

test('an empty file is valid', async () => {
  assert.deepEqual((await load('')).models, [])
  assert.deepEqual((await load('# nothing yet\n')).file, {})
})

test('settings of a target come from the file and the environment; a missing variable makes only the target unusable', async () => {
  const yaml =
    'models:\n  - { id: m, family: F1, group: KG, targets: [{ driver: hosted, base_url: "https://x.example", api_key_env: THE_KEY }] }'
  const set = await load(yaml, { THE_KEY: 'sesame' })
  assert.deepEqual(set.warnings, [])
  assert.deepEqual(set.models[0]?.targets[0]?.settings, { base_url: 'https://x.example', api_key: 'sesame' })
  assert.equal(set.models[0]?.capability, 'image.generate')
  for (const env of [{}, { THE_KEY: '' }]) {
    const unset = await load(yaml, env)
    assert.deepEqual(unset.warnings, ['Model m: its target hosted cannot be used. The variable THE_KEY is not set.'])
    assert.equal(unset.models[0]?.targets[0]?.unusable, 'The variable THE_KEY is not set.')
  }
})

const key = (name: string) => `sk-yaml-${name}-0000001`
const accounts = (keys: string[], endpoints: string[] = ['studio']) =>
  `accounts:\n  - id: acme\n    keys: [${keys.map(name => `{ name: ${name}, secret: ${key(name)} }`).join(', ')}]\n    endpoints: [${endpoints.map(name => `{ name: ${name} }`).join(', ')}]\n`

async function rewrite(gateway: TestGateway, yaml: string): Promise<string[]> {
  await writeFile(join(gateway.dataDir, 'gateway.yaml'), yaml)
  return gateway.gateway.reload()
}

const submit = (gateway: TestGateway, by: string, endpoint = 'studio', body: object = { prompt: 'x' }) =>
  gateway.call(`/v1/ai/${endpoint}/imgf/image/generate`, { key: by, body })

test('at a reload, new keys work, removed keys are revoked, and removed endpoints are 404', async () => {
  await using gateway = await startTestGateway({ yaml: accounts(['one', 'two'], ['studio', 'lab']) })
  assert.equal((await submit(gateway, key('one'))).status, 200)
  assert.equal((await submit(gateway, key('one'), 'lab')).status, 200)
  await rewrite(gateway, accounts(['two', 'three']))
  const gone = await submit(gateway, key('one'))
  assert.equal(gone.status, 401)
  assert.match(gone.body.error.message, /revoked/)
  assert.equal((await submit(gateway, key('two'))).status, 200)
  assert.equal((await submit(gateway, key('three'))).status, 200)
  assert.equal((await submit(gateway, key('two'), 'lab')).status, 404)
  await rewrite(gateway, accounts(['one']))
  assert.equal((await submit(gateway, key('one'))).status, 200, 'a key that comes back works again')
  assert.equal(
    (await gateway.call('/v1/ai/default/imgf/image/generate', { body: { prompt: 'x' } })).status,
    200,
    'the default account stays',
  )
})

test('a refused reload changes nothing', async () => {
  await using gateway = await startTestGateway({
    yaml: accounts(['one']) + fakeModelYaml('f'),
    drivers: [fakeImageDriver('f', once(donePixel))],
  })
  const broken = [
    accounts(['two']).replace('acme', 'Acme Inc'),
    `${accounts(['two'])}modells: []\n`,
    // The file contains a key that belongs to the default account. Only a comparison with the store
    // finds this error.
    accounts(['two']).replace('{ name: two', '{ name: stolen, secret: sk-test-access-key-0001 }, { name: two'),
  ]
  for (const yaml of broken) {
    await assert.rejects(rewrite(gateway, yaml), { code: 'invalid_request' })
    assert.equal((await submit(gateway, key('one'))).status, 200)
    assert.equal((await submit(gateway, key('two'))).status, 401)
    assert.equal((await submit(gateway, key('one'), 'studio', { prompt: 'x', model: 'fake' })).status, 200)
  }
  const answer = await gateway.admin('/admin/reload', { method: 'POST' })
  assert.equal(answer.status, 400)
  assert.match(answer.body.error.message, /already a key of account default/)
})

test('a key that the operator revoked stays revoked, also when the file still contains it', async () => {
  const yaml = accounts(['one'])
  const first = await startTestGateway({ yaml })
  const { body } = await first.admin('/admin/keys?account=acme')
  assert.equal((await first.admin(`/admin/keys/${body.keys[0].id}`, { method: 'DELETE' })).status, 200)
  assert.equal((await submit(first, key('one'))).status, 401)
  assert.match((await rewrite(first, yaml)).join(), /revoked by the operator/)
  assert.equal((await submit(first, key('one'))).status, 401)
  await first.stop()
  await using second = await startTestGateway({ yaml, dataDir: first.dataDir })
  assert.equal((await submit(second, key('one'))).status, 401)
})

const named = (key: string) =>
  `accounts:\n  - { id: default, rate_per_minute: 7, keys: [{ name: ours, secret: ${key}, concurrent_tasks: 3, scopes: { endpoints: [studio] } }], endpoints: [{ name: default, routes: { F1: {} } }, { name: studio }] }\n`
const shown = async (gateway: TestGateway) => {
  const { body } = await gateway.admin('/admin/keys?account=default')
  const { body: routes } = await gateway.admin('/admin/endpoints?account=default')
  const { body: all } = await gateway.admin('/admin/accounts')
  return { keys: body.keys, endpoints: routes.endpoints, accounts: all.accounts }
}

test("keys, endpoints and accounts of other origin have the file's values while the file names them, and their own values afterwards", async () => {
  for (const kind of ['environment', 'admin']) {
    await using gateway = await startTestGateway({ yaml: 'models: []\n' })
    const made = await gateway.admin('/admin/keys', { body: { account: 'default', name: 'made', quotas: ['images=9/day'] } })
    await gateway.admin('/admin/endpoints', { body: { account: 'default', name: 'lab', routes: ['F1'] } })
    const key = kind === 'admin' ? made.body.secret : testKey
    const before = await shown(gateway)
    await rewrite(gateway, named(key).replace('{ name: studio }', '{ name: studio }, { name: lab }'))
    assert.equal((await submit(gateway, key)).status, 200)
    assert.equal((await submit(gateway, key, 'default')).status, 403, 'the scopes of the file apply')
    const during = await shown(gateway)
    const ours = during.keys.find((each: { name: string }) => each.name === 'ours')
    assert.deepEqual([ours.source, ours.limits], ['yaml', { concurrentTasks: 3 }])
    assert.deepEqual(during.accounts[0].limits, { ratePerMinute: 7 })
    assert.deepEqual(
      during.endpoints.map((each: { name: string; routes: object }) => [each.name, Object.keys(each.routes)]),
      [
        ['default', ['*', 'F1']],
        ['lab', ['*']],
        ['studio', ['*']],
      ],
    )
    await rewrite(gateway, 'models: []\n')
    assert.deepEqual(await shown(gateway), before)
    assert.equal((await submit(gateway, key, 'default')).status, 200)
    assert.equal((await submit(gateway, key, 'studio')).status, 404)
  }
})

test('routes of the endpoint default in the file replace the built-in ones; the others stay', async () => {
  const routes = (text: string) =>
    `models: [{ id: mine, family: chat, targets: [{ driver: text, file: /none.gguf }] }]\naccounts:\n  - { id: default, endpoints: [${text}] }\n`
  await using gateway = await startTestGateway({ yaml: routes('{ name: default, routes: { chat: { model: mine } } }') })
  const shownRoutes = async () => (await shown(gateway)).endpoints.map((each: { name: string; routes: object }) => [each.name, each.routes])
  assert.deepEqual(await shownRoutes(), [['default', { '*': {}, chat: { model: 'mine', settings: {} } }]])
  assert.equal((await submit(gateway, testKey, 'default')).status, 200, 'F1 is still there')
  assert.equal(
    (await gateway.call('/v1/ai/default/chat/completions', { body: { messages: [{ role: 'user', content: 'x' }] } })).status,
    503,
  )
  await rewrite(gateway, routes('{ name: default }, { name: lab, routes: { chat: {} } }'))
  assert.deepEqual(await shownRoutes(), [
    ['default', { '*': {} }],
    ['lab', { chat: { settings: {} } }],
  ])
  assert.equal((await submit(gateway, testKey, 'lab')).status, 404, 'the routes of another endpoint are all it has')
})

test("the file's values for other entries apply after a restart, and end when they are removed while the gateway is down", async () => {
  const first = await startTestGateway({ yaml: named(testKey) })
  await first.stop()
  const second = await startTestGateway({ yaml: named(testKey), dataDir: first.dataDir })
  assert.equal((await submit(second, testKey, 'default')).status, 403)
  await second.stop()
  await using third = await startTestGateway({ yaml: 'models: []\n', dataDir: first.dataDir })
  assert.equal((await submit(third, testKey, 'default')).status, 200)
  assert.equal((await shown(third)).accounts[0].limits, undefined)
})

test('values from the file can be changed only there; a revocation by the operator is final', async () => {
  await using gateway = await startTestGateway({ yaml: named(testKey) })
  const { keys } = await shown(gateway)
  for (const [path, options] of [
    [`/admin/keys/${keys[0].id}/limits`, { body: { rate_per_minute: 5 } }],
    ['/admin/accounts', { body: { id: 'default', rate_per_minute: 5 } }],
    ['/admin/endpoints', { body: { account: 'default', name: 'default' } }],
    ['/admin/endpoints/default/default', { method: 'DELETE' }],
    ['/admin/endpoints', { body: { account: 'default', name: 'studio' } }],
    ['/admin/endpoints/default/studio', { method: 'DELETE' }],
  ] as const) {
    const refused = await gateway.admin(path, options)
    assert.equal(refused.status, 409, path)
    assert.match(refused.body.error.message, /is set in the configuration file: change it there/)
  }
  assert.equal((await gateway.admin('/admin/accounts', { body: { id: 'default', name: 'Renamed' } })).status, 200)
  assert.equal((await shown(gateway)).accounts[0].name, 'Renamed')
  await gateway.admin(`/admin/keys/${keys[0].id}`, { method: 'DELETE' })
  assert.equal((await submit(gateway, testKey)).status, 401)
  assert.match((await rewrite(gateway, named(testKey))).join(), /revoked by the operator/)
  assert.equal((await submit(gateway, testKey)).status, 401)
  await rewrite(gateway, 'models: []\n')
  assert.deepEqual((await shown(gateway)).keys[0].scopes, { endpoints: [], families: [], models: [] })
  assert.equal((await submit(gateway, testKey, 'default')).status, 401)
})

test('keys and webhook secrets with an unset variable are reported, and create no key', async () => {
  const yaml =
    'accounts:\n  - { id: acme, webhook_secret_env: HOOKS, keys: [{ name: ci, secret_env: CI_KEY }, { name: short, secret_env: SHORT }] }\n'
  await using gateway = await startTestGateway({ yaml, env: { SHORT: 'abc' } })
  const { body } = await gateway.admin('/admin/reload', { method: 'POST' })
  const warnings = body.warnings.join('\n')
  assert.match(warnings, /HOOKS is not set/)
  assert.match(warnings, /CI_KEY of key ci is not set/)
  assert.match(warnings, /short in SHORT has fewer than 16 characters/)
  assert.deepEqual((await gateway.admin('/admin/keys?account=acme')).body.keys, [])
  assert.equal((await gateway.call('/v1/ai/x/imgf/image/generate', { key: 'abc', body: {} })).status, 401)
})

test('a model whose only target lacks its variable is a 503 that names the variable', async () => {
  const yaml =
    'models:\n  - { id: m, family: F1, group: P, targets: [{ driver: hosted, base_url: "https://x.example", api_key_env: THE_KEY }] }\n'
  await using gateway = await startTestGateway({ yaml, drivers: [hosted] })
  const { status, body, headers } = await submit(gateway, 'sk-test-access-key-0001', 'default', { prompt: 'x', model: 'm' })
  assert.equal(status, 503)
  assert.equal(body.error.code, 'capability_unavailable')
  assert.match(body.error.message, /THE_KEY is not set/)
  assert.equal(headers.get('x-should-retry'), 'false')
})
