/** Provokes every 4xx answer that an operation documents, and checks that it matches the
 *  document. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { families } from '../../families/index.ts'
import { assertDocumented, bodyOf, type DocumentedOperation, operationOf, operations, textTypeOf } from '../../testing/documented.ts'
import { recordingDriver } from '../../testing/fakes/recording-driver.ts'
import { type CallOptions, startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { openRaw, sendRaw } from '../../testing/raw-http.ts'
import type { Family } from '../family.ts'
import type { Operation } from '../operation.ts'

const keys = {
  full: 'sk-full-key-000000001',
  narrow: 'sk-narrow-key-00000001',
  poor: 'sk-poor-key-000000001',
  bare: 'sk-bare-key-000000001',
}
/** The models of all families whose work is a task; conversations, which are answered at once, are
 *  left out. */
const made = families.flatMap(({ family }) =>
  family.models
    .filter(({ capability }) => capability !== 'text.respond')
    .map(({ id, group }) => ({ id, family: family.id, ...(group === undefined ? {} : { group }), targets: [{ driver: 'd' }] })),
)
const yaml = `
accounts:
  - id: acme
    keys:
      - { name: full, secret_env: FULL }
      - { name: poor, secret_env: POOR, quotas: { characters: 1 } }
      - { name: narrow, secret_env: NARROW, scopes: { endpoints: [elsewhere] } }
    endpoints: [{ name: default }, { name: elsewhere }]
  - { id: bare, keys: [{ name: bare, secret_env: BARE }], endpoints: [{ name: elsewhere }] }
models:
${made.map(model => `  - ${JSON.stringify(model)}\n`).join('')}  - { id: fake, family: [chat, responses], targets: [{ driver: d }] }
`
/** Statuses that this test does not provoke: 408 comes only after 30 s of a slow body, and 410 only
 *  after a week, when stored things are deleted. `body.test.ts` and the store suite test them. */
const notTried = new Set(['408', '410'])

const declared = families.flatMap(({ family }) => Object.values<Operation>(family.operations))
/** Operations with a signed link. Only their families can create such links, so the tests of those
 *  families cover them. */
const behindLinks = new Set(declared.filter(({ access }) => access === 'signed').map(each => each.operationId))
const continuing = new Set(declared.filter(each => each.continuesTask !== undefined).map(each => each.operationId))
/** Operations whose 409 or 422 depends on how the task that they read has ended: the tests of
 *  their families provoke these answers. */
const telling = new Set(declared.filter(each => !each.body && each.failsWith?.includes('conflict')).map(each => each.operationId))

let gateway: TestGateway
let crowded: TestGateway
/** Valid path and query parameters, by family. */
const right = new Map<string, Record<string, string>>()

before(async () => {
  const drivers = [recordingDriver('d', [])]
  const env = { FULL: keys.full, NARROW: keys.narrow, POOR: keys.poor, BARE: keys.bare }
  gateway = await startTestGateway({ drivers, yaml, env })
  crowded = await startTestGateway({ drivers, yaml, env: { ...env, GATEWAY_MAX_CONNECTIONS_PER_KEY: '1' } })
  const response = await send('/v1/responses', { body: { model: 'fake', input: 'x' } })
  const messages = [{ role: 'user', content: 'x' }]
  const completion = await send('/v1/chat/completions', { body: { model: 'fake', messages, store: true } })
  const stored = { response_id: response.body.id, completion_id: completion.body.id }
  const common = { endpoint: 'default', ...stored, model: 'fake', 'api-version': '2024-11-15' }
  for (const { family } of families) right.set(family.id, { ...common, ...(await taskIn(family)) })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await crowded[Symbol.asyncDispose]()
})

/** Returns the id of a task under the name of each parameter with which the family's operations
 *  read a task. The task is created by the family's first example; in a family that creates no
 *  tasks, it is the most recent task of any family. Also returns the model of the task. */
