import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const key = 'sk-tasks-key-00000001'
const otherAccount = 'sk-tasks-key-00000002'
const noPictures = 'sk-tasks-key-00000003'
const otherEndpoint = 'sk-tasks-key-00000004'
const otherModel = 'sk-tasks-key-00000005'
const yaml = `
currency: EUR
accounts:
  - id: acme
    keys:
      - { name: ci, secret: ${key} }
      - { name: chat, secret: ${noPictures}, scopes: { families: [chat] } }
      - { name: elsewhere, secret: ${otherEndpoint}, scopes: { endpoints: [second] } }
      - { name: broken, secret: ${otherModel}, scopes: { models: [broken] } }
    endpoints: [{ name: studio }, { name: second }]
  - id: rival
    keys: [{ name: ci, secret: ${otherAccount} }]
    endpoints: [{ name: studio }]
models:
  - { id: cloud, family: F1, group: P, price: { image: 0.04 }, targets: [{ driver: works }] }
  - { id: broken, family: F1, group: P, price: { image: 0.04 }, targets: [{ driver: fails }] }
  - { id: parked, family: F1, group: P, targets: [{ driver: parked }] }
`

let gateway: TestGateway
before(async () => {
  const fails = once(async () => {
    throw new GatewayError('request_moderated', 'The prompt was refused.', { reasons: ['violence'] })
  })
  const drivers = [
    fakeImageDriver('works', once(donePixel)),
    fakeImageDriver('fails', fails),
    fakeImageDriver('parked', once(donePixel), 0),
  ]
  gateway = await startTestGateway({ yaml, drivers })
})
after(() => gateway[Symbol.asyncDispose]())

async function submit(model: string, { endpoint = 'studio', as = key, headers = {} } = {}): Promise<string> {
  const body = { prompt: 'a fox', model, width: 256, height: 256, seed: 7 }
  const answer = await gateway.call(`/v1/ai/${endpoint}/imgf/image/generate`, { key: as, body, headers })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.id
}

const show = (id: string, as = key) => gateway.call(`/v1/tasks/${id}`, { key: as })
const list = async (query = '', as = key): Promise<{ data: { id: string; state: string }[]; has_more: boolean }> =>
  (await gateway.call(`/v1/tasks?${query}`, { key: as })).body
const ids = async (query: string, as = key) => (await list(query, as)).data.map(({ id }) => id)
const ended = (id: string) =>
  until(async () => {
    const { body } = await show(id)
    return ['succeeded', 'failed', 'cancelled'].includes(body.state) ? body : undefined
  }, 'the end')

test('a task of any family shows its state, its outputs with valid links, its usage and its cost', async () => {
  const id = await submit('cloud')
  const task = await ended(id)
  const { created_at, started_at, finished_at, deadline_at, expires_at, outputs, ...rest } = task
  assert.deepEqual(rest, {
    id,
    object: 'task',
    family: 'F1',
    endpoint: 'studio',
    model: 'cloud',
    capability: 'image.generate',
    state: 'succeeded',
    progress: 100,
    client_reference: null,
    error: null,
    videos: null,
    pictures: { seed: '7', prompt: 'a fox', not_drawn: [], not_followed: [], refused: [] },
    currency: 'EUR',
    cost: 0.04,
    usage: [{ unit: 'images', units: 1, cost: 0.04 }],
  })
  assert.ok(Math.abs(created_at - Date.now() / 1000) < 120 && started_at >= created_at && finished_at >= started_at)
  assert.ok(deadline_at > created_at && expires_at > deadline_at)
  const [output] = outputs
  assert.deepEqual([outputs.length, output.role, output.index, output.width, output.height], [1, 'output', 0, 1, 1])
  const file = await gateway.call(output.url, { key: false })
  assert.deepEqual([file.status, file.bytes.length, file.headers.get('content-type')], [200, output.bytes, output.media_type])
  assert.equal((await sharp(file.bytes).metadata()).width, 1)
})

test('a failure has code, message and reasons, and costs nothing', async () => {
  const task = await ended(await submit('broken'))
  assert.deepEqual(task.error, { code: 'request_moderated', message: 'The prompt was refused.', reasons: ['violence'] })
  assert.deepEqual([task.state, task.cost, task.usage, task.outputs, task.pictures], ['failed', 0, [], [], null])
})

