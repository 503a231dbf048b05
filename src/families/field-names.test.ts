import assert from 'node:assert/strict'
import { test } from 'node:test'
import { families } from './index.ts'

/** Parts of the prompt in F4 that set fields of the neutral request
 *  (docs/interface/pictures.md#f4). */
const artworkFlags = ['--aspect', '--no', '--seed']

interface Schema {
  type?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** Returns true when the schema has the field at this path, such as `instances[0].prompt`. An
 *  object whose members the schema does not list counts as having any field. */
function has(schema: Schema | undefined, path: readonly string[]): boolean {
  const [step, ...rest] = path
  if (schema === undefined) return false
  if (step === undefined) return true
  if (schema.type?.toString().includes('object') && schema.properties === undefined && schema.anyOf === undefined) return true
  const inner = /^\d+$/.test(step) ? schema.items : schema.properties?.[step]
  return (inner !== undefined && has(inner, rest)) || (schema.anyOf ?? []).some(option => has(option, path))
}

test('every name that a family uses for a neutral field is one of its fields, path parameters or flags', () => {
  for (const { family } of families) {
    const operations = Object.values(family.operations)
    const parameters = operations.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    for (const [field, name] of Object.entries(family.fieldNames ?? {})) {
      const path = name.split(/[.[\]]+/).filter(step => step !== '')
      const isField =
        path.length > 0 &&
        operations.some(({ body, query }) => [body?.schema, query].some(schema => has(schema as Schema | undefined, path)))
      // In a request whose body is a text, `body` stands for the whole text.
      const isWholeBody = name === 'body' && operations.some(({ body }) => body?.text !== undefined)
      const isFlag = family.id === 'F4' && artworkFlags.includes(name)
      assert.ok(isField || isWholeBody || isFlag || parameters.includes(name), `${family.id} calls ${field} ${JSON.stringify(name)}`)
    }
  }
})