async function taskIn({ id: family, operations: own, taskPrefix = '' }: Family): Promise<Record<string, string>> {
  const declared = Object.values(own)
  const places = declared.flatMap(({ readsTask }) => readsTask ?? [])
  if (places.length === 0) return {}
  const first = declared.find(({ choosesModel }) => choosesModel)
  if (first) {
    const { status, body } = await ask(operationOf(first.operationId), {}, { endpoint: 'default' })
    assert.equal(status, 200, JSON.stringify(body))
  }
  const ofFamily = first ? `family=${family}&` : ''
  const [task] = (await send(`/v1/tasks?${ofFamily}limit=1`, {})).body.data
  return { ...Object.fromEntries(places.map(({ parameter }) => [parameter, taskPrefix + task.id])), model_id: task.model }
}

/** Returns the id of the main operation. An operation that cancels a task (`cancel...`) and an
 *  alias at another path (a digit at the end) give the same answers as the main operation. */
const readOf = (operationId: string) => operationId.replace(/^cancel/, 'get').replace(/[0-9]$/, '')

for (const documented of operations) {
  const { operationId, responses } = documented.operation
  // Operations that continue a finished task are tested by their families, because no engine runs
  // in this test and so no task ever finishes.
  const isTried = (status: string) =>
    !notTried.has(status) &&
    !(status === '409' && continuing.has(operationId)) &&
    !((status === '409' || status === '422') && telling.has(readOf(operationId))) &&
    (!behindLinks.has(operationId) || status === '400' || status === '403')
  const statuses = Object.keys(responses).filter(status => status.startsWith('4') && isTried(status))
  test(`${operationId} can fail with ${statuses.join(', ')}, as documented`, async () => {
    assert.ok(statuses.length >= 2)
    for (const status of statuses) {
      const bringAbout = ways[status]
      assert.ok(bringAbout, `nothing brings about ${status}`)
      const answer = await bringAbout(documented)
      assert.equal(String(answer.status), status, JSON.stringify(answer.body))
      assertDocumented(operationId, answer)
      if (status === '429') assert.match(String(answer.retryAfter), /^[0-9]+$/)
    }
  })
}

interface Failed {
  status: number
  body: unknown
  retryAfter?: string | null
}

const ways: Record<string, (documented: DocumentedOperation) => Promise<Failed>> = {
  400: documented =>
    ask(
      documented,
      takesBody(documented) ? { raw: '{' } : { headers: { 'idempotency-key': 'x'.repeat(256) } },
      // The path contains `%`, which cannot be decoded, and the query lacks the required
      // parameters.
      Object.fromEntries([
        ...['id', 'operationName', ...requiredInQuery(documented.operation)].map(name => [name, '']),
        ...paramsOf(documented).map(name => [name, '%']),
      ]),
    ),
  401: documented => ask(documented, { key: false }),
  402: documented => ask(documented, { key: keys.poor }),
  403: documented => ask(documented, { key: keys.narrow }),
  404: documented =>
    documented.path.includes('{endpoint}')
      ? ask(documented, {}, { endpoint: 'nowhere' })
      : !takesBody(documented) && paramsOf(documented).length === 0
        ? ask(documented, { key: keys.bare })
        : ask(
            documented,
            { body: { ...goodBody(documented), model: 'none' } },
            { ...Object.fromEntries(paramsOf(documented).map(name => [name, '0'.repeat(26)])), response_id: `resp_${'0'.repeat(48)}` },
          ),
  409: async documented => {
    const headers = { 'idempotency-key': documented.path }
    const body = { ...goodBody(documented), ...(documented.path.endsWith('/responses') ? { background: true } : {}) }
    const first = await ask(documented, { headers, body })
    assert.ok(first.status < 300, JSON.stringify(first.body))
    return ask(documented, { headers, body: { ...body, user: 'another' } })
  },
  413: async documented => {
    const head = `POST ${pathOf(documented)} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${keys.full}\r\n`
    const type = textTypeOf(documented.operation) ?? 'application/json'
    const answer = await sendRaw(gateway.url, `${head}content-type: ${type}\r\ncontent-length: 999999999\r\n\r\n{`)
    assert.ok(answer)
    return { status: answer.status, body: JSON.parse(answer.body) }
  },
  415: documented => ask(documented, { body: goodBody(documented), headers: { 'content-type': 'text/plain' } }),
  422: documented => {
    // Family R3 answers 422 for silence when no language is given.
    if (familyOf(documented.operation) === 'R3') return ask(documented, { body: { ...goodBody(documented), definition: {} } })
    return takesBody(documented) ? ask(documented, { body: {} }) : ask(documented, {}, { id: '' })
  },
  429: async documented => {
    const { socket, received } = await openRaw(crowded.url)
    try {
      socket.write(`GET /v1/models HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${keys.full}\r\n\r\n`)
      await until(() => received().startsWith('HTTP/1.1 200'), 'the key’s first answer')
      return await ask(documented, {}, {}, crowded)
    } finally {
      socket.destroy()
    }
  },
}

