/** Adds to a body, at each of its objects, members that the schema does not declare there, with the
 *  names of fields that are known elsewhere. Nothing may read them as if they had been checked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type Json } from '@generation-gateway/kit/json.ts'
import { kindsOf } from '../contract/body.ts'
import { type FieldPath, fieldName } from '../contract/file-fields.ts'
import { type Keywords, keywordsOf } from '../contract/keywords.ts'
import type { Operation } from '../contract/operation.ts'
import { families } from '../families/index.ts'
import { exampleUrl } from '../testing/example-url.ts'
import { startTestGateway, testKey } from '../testing/gateway.ts'
import { valueAt, withValue } from '../testing/load/worst-megabytes.ts'

const values: Json[] = [5, 'x', {}, [null]]
/** Some names are refused wherever they stand, because they name a further model or something that
 *  is stored. This is the largest number of such names that the test removes from one body. */
const mostRefused = 12
/** The answer of an operation that waits for an engine is not awaited: no engine runs here. */
const patienceMs = 500

const operations = families.flatMap(({ family }) => Object.values(family.operations))
const withJson = operations.filter(({ body }) => body && kindsOf(body).includes('json'))
const knownNames = new Set(withJson.flatMap(({ body }) => [...namesIn(keywordsOf(body!.schema))]))

function* namesIn({ properties = {}, items, anyOf = [] }: Keywords): Generator<string> {
  yield* Object.keys(properties)
  for (const inner of [...Object.values(properties), ...(items ? [items] : []), ...anyOf]) yield* namesIn(inner)
}

interface Place {
  path: FieldPath
  declared: ReadonlySet<string>
}

/** Yields the objects of a body, each with the names that a schema may declare there. */
function* objectsIn(schemas: readonly Keywords[], value: Json, path: FieldPath = []): Generator<Place> {
  const options = schemas.flatMap(schema => [schema, ...(schema.anyOf ?? [])])
  const first = Array.isArray(value) ? value[0] : undefined
  if (first !== undefined)
    yield* objectsIn(
      options.flatMap(({ items }) => items ?? []),
      first,
      [...path, 0],
    )
  if (!isObject(value)) return
  yield { path, declared: new Set(options.flatMap(({ properties = {} }) => Object.keys(properties))) }
  for (const [name, member] of Object.entries(value)) {
    const inner = options.flatMap(({ properties }) => properties?.[name] ?? [])
    if (member !== undefined) yield* objectsIn(inner, member, [...path, name])
  }
}

async function answerOf(url: string, body: Json): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if (signal.aborted) return { status: 0, text: '' }
    throw error
  }
}

test('members named like fields that other operations declare are refused or ignored', async () => {
  await using gateway = await startTestGateway()
  const problems: string[] = []
  const taken = new Set<string>()
  const judge = async (operation: Operation, { path, declared }: Place, value: Json): Promise<void> => {
    const example = operation.examples[0]?.body
    const names = new Set([...knownNames].filter(name => name !== 'model' && !declared.has(name)))
    for (let refused = 0; refused < mostRefused; refused++) {
      const members = Object.fromEntries([...names].map(name => [name, value]))
      const body = withValue(example, path, { ...members, ...Object(valueAt(example, path)) })
      const { status, text } = await answerOf(gateway.url + exampleUrl(operation), body)
      if (status >= 500 && status !== 503)
        problems.push(`${operation.operationId}: ${fieldName(path)} with ${JSON.stringify(value)}: ${status} ${text}`)
      if (status !== 400) return void taken.add(operation.operationId)
      const [named] = [...names].filter(name => new RegExp(`\\b${name}\\b`).test(text)).sort((a, b) => b.length - a.length)
      if (named === undefined) return
      names.delete(named)
    }
  }
  for (const operation of withJson) {
    const body = operation.examples[0]?.body
    if (!body) continue
    for (const place of objectsIn([keywordsOf(operation.body!.schema)], body))
      await Promise.all(values.map(value => judge(operation, place, value)))
  }
  assert.deepEqual(problems, [])
  assert.ok(taken.size > 40, `${taken.size} operations took the members`)
})
