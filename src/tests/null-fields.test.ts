/** Tests fields with the value null, which clients generated from types may send. The test follows
 *  each field from the request to the task, in the families that create tasks. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { keywordsOf } from '../contract/keywords.ts'
import { families } from '../families/index.ts'
import { exampleUrl } from '../testing/example-url.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway()
})
after(() => gateway[Symbol.asyncDispose]())

/** Families that answer a submit before an engine begins to work on the task. */
const ofTasks = new Set(['F1', 'F2', 'F4', 'S', 'H', 'K', 'V', 'M', 'slides'])

for (const { family } of families.filter(each => ofTasks.has(each.family.id))) {
  for (const operation of Object.values(family.operations)) {
    const example = operation.examples.find(({ body, needs }) => body && needs === undefined)
    if (!operation.body || !operation.choosesModel || !example?.body) continue
    const { body } = example
    const names = Object.keys(keywordsOf(operation.body.schema).properties ?? {}).filter(name => !(name in body))

    test(`${operation.operationId} accepts its example with ${names.length} fields that are null`, async () => {
      const url = exampleUrl(operation, example)
      const plain = await gateway.call(url, { body })
      const answer = await gateway.call(url, { body: { ...body, ...Object.fromEntries(names.map(name => [name, null])) } })
      assert.deepEqual([answer.status, Object.keys(answer.body)], [200, Object.keys(plain.body)], JSON.stringify(answer.body))
      const warning = 'x-gateway-warning'
      assert.equal(answer.headers.get(warning), plain.headers.get(warning))
    })
  }
}

test('both tasks of each pair have the same model', async () => {
  const { body } = await gateway.call('/v1/tasks?limit=100')
  const models = Object.groupBy(body.data, ({ family, model }: { family: string; model: string }) => `${family} ${model}`)
  for (const [model, tasks = []] of Object.entries(models)) assert.equal(tasks.length % 2, 0, `${model}: ${tasks.length} tasks`)
})
