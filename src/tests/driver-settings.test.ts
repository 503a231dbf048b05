import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfigFile } from '../config/config-file.ts'
import { drivers } from '../drivers/index.ts'
import { engines } from '../engines.ts'
import { families } from '../families/index.ts'

const specs = [...engines, ...drivers]

/** Paths of objects in a schema that accept undeclared members. */
function* openObjects(schema: unknown, path: string): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  const { type, properties, additionalProperties, patternProperties } = Object(schema)
  if (type === 'object' && properties && additionalProperties === undefined && patternProperties === undefined) yield path
  for (const [name, member] of Object.entries(schema)) yield* openObjects(member, `${path}.${name}`)
}

test('a setting that a driver, an engine or a route does not know is refused, at every depth', () => {
  const open = [
    ...specs.flatMap(({ id, settings }) => [...openObjects(settings, id)]),
    ...families.flatMap(({ family }) => [...openObjects(family.routeOptions, family.id), ...openObjects(family.sections, family.id)]),
  ]
  assert.deepEqual(open, [])
  for (const { id } of engines) {
    const text = `models:\n  - id: m\n    family: T1\n    targets:\n      - { driver: ${id}, voices: { alloy: heart } }\n`
    assert.throws(() => loadConfigFile('FILE', { families, drivers: specs }, {}, { text }), /FILE, line 5: .*voices is not known/, id)
  }
})