test('lists show the newest first, in pages, filtered by state, family, model and endpoint', async () => {
  const first = await submit('parked')
  const second = await submit('parked', { endpoint: 'second' })
  const third = await submit('parked')
  assert.deepEqual(await ids('model=parked'), [third, second, first])
  assert.deepEqual(await ids('model=parked&endpoint=second'), [second])
  assert.deepEqual(await ids('model=parked&state=succeeded'), [])
  assert.deepEqual(await ids('family=chat'), [])
  const page = await list('model=parked&limit=2')
  assert.deepEqual([page.data.map(({ id }) => id), page.has_more], [[third, second], true])
  const rest = await list(`model=parked&limit=2&before=${second}`)
  assert.deepEqual([rest.data.map(({ id }) => id), rest.has_more], [[first], false])
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'state=done', 'before=']) {
    const { status, body } = await gateway.call(`/v1/tasks?${query}`, { key })
    assert.deepEqual([status, body.error?.param], [400, query.split('=', 1)[0]], query)
  }
})

test('a task is found by the Idempotency-Key of its submit, in its own account only', async () => {
  const id = await submit('parked', { headers: { 'idempotency-key': 'draw once' } })
  assert.deepEqual(await ids('idempotency_key=draw%20once'), [id])
  assert.deepEqual(await ids('idempotency_key=draw'), [])
  assert.deepEqual(await ids('idempotency_key=draw%20once', otherAccount), [])
})

test('another account, and a key whose scopes exclude the task, cannot see it', async () => {
  const id = await submit('parked')
  for (const as of [otherAccount, noPictures, otherEndpoint, otherModel]) {
    for (const [path, method] of [
      [`/v1/tasks/${id}`, 'GET'],
      [`/v1/tasks/${id}`, 'DELETE'],
      [`/v1/tasks/${id}/events`, 'GET'],
    ] as const) {
      const { status, body } = await gateway.call(path, { key: as, method })
      assert.deepEqual([status, body.error.code], [404, 'task_not_found'], `${as} ${method} ${path}`)
    }
    assert.equal((await ids('', as)).includes(id), false, as)
  }
  assert.equal((await show(id)).body.state, 'queued')
  assert.equal((await gateway.call('/v1/tasks', { key: false })).status, 401)
  assert.equal((await show('01K9ZQ5T8W3N6R2V4X7Y0ABCDE')).status, 404)
  assert.equal((await gateway.call(`/v1/tasks/${id}`, { key, method: 'POST', body: {} })).status, 405)
})

test('also at the paths of its family, a task is found only by keys that may use its model', async () => {
  const id = await submit('parked')
  const request = { prompt: 'a', width: 64, height: 64, count: 1, seed: '7', expandPrompt: false, safetyTolerance: 2, format: 'png' }
  const body = { version: 1, capability: 'image.generate', model: 'parked', request }
  const run = await gateway.call('/v1/ai/studio/gateway/runs', { key, body })
  assert.equal(run.status, 200, run.bytes.toString())
  const runPath = `/v1/ai/studio/gateway/runs/${run.body.id}`
  const result = '/v1/ai/studio/imgf/get_result'
  const refusals: [string, string][] = [
    [otherModel, `${result}?id=${id}`],
    [otherModel, `${result}/events?id=${id}`],
    [otherModel, runPath],
    [otherModel, `${runPath}/events`],
    [noPictures, runPath],
    [noPictures, `${runPath}/events`],
  ]
  for (const [as, path] of refusals)
    for (const method of path.includes('/events') ? ['GET'] : ['GET', 'DELETE']) {
      const { status, bytes } = await gateway.call(path, { key: as, method })
      assert.equal(status, 404, `${method} ${path}: ${bytes}`)
    }
  for (const path of [runPath, `${result}?id=${id}`]) assert.equal((await gateway.call(path, { key })).status, 200)
  for (const each of [id, run.body.id]) assert.equal((await show(each)).body.state, 'queued')
})

test('DELETE cancels a task, and its events show its history', async () => {
  const id = await submit('parked')
  const { status, body } = await gateway.call(`/v1/tasks/${id}`, { key, method: 'DELETE' })
  assert.deepEqual([status, body.state, body.error.code], [200, 'cancelled', 'cancelled'])
  const events = await gateway.call(`/v1/tasks/${id}/events`, { key })
  assert.match(events.headers.get('content-type') ?? '', /^text\/event-stream/)
  const names = [...events.bytes.toString().matchAll(/^event: (.+)$/gm)].map(([, name]) => name)
  assert.deepEqual(names, ['task.queued', 'task.cancelled'])
})

test('the events of a task end when the key is revoked', async () => {
  const id = await submit('parked')
  const { body: made } = await gateway.admin('/admin/keys', { body: { account: 'acme', name: 'lost' } })
  const answer = await fetch(`${gateway.url}/v1/tasks/${id}/events`, { headers: { authorization: `Bearer ${made.secret}` } })
  assert.equal(answer.status, 200)
  const revoked = await gateway.admin(`/admin/keys/${made.id ?? made.key.id}`, { method: 'DELETE' })
  assert.equal(revoked.status, 200, revoked.bytes.toString())
  assert.match(await answer.text(), /event: task\.queued/)
  assert.equal((await show(id)).body.state, 'queued')
})
