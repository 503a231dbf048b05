/** Tests calls that name a model by an alias, through the whole program: which model answers, and
 *  what scopes, quotas, lists and the ledger contain. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fakeSpeechDriver } from '../testing/fakes/fake-speech-driver.ts'
import { callRows, exchange, type RelayGateway, relayYaml, startRelayGateway } from '../testing/relay-gateway.ts'

const keys = {
  tts: 'sk-scoped-to-alias-0001',
  hd: 'sk-scoped-to-model-0001',
  few: 'sk-few-characters-0001',
  routed: 'sk-of-routed-account-1',
}
const yaml = (url: string) => `${relayYaml([{ url }])}
  - { id: tts-1, family: T1, group: tts-1, price: { thousand_characters: 10 }, targets: [{ driver: tone }] }
  - { id: tts-1-hd, family: T1, group: tts-1-hd, targets: [{ driver: tone }] }
  - { id: house, family: T1, targets: [{ driver: tone }] }
  - { id: gpt-4o-mini-tts, family: T1, group: gpt-4o-mini-tts, targets: [{ driver: tone }] }
aliases: { gpt-5: m, speaker: ansager, ansager: house, "größe": m }
accounts:
  - id: default
    keys:
      - { name: alias, secret: ${keys.tts}, scopes: { models: [tts] } }
      - { name: model, secret: ${keys.hd}, scopes: { models: [tts-1-hd, m] } }
      - { name: few, secret: ${keys.few}, quotas: { characters: 10/month } }
  - id: other
    keys: [{ name: routed, secret: ${keys.routed} }]
    endpoints: [{ name: default, routes: { T1: { model: speaker }, chat: {}, M: {} } }]
`
let relay: RelayGateway
before(async () => {
  relay = await startRelayGateway(yaml, { drivers: [fakeSpeechDriver('tone')] })
})
after(() => relay[Symbol.asyncDispose]())

const warning = 'x-gateway-warning'

async function speak(model: string, key?: string) {
  const body = { model, input: 'Hello', voice: 'alloy', response_format: 'wav' }
  const answer = await relay.gateway.call('/v1/audio/speech', { body, ...(key === undefined ? {} : { key }) })
  return { ...answer, says: answer.headers.get(warning), message: String(answer.body?.error?.message) }
}

async function listed(path: string, key?: string): Promise<Map<string, { alias_of?: string; families: string[] }>> {
  const { status, body } = await relay.gateway.call(path, key === undefined ? {} : { key })
  assert.equal(status, 200, JSON.stringify(body))
  return new Map(body.data.map((model: { id: string }) => [model.id, model]))
}

test('an alias is served by its model, which tasks and prices name, and a header says so', async () => {
  for (const [name, id] of Object.entries({
    tts: 'tts-1',
    'tts-hd': 'tts-1-hd',
    'tts-2025-12-15': 'tts-1',
    speaker: 'house',
    ansager: 'house',
  })) {
    const { status, says } = await speak(name)
    assert.deepEqual([status, says], [200, `model: ${name} is an alias of ${id}.`])
    assert.equal((await relay.gateway.call('/v1/tasks?family=T1&limit=1')).body.data[0].model, id)
  }
  assert.deepEqual([(await speak('tts-1')).says, (await speak('house')).status], [null, 200])
})

test('an unknown name is refused with similar ones, and case matters', async () => {
  for (const [name, near] of [
    ['TTS', /near are tts/],
    ['tts-9', /near are tts-1/],
    ['gpt-4o-mini-ttts', /near .*gpt-4o-mini-tts/],
  ] as const) {
    const { status, message } = await speak(name)
    assert.equal(status, 404)
    assert.match(message, near)
  }
  assert.match((await speak('nobody')).message, /^There is no model "nobody" for family T1\.$/)
  // The message must not name models that the key is not allowed to use.
  assert.doesNotMatch((await speak('tts-9', keys.hd)).message, /tts-1 |house|tts-1,/)
})

test('scopes and quotas belong to the model, whatever name is used', async () => {
  assert.deepEqual([(await speak('tts', keys.tts)).status, (await speak('tts-1', keys.tts)).status], [200, 200])
  assert.deepEqual([(await speak('tts-hd', keys.tts)).status, (await speak('speaker', keys.tts)).status], [403, 403])
  assert.deepEqual([(await speak('tts-hd', keys.hd)).status, (await speak('tts', keys.hd)).status], [200, 403])
  assert.deepEqual(
    [(await speak('tts', keys.few)).status, (await speak('tts-1', keys.few)).status, (await speak('tts', keys.few)).status],
    [200, 200, 429],
  )
  const made = await relay.gateway.admin('/admin/keys', { body: { account: 'default', name: 'k', models: ['tts', 'speaker'] } })
  assert.deepEqual(made.body.key.scopes.models, ['tts-1', 'house'])
})

test('a route has priority over a built-in alias, but not over a configured one', async () => {
  assert.equal((await speak('tts', keys.routed)).says, 'model: tts is an alias of house.')
  assert.equal((await speak('tts-1', keys.routed)).says, null)
  assert.equal((await listed('/v1/ai/default/models', keys.routed)).get('tts')?.alias_of, 'house')
  const made = await relay.gateway.admin('/admin/endpoints', { body: { account: 'default', name: 'e', routes: ['T1=speaker'] } })
  assert.deepEqual(made.body.endpoint.routes, { T1: { model: 'house' } })
})

test('lists contain aliases as such, for keys that may use their models, and begin with chat models', async () => {
  const all = await listed('/v1/models')
  assert.deepEqual([all.get('tts')?.alias_of, all.get('tts-1')?.alias_of, all.get('speaker')?.alias_of], ['tts-1', undefined, 'house'])
  const talks = [...all.values()].map(({ families }) => families.includes('chat'))
  assert.deepEqual(
    talks,
    talks.toSorted((a, b) => Number(b) - Number(a)),
  )
  assert.deepEqual([talks[0], all.get('gpt-5')?.alias_of, all.has('gpt-4o')], [true, 'm', false])
  assert.deepEqual([...(await listed('/v1/models', keys.tts)).keys()], ['tts-1', 'tts'])
  assert.ok([...(await listed('/v1/models?family=T1')).values()].every(({ families }) => families.includes('T1')))
  assert.ok((await listed('/v1/models?family=responses')).has('m'))
  const unknown = await relay.gateway.call('/v1/models?family=T9')
  assert.deepEqual([unknown.status, unknown.body.error.param], [400, 'family'])
  const dated = await relay.gateway.call('/v1/models/tts-2025-12-15')
  assert.deepEqual([dated.body.id, dated.body.alias_of], ['tts-2025-12-15', 'tts-1'])
  const missing = await relay.gateway.call('/v1/models/tts-9')
  assert.deepEqual([missing.status, /near are tts/.test(missing.body.error.message)], [404, true])
  assert.equal((await relay.gateway.call('/v1/models/tts', { key: keys.hd })).status, 404)
  const { models } = (await relay.gateway.admin('/admin/models?family=T1')).body
  assert.equal(models.find(({ id }: { id: string }) => id === 'speaker')?.aliasOf, 'house')
})

test('programs find the speech models and voices at the audio paths', async () => {
  const voices = await relay.gateway.call('/v1/audio/voices')
  assert.deepEqual(
    [voices.status, voices.body.voices.slice(0, 2)],
    [
      200,
      [
        { id: 'alloy', name: 'Alloy' },
        { id: 'echo', name: 'Echo' },
      ],
    ],
  )
  assert.equal(new Set(voices.body.voices.map(({ id }: { id: string }) => id)).size, voices.body.voices.length)
  const models = await relay.gateway.call('/v1/ai/default/audio/models')
  const ids = models.body.models.map(({ id }: { id: string }) => id)
  assert.ok(['tts-1', 'tts', 'house', 'speaker'].every(id => ids.includes(id)) && !ids.includes('m'), ids.join(' '))
  assert.equal((await relay.gateway.call('/v1/audio/voices', { key: false })).status, 401)
})

test('a relayed alias reaches the model of the upstream at each path, and is counted for the model', async () => {
  const ask = (path: string, model: string) =>
    exchange(relay.gateway.url + path, { body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }) })
  const before = (await callRows(relay.gateway)).length
  for (const path of ['/v1/ai/default/chat/completions', '/v1/chat/completions']) {
    const answer = await ask(path, 'gpt-5')
    assert.deepEqual([answer.status, answer.headers[warning]], [200, 'model: gpt-5 is an alias of m.'], path)
    assert.equal((await ask(path, 'größe')).headers[warning], 'model: gr\\u00f6\\u00dfe is an alias of m.')
    assert.equal((await ask(path, 'm')).headers[warning], undefined)
    assert.equal((await ask(path, 'gpt-4o')).status, 404)
  }
  const bodies = relay.upstream.received.map(({ body }) => JSON.parse(body.toString()).model)
  assert.deepEqual([...new Set(bodies)], ['up-1'])
  const rows = (await callRows(relay.gateway)).slice(before)
  assert.ok(
    rows.every(({ model }) => model === 'm' || model === ''),
    JSON.stringify(rows[0]),
  )
})

test('a warning of the upstream comes after the one about the alias', async () => {
  const says = { 'content-type': 'application/json', [warning]: 'tools: left out.' }
  const message = { role: 'assistant', content: 'hi' }
  const answer = { id: 'c', object: 'chat.completion', created: 1, model: 'up-1', choices: [{ index: 0, message, finish_reason: 'stop' }] }
  await using inner = await startRelayGateway(yaml, { drivers: [fakeSpeechDriver('tone')] })
  inner.upstream.answer(response => void response.writeHead(200, says).end(JSON.stringify(answer)))
  for (const [model, reported] of Object.entries({ 'gpt-5': 'model: gpt-5 is an alias of m. tools: left out.', m: 'tools: left out.' })) {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] })
    const { headers } = await exchange(`${inner.gateway.url}/v1/ai/default/chat/completions`, { body })
    assert.equal(headers[warning], reported)
  }
})

test('a wrong path is answered with the intended one', async () => {
  const cases: [method: string, path: string, meant: RegExp | undefined][] = [
    ['POST', '/chat/completions', / Did you mean \/v1\/chat\/completions\?$/],
    ['POST', '/v1/v1/chat/completions', / Did you mean \/v1\/chat\/completions\?$/],
    ['POST', '/v1/ai/default/chat/completion', / Did you mean \/v1\/ai\/default\/chat\/completions\?$/],
    ['GET', '/v1/model', / Did you mean \/v1\/models\?$/],
    ['POST', '/v1/image/generations', / Did you mean \/v1\/images\/generations\?$/],
    [
      'POST',
      '/v1/publishers/google/models/veo-3:predictLongRuning',
      / Did you mean \/v1\/publishers\/google\/models\/veo-3:predictLongRunning\?$/,
    ],
    [
      'POST',
      '/v1/publishers/google/models/a:b:predictLongRunning',
      / Did you mean \/v1\/publishers\/google\/models\/a:predictLongRunning\?$/,
    ],
    [
      'POST',
      '/v1/publishers/google/models/:predictLongRunning',
      / Did you mean \/v1\/publishers\/google\/models\/\{model\}:predictLongRunning\?$/,
    ],
    // Most of this path is a long id, which says nothing about the path that was meant. So no path
    // is suggested.
    ['GET', '/v1/videos/text2video/01m8avb0v100c6p2tc3ardnqa0', undefined],
    ['GET', '/kling/v1/videos/text2video/01m8avb0v100c6p2tc3ardnqa0/events', undefined],
    ['GET', `/v1/${'x'.repeat(100)}`, undefined],
    [
      'GET',
      '/kling/v1/videos/text2vido/01m8avb0v100c6p2tc3ardnqa0',
      / Did you mean \/kling\/v1\/videos\/text2video\/01m8avb0v100c6p2tc3ardnqa0\?$/,
    ],
    ['POST', '/v1/assistants', undefined],
    ['GET', '/favicon.ico', undefined],
  ]
  for (const [method, path, meant] of cases) {
    const { status, body } = await relay.gateway.call(path, { method, ...(method === 'POST' ? { body: {} } : {}) })
    assert.equal(status, 404, path)
    const said = body.error?.message ?? JSON.stringify(body)
    if (meant) assert.match(said, meant)
    else assert.doesNotMatch(said, /Did you mean/)
  }
})

test('unknown models are served by the default model, if the file says so', async () => {
  await using lenient = await startRelayGateway(url => `unknown_models: default\n${yaml(url)}`, { drivers: [fakeSpeechDriver('tone')] })
  const body = { model: 'acme/ünknown', input: 'Hello', voice: 'alloy', response_format: 'wav' }
  const answer = await lenient.gateway.call('/v1/audio/speech', { body })
  assert.deepEqual(
    [answer.status, answer.headers.get(warning)],
    [200, 'model: there is no model "acme/\\u00fcnknown"; tts-1 takes its place.'],
  )
  // The scopes of this key do not include the model that would answer.
  const refused = await lenient.gateway.call('/v1/audio/speech', { body, key: keys.hd })
  assert.deepEqual(
    [refused.status, refused.body.error.message],
    [403, 'The access key may not use the model for requests that name none; name one that it may use.'],
  )
})

test("a refusal contains the caller's name for the model, never the one behind it", async () => {
  for (const name of ['speaker', 'ansager', 'tts', 'tts-2025-12-15', 'house']) {
    const { status, message, says } = await speak(name, keys.hd)
    assert.deepEqual([status, message, says], [403, `The access key may not use model ${name}.`, null])
  }
  const unnamed = await relay.gateway.call('/v1/audio/speech', { body: { model: null, input: 'Hello', voice: 'alloy' }, key: keys.hd })
  assert.doesNotMatch(JSON.stringify(unnamed.body), /tts-1\b|house/)
})
