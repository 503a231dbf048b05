/** Sends requests of every family through two gateways, the second as the upstream of the first.
 *  The driver must get the same request as from a single gateway. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import type { FamilyEntry } from '../contract/family.ts'
import type { Operation } from '../contract/operation.ts'
import { samplesOf } from '../contract/samples/samples.ts'
import { families } from '../families/index.ts'
import { type Recorded, recordingDriver } from '../testing/fakes/recording-driver.ts'
import { type Answer, type CallOptions, startTestGateway, type TestGateway } from '../testing/gateway.ts'

/** The test sends only every n-th of the bodies whose fields are at their limits, because there are
 *  too many of them. This is n. */
const samplesEach = Number(process.env.CHAIN_SAMPLES_EACH ?? 12)
const innerKey = 'sk-inner-access-key-0001'
const recorded = { direct: [] as Recorded[], inner: [] as Recorded[] }
const makers = families.filter(({ family }) => family.models.length > 0 || family.takesModelsOf !== undefined)

const conversing = ['chat', 'responses', 'messages', 'generate-content', 'completions']
/** Families without models of their own that do not hold conversations. */
const inferring = makers.filter(({ family: { id, models } }) => models.length === 0 && !conversing.includes(id))
const modelOf = (family: string) => `model-of-${family}`

/** Returns the model that a call of the family names; undefined for a family with models of its
 *  own. */
function namedModel(family: string): string | undefined {
  if (conversing.includes(family)) return 'talker'
  return inferring.some(entry => entry.family.id === family) ? modelOf(family) : undefined
}

function yamlOf(target: object): string {
  const models = new Map<string, object>()
  for (const { family } of makers) {
    for (const { id, group } of family.models)
      models.set(id, { id, family: family.id, ...(group === undefined ? {} : { group }), targets: [target] })
  }
  for (const { family } of inferring) models.set(modelOf(family.id), { id: modelOf(family.id), family: family.id, targets: [target] })
  models.set('talker', { id: 'talker', family: ['chat', 'responses'], targets: [target] })
  return JSON.stringify({ models: [...models.values()] })
}

let inner: TestGateway
let direct: TestGateway
let outer: TestGateway
before(async () => {
  inner = await startTestGateway({
    ...{ drivers: [recordingDriver('recorder', recorded.inner)], yaml: yamlOf({ driver: 'recorder' }) },
    env: { GATEWAY_ACCESS_KEY: innerKey },
  })
  direct = await startTestGateway({ drivers: [recordingDriver('recorder', recorded.direct)], yaml: yamlOf({ driver: 'recorder' }) })
  outer = await startTestGateway({
    yaml: yamlOf({ driver: 'gateway', base_url: inner.url, api_key_env: 'INNER_KEY' }),
    env: { INNER_KEY: innerKey },
  })
})
after(async () => {
  for (const gateway of [outer, direct, inner]) await gateway?.[Symbol.asyncDispose]()
})

interface Call {
  path: string
  options: CallOptions
}

/** Sends the call. Returns its answer, and the request that the driver got; the request is
 *  undefined when the call was refused, or its task failed before it reached the driver. */
async function asked(
  gateway: TestGateway,
  list: Recorded[],
  { path, options }: Call,
): Promise<{ answer: Answer; seen: Recorded | undefined }> {
  const before = list.length
  const answer = await gateway.call(path, options)
  if (answer.status >= 300 || list[before]) return { answer, seen: list[before] }
  const isOver = async () => (await gateway.admin('/admin/tasks?limit=1')).body.tasks[0]?.state === 'failed'
  await until(async () => list[before] || (await isOver()), `what ${path} asks`)
  return { answer, seen: list[before] }
}

function callsOf({ family }: FamilyEntry, operation: Operation): Call[] {
  const { method, path: template, choosesModel, when, body: spec, examples, needs = [] } = operation
  // The gateway counts tokens without a request to the fake driver, so there is nothing to compare.
  if (!choosesModel || method === 'GET' || needs.includes('countInput')) return []
  const [example] = examples
  const usable = examples.filter(({ needs }) => needs === undefined)
  // The outer gateway may answer a search from the results of an earlier search, without a request
  // to the inner gateway. No request could then be compared, so only the example is sent.
  const edges =
    usable.length === 0 || family.id === 'Search' ? [] : samplesOf(operation, example?.body).filter(({ verdict }) => verdict === 'accept')
  const bodies = [...usable.map(({ body }) => body), ...edges.filter((_, index) => index % samplesEach === 0).map(({ body }) => body)]
  const model = namedModel(family.id)
  const inPath = typeof choosesModel === 'object' && choosesModel.in === 'path' ? choosesModel.name : undefined
  const given = { ...example?.path, endpoint: 'default', ...(inPath !== undefined && model !== undefined ? { [inPath]: model } : {}) }
  const place = template.replace(/\{(\w+)\}/g, (_, name: string) => Object.entries(given).find(([each]) => each === name)?.[1] ?? '')
  const text = new URLSearchParams({ ...example?.query, ...when?.query }).toString()
  return bodies.map((body = {}) => ({
    path: text === '' ? place : `${place}?${text}`,
    options: { method, ...sentAs(spec, body, inPath === undefined ? model : undefined) },
  }))
}

/** Returns the options with which a body is sent. `model`, if given, is put into the body. */
function sentAs(spec: Operation['body'], body: JsonObject, model: string | undefined): CallOptions {
  if (model !== undefined) return { body: { model, ...body } }
  if (!spec?.text) return { body }
  const { field, typeField = '' } = spec.text
  return { raw: String(body[field]), headers: { 'content-type': String(body[typeField] ?? 'text/plain') } }
}

/** Returns the request without the seed when the caller has sent none, because the gateway then
 *  draws a random seed. */
function comparable({ request, ...rest }: Recorded, call: Call): object {
  const { seed, ...others } = request
  return { ...rest, request: JSON.stringify(call).replaceAll('"seed":null', '').includes('seed') ? { seed, ...others } : others }
}

describe('the inner driver gets what the outer family requests', () => {
  for (const entry of makers) {
    for (const [name, operation] of Object.entries(entry.family.operations)) {
      for (const [index, call] of callsOf(entry, operation).entries()) {
        test(`${entry.family.id}.${name} ${index + 1}`, async () => {
          const near = await asked(direct, recorded.direct, call)
          const far = await asked(outer, recorded.inner, call)
          assert.equal(far.answer.status, near.answer.status, far.answer.bytes.toString().slice(0, 300))
          if (index === 0) assert.ok(near.seen, near.answer.bytes.toString().slice(0, 300))
          assert.deepEqual(far.seen && comparable(far.seen, call), near.seen && comparable(near.seen, call))
        })
      }
    }
  }
})
