import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import { families } from '../../families/index.ts'
import { probeEntry } from '../../testing/probe-family.ts'
import { nested } from '../../testing/probe-nested.ts'
import { fieldNotes } from '../fields.ts'
import { fieldName } from '../file-fields.ts'
import { optional } from '../schemas.ts'
import { operationValidator } from '../validate.ts'
import { type Sample, trySchema } from './samples.ts'

for (const { family } of [...families, probeEntry]) {
  for (const [name, operation] of Object.entries(family.operations)) {
    if (!operation.body) continue
    const { schema } = operation.body
    const example = operation.examples.find(({ body }) => body)?.body
    const { samples, untried } = trySchema(operation, example)

    test(`${family.id}.${name}: every example is accepted`, () => {
      const validator = operationValidator(family, operation)
      for (const { body } of operation.examples) if (body) validator.body(structuredClone(body))
    })

    test(`${family.id}.${name}: every limit holds at its edge and one past it`, () => {
      const { body } = operationValidator(family, { ...operation, rules: [] })
      for (const sample of samples) {
        if (sample.verdict === 'accept') assert.doesNotThrow(() => body(structuredClone(sample.body)), sample.title)
        else
          assert.throws(
            () => body(structuredClone(sample.body)),
            error => isRefusalOf(sample, error),
            `${sample.title} was accepted`,
          )
      }
    })

    test(`${family.id}.${name}: every limit has its samples`, t => {
      for (const { field, at, verdict, why } of untried)
        t.diagnostic(`${field}: no body to ${verdict ?? 'try'} by ${at.join(', ')}: ${why}`)
      for (const limit of limitsIn(schema)) {
        for (const verdict of ['accept', 'refuse'] as const) {
          const isTried = samples.some(sample => sample.verdict === verdict && sample.keywords.includes(limit))
          const isExcused = untried.some(
            one => [verdict, undefined].includes(one.verdict) && one.at.some(at => `${limit}/`.startsWith(`${at}/`)),
          )
          assert.ok(isTried || isExcused, `no sample to ${verdict} by ${limit}`)
        }
      }
    })
  }
}

test('operations that cannot be told apart are not refused, and cases without an example are left out', () => {
  const body = Type.Object({
    size: Type.Union([Type.String({ maxLength: 3 }), Type.String({ pattern: '^[0-9]+x[0-9]+$' })]),
    code: optional.string({ pattern: '^[A-Z]{2}-[0-9]$' }),
    parts: optional.array(Type.Object({ code: Type.String({ pattern: '^[A-Z]{2}-[0-9]$' }), n: Type.Integer({ maximum: 3 }) })),
  })
  const { samples, untried } = trySchema({ ...nested, body: { schema: body } })
  const reasons = untried.map(({ field, at, verdict, why }) => `${field} ${verdict} ${at.map(one => one.split('/').at(-1))}: ${why}`)
  const ofSize = samples.filter(({ field, verdict }) => field === 'size' && verdict === 'refuse')
  assert.deepEqual(
    ofSize.map(({ title }) => title),
    ['size missing'],
  )
  for (const reported of [
    'size refuse maxLength: another option of the union may take it',
    'code accept type,pattern: the schema tells no value as string',
    'parts[0] undefined properties,required: the schema tells no value for the fields beside it',
  ])
    assert.ok(reasons.includes(reported), reasons.join('\n'))
})

function isRefusalOf({ title, field, keywords }: Sample, error: unknown): true {
  assert.ok(error instanceof GatewayError, title)
  const rules = keywords.map(keyword => keyword.slice(keyword.lastIndexOf('/') + 1))
  const reported = error.issues.map(({ path, rule }) => `${fieldName(path.slice(1))} ${rule}`)
  assert.ok(
    rules.some(rule => reported.includes(`${field} ${rule}`)),
    `${title}: ${reported} is told`,
  )
  assert.ok(error.message.includes(field), `${title}: ${error.message}`)
  return true
}

const saysNothing = new Set(['description', 'title', 'default', 'examples', ...fieldNotes])
const holdsSchema = new Set(['items', 'additionalProperties', 'propertyNames'])
const holdsSchemas = new Set(['properties', 'patternProperties', 'anyOf'])

/** Returns pointers to every keyword that limits something: all keywords except those known to
 *  limit nothing. */
function limitsIn(schema: object, pointer = ''): string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const at = `${pointer}/${keyword}`
    // Leaves out keywords that limit nothing, and the type of the whole body, because that type is
    // checked before the schema is applied.
    if (saysNothing.has(keyword) || value === true || at === '/type') return []
    if (holdsSchema.has(keyword) && isObject(value)) return limitsIn(value, at)
    if (!holdsSchemas.has(keyword)) return [at]
    return Object.entries(value).flatMap(([name, inner]) => limitsIn(Object(inner), `${at}/${name}`))
  })
}
