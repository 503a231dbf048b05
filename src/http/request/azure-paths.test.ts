import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fakeTextDriver, says } from '../../testing/fakes/fake-text-driver.ts'
import { type FakeUpstream, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { type CallOptions, startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { azurePath } from './azure-paths.ts'

const messages = [{ role: 'user', content: 'hello' }]
const key = 'sk-azure-form-key-0001'
const narrow = 'sk-azure-form-key-0002'
let gateway: TestGateway
let upstream: FakeUpstream

before(async () => {
  upstream = await startFakeUpstream()
  const yaml = `
accounts:
  - id: acme
    keys: [{ name: all, secret: ${key} }, { name: one, secret: ${narrow}, scopes: { models: [talk] } }]
    endpoints:
      - { name: default }
      - { name: studio, routes: { chat: { model: talk-2 } } }
      - { name: talk, routes: { chat: { model: talk-2 } } }
models:
  - { id: talk, family: [chat, responses], targets: [{ driver: one }] }
  - { id: talk-2, family: [chat, responses], targets: [{ driver: two }] }
  - { id: afar, family: chat, targets: [{ driver: openai-compatible, base_url: "${upstream.baseUrl}", model: up-1, dialect: openai }] }
`
  gateway = await startTestGateway({
    drivers: [fakeTextDriver('one', () => says('One.')), fakeTextDriver('two', () => says('Two.'))],
    yaml,
  })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await upstream.close()
})

/** Sends a chat with the key in Azure's header. */
function ask(path: string, { body, key: as = key, ...rest }: CallOptions = {}) {
  return gateway.call(`${path}?api-version=2024-10-21`, {
    key: false,
    headers: { 'api-key': String(as) },
    body: body ?? { messages },
    ...rest,
  })
}

async function modelOf(path: string, body: object = { messages }): Promise<unknown> {
  const answer = await ask(path, { body })
  assert.equal(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`)
  return answer.body.model
}

test('a deployment is a model or an endpoint with its route; a model has priority', async () => {
  assert.equal(await modelOf('/openai/deployments/talk/chat/completions'), 'talk')
  assert.equal(await modelOf('/openai/deployments/studio/chat/completions'), 'talk-2')
  assert.equal(await modelOf('/openai/deployments/talk%2D2/chat/completions'), 'talk-2')
})

test('the deployment has priority over the model in the body', async () => {
  assert.equal(await modelOf('/openai/deployments/talk-2/chat/completions', { messages, model: 'talk' }), 'talk-2')
  assert.equal(await modelOf('/openai/deployments/studio/chat/completions', { messages, model: 'studio' }), 'talk-2')
})

test('below /openai and /openai/v1, the paths are those of OpenAI', async () => {
  for (const base of ['/openai', '/openai/v1']) {
    assert.equal(await modelOf(`${base}/chat/completions`, { messages, model: 'talk' }), 'talk')
    const made = await ask(`${base}/responses`, { body: { model: 'talk', input: 'x' } })
    assert.equal(made.status, 200)
    const read = await gateway.call(`${base}/responses/${made.body.id}?api-version=preview`, { key })
    assert.deepEqual([read.status, read.body?.id], [200, made.body.id])
    assert.equal((await gateway.call(`${base}/models`, { key })).status, 200)
  }
})

test("a relayed call has the upstream's model name, with and without a model in the body", async () => {
  for (const body of [{ messages }, { messages, model: 'anything' }, { model: '', messages }]) {
    assert.equal((await ask('/openai/deployments/afar/chat/completions', { body })).status, 200)
    const sent = upstream.received.at(-1)!
    assert.deepEqual([sent.path, (sent.json as { model: string }).model], ['/v1/chat/completions', 'up-1'])
  }
})

test('an unknown deployment, and one outside of the scopes, are refused in the shape of OpenAI', async () => {
  const unknown = await ask('/openai/deployments/talc/chat/completions')
  assert.deepEqual([unknown.status, unknown.body.error.code, unknown.body.error.param], [404, 'model_not_found', 'deployment'])
  assert.match(unknown.body.error.message, /no model "talc".*talk/)
  const scoped = await ask('/openai/deployments/talk-2/chat/completions', { key: narrow })
  assert.equal(scoped.status, 403)
  const routed = await ask('/openai/deployments/studio/chat/completions', { key: narrow })
  assert.equal(routed.status, 403)
  assert.equal((await ask('/openai/deployments/talk/chat/completions', { key: 'sk-wrong' })).status, 401)
})

test('other paths, methods and encodings are refused', async () => {
  const nowhere = await ask('/openai/deployments/talk/nothing')
  assert.equal(nowhere.status, 404)
  assert.match(nowhere.body.error.message, /\/openai\/deployments\/talk\/nothing/)
  assert.equal((await ask('/openai/deployments/talk')).status, 404)
  assert.equal((await ask('/openai/deployments/%E0%A4%A/chat/completions')).status, 400)
  assert.equal((await gateway.call('/openai/deployments/talk/chat/completions', { method: 'DELETE', key })).status, 405)
  assert.equal((await gateway.call('/openaiv1/chat/completions', { body: { messages }, key: testKey })).status, 404)
})

test('only api-version is removed from the query', () => {
  assert.deepEqual(azurePath('/openai/v1/chat/completions?after=a&API-version=1&order=desc'), {
    url: '/v1/chat/completions?after=a&order=desc',
    params: {},
  })
  assert.equal(azurePath('/v1/chat/completions?api-version=1'), undefined)
  assert.deepEqual(azurePath('/openai/deployments/a%20b/audio/speech'), { url: '/v1/audio/speech', params: { deployment: 'a b' } })
})