async function ask(
  documented: DocumentedOperation,
  options: CallOptions,
  given: Record<string, string> = {},
  at = gateway,
): Promise<Failed> {
  const { method } = documented
  const text = textTypeOf(documented.operation)
  if (text !== undefined) return askByText(documented, { given, at, text, options })
  const body = takesBody(documented) && options.raw === undefined ? { body: goodBody(documented) } : {}
  const { body: _unused, ...rest } = options
  const sent = takesBody(documented) ? options : rest
  const answer = await at.call(pathOf(documented, given), { method: method.toUpperCase(), key: keys.full, ...body, ...sent })
  return { status: answer.status, body: answer.body, retryAfter: answer.headers.get('retry-after') }
}

/** Sends a body as plain text: a text with the last value of the JSON body that the test would
 *  send, or an empty text in the test of a malformed body. */
async function askByText(
  documented: DocumentedOperation,
  { given, at, text, options }: { given: Record<string, string>; at: TestGateway; text: string; options: CallOptions },
): Promise<Failed> {
  const { raw: broken, body, headers = {}, key = keys.full } = options
  const raw = broken === undefined ? `Hello ${Object.values(Object(body)).at(-1)}.` : ''
  const type = headers['content-type'] === undefined ? text : 'text/html'
  const answer = await at.call(pathOf(documented, given), { raw, key, headers: { ...headers, 'content-type': type } })
  return { status: answer.status, body: answer.body, retryAfter: answer.headers.get('retry-after') }
}

function send(path: string, options: CallOptions) {
  return gateway.call(path, { key: keys.full, ...options })
}

/** Returns the path with its parameters filled in: with the given ones, else with valid ones. */
function pathOf({ path, operation }: DocumentedOperation, given: Record<string, string> = {}): string {
  const sent = { ...shownIn(operation), ...right.get(familyOf(operation)), ...given }
  const search = requiredInQuery(operation).flatMap(name => (sent[name] ? [`${name}=${sent[name]}`] : []))
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => sent[name] ?? '')
  return search.length === 0 ? filled : `${filled}?${search.join('&')}`
}

function requiredInQuery({ parameters }: DocumentedOperation['operation']): string[] {
  return parameters.filter(parameter => parameter.in === 'query' && parameter.required).map(({ name }) => name)
}

/** Returns the parameter values that the document's examples show. */
function shownIn({ parameters }: DocumentedOperation['operation']): Record<string, string> {
  return Object.fromEntries(
    parameters.flatMap(({ name, example, examples = {} }) =>
      [...Object.values(examples).map(({ value }) => value), ...(example === undefined ? [] : [example])]
        .slice(0, 1)
        .map(value => [name, String(value)]),
    ),
  )
}

/** Returns the names of the path parameters, without the endpoint. */
function paramsOf({ path }: DocumentedOperation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter(name => name !== 'endpoint')
}

function takesBody({ operation }: DocumentedOperation): boolean {
  return operation.requestBody !== undefined
}

/** The model for each family that answers during the call, so that such a call succeeds. A task of
 *  any other family stays in the queue, because no engine runs in this test. */
const models: Record<string, string> = { chat: 'fake', responses: 'fake' }

/** Returns the body of the first example, with a model that this gateway has. */
function goodBody({ operation }: DocumentedOperation): object {
  const [first] = Object.values(bodyOf(operation)?.examples ?? {})
  const model = models[familyOf(operation)]
  return { ...Object(first?.value), ...(model === undefined ? {} : { model }) }
}

function familyOf({ tags: [family = ''] }: DocumentedOperation['operation']): string {
  return family
}
