/** Tests that the OpenAPI document contains no construct that client generators cannot handle
 *  (docs/decisions/0040). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'
import { document, operations } from '../../testing/documented.ts'
import { foldedName } from './plain-schema.ts'

interface Place {
  at: string
  schema: JsonObject
  /** True for a schema that is an option of an `anyOf`. */
  isOption: boolean
}

const bodies = Object.entries(document.components.requestBodies)
const media = [
  ...bodies.map(([name, { content }]) => ({ name, content })),
  ...operations.flatMap(({ operation: { operationId, requestBody, responses } }) => [
    { name: `${operationId} body`, content: requestBody?.content ?? {} },
    ...Object.entries(responses).map(([status, { content }]) => ({ name: `${operationId} ${status}`, content })),
  ]),
]
const places: readonly Place[] = [
  ...Object.entries(document.components.schemas).flatMap(([name, schema]) => placesIn(name, schema)),
  ...media.flatMap(({ name, content }) => Object.entries(content).flatMap(([type, { schema }]) => placesIn(`${name} ${type}`, schema))),
  ...operations.flatMap(({ operation }) =>
    operation.parameters.flatMap(({ name, schema }) => placesIn(`${operation.operationId} ?${name}`, schema)),
  ),
]

/** Names that programming languages or the generated code itself reserve. */
const taken = new Set(
  ['Response', 'Request', 'ResponseError', 'RequestOptions', 'ApiException', 'ApiError', 'ApiClient', 'Client', 'Configuration', 'Null']
    .concat([
      'Error',
      'Object',
      'Any',
      'Type',
      'String',
      'Integer',
      'Number',
      'Boolean',
      'List',
      'Map',
      'Set',
      'Date',
      'File',
      'Blob',
      'Unset',
    ])
    .map(foldedName),
)

const shapes: readonly { says: string; isBroken(place: Place): boolean }[] = [
  {
    says: 'a schema has one type, or one beside null',
    isBroken: ({ schema: { type } }) => Array.isArray(type) && (type.length !== 2 || type[1] !== 'null'),
  },
  { says: 'null is a type only as an option of a union', isBroken: ({ schema, isOption }) => schema.type === 'null' && !isOption },
  { says: 'a default stands in words: generated code would send it', isBroken: ({ schema }) => 'default' in schema },
  {
    says: 'values are of the type that stands beside them',
    isBroken: ({ schema }) => {
      const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : []
      return values.some(
        value => ![schema.type].flat().includes(typeName(value)) && !(typeof value === 'number' && schema.type === 'number'),
      )
    },
  },
  {
    says: 'values of a union differ as texts: in generated code they are names',
    isBroken: ({ schema }) => {
      const values = Array.isArray(schema.anyOf) ? schema.anyOf.flatMap(option => Object(option).enum ?? []) : []
      return new Set(values.map(String)).size < values.length
    },
  },
  {
    says: 'an integer without a format has limits of 32 bits, and a number is a double',
    isBroken: ({ schema: { type, format, minimum, maximum, enum: listed, const: constant } }) => {
      if (listed !== undefined || constant !== undefined) return false
      if ([type].flat().includes('number')) return format !== 'double'
      const isSmall = Number(minimum ?? Number.NaN) >= -(2 ** 31) && Number(maximum ?? Number.NaN) < 2 ** 31
      return [type].flat().includes('integer') && format !== 'int64' && !isSmall
    },
  },
  { says: 'a constant is not a flag', isBroken: ({ schema }) => typeof schema.const === 'boolean' },
  {
    says: 'a list says what its items are',
    isBroken: ({ schema }) => [schema.type].flat().includes('array') && schema.items === undefined,
  },
  { says: 'a reference stands alone', isBroken: ({ schema }) => schema.$ref !== undefined && Object.keys(schema).length > 1 },
  {
    says: 'a union has options of its own, and no type, fields or reference beside them',
    isBroken: ({ schema }) =>
      Array.isArray(schema.anyOf) && (schema.anyOf.length < 2 || 'type' in schema || 'properties' in schema || '$ref' in schema),
  },
  {
    says: 'an object in a union has fields',
    isBroken: ({ schema, isOption }) => isOption && schema.type === 'object' && schema.properties === undefined,
  },
  { says: 'unions are told by anyOf', isBroken: ({ schema }) => 'oneOf' in schema || 'allOf' in schema || 'not' in schema },
  {
    says: 'fields of an object have different names in every language',
    isBroken: ({ schema }) => hasTwins(Object.keys(schema.properties ?? {})),
  },
  {
    says: 'a required field is one of the fields',
    isBroken: ({ schema }) => Array.isArray(schema.required) && schema.required.some(name => !(String(name) in Object(schema.properties))),
  },
]

for (const { says, isBroken } of shapes)
  test(says, () => {
    const broken = places.filter(isBroken).map(({ at, schema }) => `${at}: ${JSON.stringify(schema).slice(0, 160)}`)
    assert.deepEqual(broken, [])
  })

test('schemas, operations and parameters have distinct names in every language, and no reserved ones', () => {
  const names = Object.keys(document.components.schemas)
  assert.equal(hasTwins(names), false)
  assert.deepEqual(
    names.filter(name => taken.has(foldedName(name))),
    [],
  )
  assert.equal(hasTwins(operations.map(({ operation }) => operation.operationId)), false)
  for (const { operation } of operations) assert.equal(hasTwins(operation.parameters.map(({ name }) => name)), false, operation.operationId)
})

test('no schema has the name that openapi-generator gives to the parameters of an operation', () => {
  const parameters = operations.map(({ operation }) => `${operation.operationId}Request`)
  assert.equal(hasTwins([...Object.keys(document.components.schemas), ...parameters]), false)
})

test('fields have one encoding: parts when one of them is a file, else JSON; a text is a form with one field', () => {
  for (const [name, { content }] of bodies) {
    const isText = 'text/plain' in content
    const types = Object.keys(content).filter(type => !isText || type === 'application/x-www-form-urlencoded')
    assert.equal(types.length, 1, `${name}: ${types}`)
    const $ref = String(Reflect.get(content[types[0] ?? '']?.schema ?? {}, '$ref'))
    const isFile = placesIn(name, document.components.schemas[$ref.split('/').at(-1) ?? '']).some(
      ({ schema }) => schema.format === 'binary',
    )
    const expected = isText ? 'application/x-www-form-urlencoded' : isFile ? 'multipart/form-data' : 'application/json'
    assert.deepEqual(types, [expected], name)
  }
})

function placesIn(at: string, value: unknown, isOption = false): Place[] {
  if (!isObject(value)) return []
  const { properties, anyOf, items, additionalProperties } = value
  return [
    { at, schema: value, isOption },
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, field]) => placesIn(`${at}.${name}`, field)),
    ...(Array.isArray(anyOf) ? anyOf : []).flatMap((option, index) => placesIn(`${at}|${index}`, option, true)),
    ...placesIn(`${at}[]`, items),
    ...placesIn(`${at}.*`, additionalProperties),
  ]
}

function hasTwins(names: readonly string[]): boolean {
  return new Set(names.map(foldedName)).size < names.length
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
}
