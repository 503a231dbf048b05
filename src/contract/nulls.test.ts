/** Tests that a field which is null counts as absent, because typed clients send null for every
 *  field that they leave out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import Type, { type TObject } from 'typebox'
import { families } from '../families/index.ts'
import { probeEntry } from '../testing/probe-family.ts'
import { nested } from '../testing/probe-nested.ts'
import { type FieldPath, fieldName } from './file-fields.ts'
import { type Keywords, keywordsOf, looksLike } from './keywords.ts'
import { presentFields } from './nulls.ts'
import { optional } from './schemas.ts'
import { operationValidator } from './validate.ts'

/** A field that an example body has or could have, and whether the body may leave it out. */
interface Place {
  path: FieldPath
  isOptional: boolean
}

/** Returns every field that the schema has for the objects in a body, at any depth, also the fields
 *  that the body lacks. */
function placesIn(schema: Keywords, value: Json | undefined, path: FieldPath = []): Place[] {
  const { properties = {}, required = [], items, anyOf = [] } = schema
  const inOptions = anyOf.filter(option => looksLike(option, value)).flatMap(option => placesIn(option, value, path))
  if (Array.isArray(value)) return [...inOptions, ...value.flatMap((item, index) => placesIn(items ?? {}, item, [...path, index]))]
  if (!isObject(value)) return inOptions
  const own = Object.entries(properties).flatMap(([name, field]): Place[] => [
    { path: [...path, name], isOptional: !required.includes(name) || field.default !== undefined },
    ...placesIn(field, value[name], [...path, name]),
  ])
  return [...inOptions, ...own]
}

/** Returns a copy of the body with this value in the field; with undefined, the field is
 *  removed. */
function bodyWith(body: JsonObject, path: FieldPath, value: null | undefined): JsonObject {
  const copy = structuredClone(body)
  // The cast is safe: the path leads to an object in the body.
  const parent = path.slice(0, -1).reduce<Json | undefined>((at, step) => Object(at)[step], copy) as JsonObject
  const name = String(path.at(-1))
  if (value === null) parent[name] = null
  else delete parent[name]
  return copy
}

for (const { family } of [...families, probeEntry]) {
  for (const [name, operation] of Object.entries(family.operations)) {
    const { body: spec, examples } = operation
    const bodies = examples.flatMap(({ body }): JsonObject[] => (body ? [body] : []))
    if (!spec || bodies.length === 0) continue
    const schema = keywordsOf(spec.schema)
    const validator = operationValidator(family, { ...operation, rules: [] })
    const checked = (body: JsonObject) => ({ present: presentFields(body), body: validator.body(structuredClone(body)) })

    test(`${family.id}.${name}: a field that is null is absent, and a required one is missing`, () => {
      for (const body of bodies) {
        for (const { path, isOptional } of placesIn(schema, body)) {
          const field = fieldName(path)
          const sent = bodyWith(body, path, null)
          if (isOptional) assert.deepEqual(checked(sent), checked(bodyWith(body, path, undefined)), field)
          else
            assert.throws(
              () => checked(sent),
              error => isMissing(field, error),
              field,
            )
        }
      }
    })

    test(`${family.id}.${name}: every field that an example leaves out may be null at once`, () => {
      for (const body of bodies) {
        const left = placesIn(schema, body).filter(({ path, isOptional }) => isOptional && !isThere(body, path))
        const sent = left.reduce((made, { path }) => bodyWith(made, path, null), body)
        assert.deepEqual(checked(sent), checked(body))
      }
    })
  }
}

function isMissing(field: string, error: unknown): boolean {
  return error instanceof GatewayError && error.issues.some(({ path, rule }) => rule === 'required' && fieldName(path.slice(1)) === field)
}

function isThere(body: JsonObject, path: FieldPath): boolean {
  return path.reduce<unknown>((at, step) => Object(at)[step], body) !== undefined
}

const probe = (schema: TObject) => operationValidator(probeEntry.family, { ...nested, rules: [], body: { schema } })

test('a null in a list, and members that callers name, stay as they are', () => {
  const schema = Type.Object({
    parts: optional.array(Type.Union([Type.String(), Type.Object({ text: optional.string() })])),
    parameters: optional.unsafe<JsonObject>({ type: 'object' }),
    labels: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  })
  const { body } = probe(schema)
  const kept = { parameters: { default: null, enum: [1, null] }, labels: { a: null }, unknown: null, more: { a: null } }
  assert.deepEqual(body({ ...structuredClone(kept), parts: ['a', { text: null }] }), { ...kept, parts: ['a', {}] })
  assert.throws(() => body({ parts: ['a', null] }), /parts\[1\] is null; it must be string or object/)
})

test('names of built-in object members are not taken for fields', () => {
  const { body } = probe(Type.Object({ a: optional.string() }))
  const sent: unknown = JSON.parse('{"a":null,"__proto__":null,"constructor":null,"toString":null}')
  assert.deepEqual(Object.entries(body(sent)), Object.entries(JSON.parse('{"__proto__":null,"constructor":null,"toString":null}')))
})

test('the whole body is not treated as absent when it is null', () => {
  assert.throws(
    () => probe(Type.Object({}))?.body(null),
    (error: unknown) => error instanceof GatewayError && error.code === 'invalid_json',
  )
})
