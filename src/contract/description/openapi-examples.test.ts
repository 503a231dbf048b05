/** Sends every documented example to a gateway without any configuration. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { engines } from '../../engines.ts'
import { families } from '../../families/index.ts'
import { needPack } from '../../packs/testing/need-pack.ts'
import { assertAnswer, bodyOf, type DocumentedExample, type DocumentedOperation, operations, textTypeOf } from '../../testing/documented.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import type { FamilyModel } from '../model.ts'
import type { Operation } from '../operation.ts'

const needsModel = needPack('text-0.5b')
/** Families with models that no built-in engine serves. */
const unserved = new Set(families.flatMap(({ family }) => (family.models.every(isServed) ? [] : family.id)))

/** Families that answer a new task at once, with its id. */
const queueing = new Set(families.flatMap(({ family }) => (Object.values<Operation>(family.operations).some(isStatus) ? family.id : [])))

let gateway: TestGateway
/** A gateway whose engines do not run. The examples of the `queueing` families are sent to it,
 *  because their answers do not depend on the engines. Otherwise the engines would produce songs
 *  and films that no test reads. */
let parked: TestGateway
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
  parked = await startTestGateway()
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await parked[Symbol.asyncDispose]()
})

/** Operations that choose a model. Among them are operations without a body that create
 *  something or call a target. */
const choosing = new Set(
  families.flatMap(({ family }) =>
    Object.values<Operation>(family.operations).flatMap(each => (each.choosesModel ? each.operationId : [])),
  ),
)

/** True for the first operation in the list that has this body. The aliases of an operation refer
 *  to the same body, which has to be tested only once. */
const isFirst = ({ operation }: DocumentedOperation, index: number) =>
  operation.requestBody === undefined ||
  index === operations.findIndex(other => other.operation.requestBody?.$ref === operation.requestBody?.$ref)

for (const documented of operations.filter(isFirst)) {
  const { operation } = documented
  const { requestBody, tags } = operation
  const talks = requestBody !== undefined && tags.some(tag => tag === 'chat' || tag === 'responses')
  const isChoosing = requestBody !== undefined || choosing.has(operation.operationId.replace(/[0-9]$/, ''))
  const isServedHere = !isChoosing || !tags.some(tag => unserved.has(tag))
  // No built-in engine serves the skipped operations.
  if (!talks && !isServedHere) continue
  for (const title of titlesOf(documented)) {
    test(`${operation.operationId}: ${title}`, talks ? needsModel : {}, async () => {
      const { path, body, needs } = exampleOf(documented, title)
      const text = textTypeOf(operation)
      const sent = text === undefined ? (body === undefined ? {} : { body }) : { raw: 'Hello.', headers: { 'content-type': text } }
      const answer = await (tags.some(tag => queueing.has(tag)) ? parked : gateway).call(path, {
        method: documented.method.toUpperCase(),
        ...sent,
      })
      assertAnswer(operation.operationId, answer)
      if (needs === undefined) return assert.equal(answer.status, 200, JSON.stringify(answer.body))
      // `needs` is a note on what the example requires, such as a model that this gateway does not
      // have. The gateway must therefore refuse the example; otherwise the note is wrong.
      assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status}: it needs nothing`)
      assert.match(needs, /^[a-z].*\.$/)
    })
  }
}

test('the gateway accepts the commands on the home page', needsModel, async () => {
  const page = (await gateway.call('/', { key: false })).bytes.toString()
  const commands = [...page.matchAll(/<pre>(curl [\s\S]*?)<\/pre>/g)].map(([, command = '']) => unescaped(command))
  assert.equal(commands.length, 2)
  for (const command of commands) {
    const [, url = '', raw = ''] = /^curl (\S+) [\s\S]*-d '([\s\S]*)'$/.exec(command) ?? []
    const answer = await gateway.call(url, { raw })
    assert.equal(answer.status, 200, `${command}: ${JSON.stringify(answer.body)}`)
  }
})

function isServed({ capability }: FamilyModel): boolean {
  return engines.some(spec => spec.kind === 'engine' && spec.capabilities.some(each => each === capability))
}

/** True for an operation that returns the state of a task of its own family. */
function isStatus({ readsTask }: Operation): boolean {
  return readsTask !== undefined && readsTask.of !== 'account'
}

/** Returns the titles of the operation's examples. An operation without input is tested once,
 *  under the title `as it is`. */
function titlesOf({ operation }: DocumentedOperation): string[] {
  const examples = [bodyOf(operation), ...operation.parameters].flatMap(each => Object.keys(each?.examples ?? {}))
  return examples.length === 0 ? ['as it is'] : [...new Set(examples)]
}

/** Returns the call as the document shows it. */
function exampleOf({ path, operation }: DocumentedOperation, title: string): { path: string; body: unknown; needs: string | undefined } {
  const shown: DocumentedExample[] = []
  const take = (examples: Record<string, DocumentedExample> | undefined): unknown => {
    const example = examples?.[title]
    if (example) shown.push(example)
    return example?.value
  }
  const values = new Map(operation.parameters.map(({ name, example, examples }) => [name, take(examples) ?? example]))
  const inQuery = operation.parameters.filter(parameter => parameter.in === 'query' && values.get(parameter.name) !== undefined)
  const query = new URLSearchParams(inQuery.map(({ name }) => [name, String(values.get(name))]))
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(values.get(name))))
  const body = take(bodyOf(operation)?.examples)
  return { path: query.size === 0 ? filled : `${filled}?${query}`, body, needs: shown.find(each => each['x-needs'])?.['x-needs'] }
}

function unescaped(html: string): string {
  const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html.replace(/&(lt|gt|quot|#39|amp);/g, (whole, name: string) => signs[name] ?? whole)
}
