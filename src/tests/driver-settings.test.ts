import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Offer } from '@generation-gateway/kit/requests/job.ts'
import { loadConfigFile } from '../config/config-file.ts'
import { checkObject } from '../contract/validate.ts'
import { drivers } from '../drivers/index.ts'
import { engines } from '../engines.ts'
import { families } from '../families/index.ts'
import { driverTools } from '../testing/driver-tools.ts'

const specs = [...engines, ...drivers]

/** Yields the paths of those objects in a schema that accept undeclared members. */
function* openObjects(schema: unknown, path: string): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  const { type, properties, additionalProperties, patternProperties } = Object(schema)
  if (type === 'object' && properties && additionalProperties === undefined && patternProperties === undefined) yield path
  for (const [name, member] of Object.entries(schema)) yield* openObjects(member, `${path}.${name}`)
}

test('an unknown setting of a driver, an engine or a route is refused, at every depth', () => {
  const open = [
    ...specs.flatMap(({ id, settings }) => [...openObjects(settings, id)]),
    ...families.flatMap(({ family }) => [...openObjects(family.routeOptions, family.id), ...openObjects(family.sections, family.id)]),
  ]
  assert.deepEqual(open, [])
  for (const { id } of engines) {
    const text = `models:\n  - id: m\n    family: T1\n    targets:\n      - { driver: ${id}, voices: { alloy: heart } }\n`
    assert.throws(
      () => loadConfigFile('FILE', { families, drivers: specs, missingEngines: [] }, {}, { text: { text } }),
      /FILE, line 5: .*voices is not known/,
      id,
    )
  }
})

const waits = { timeout_seconds: [1, 3600], idle_seconds: [1, 3600] } as const
const upstream = { base_url: 'https://service.example', api_key: 'k-000000000001' }
/** The smallest and largest value of each number in the settings of drivers. They are written by
 *  hand, so that the test fails when a limit is changed. The name `a.b` means the member `b` of the
 *  object `a`. */
const numbers: Record<string, { base: object; limits: Record<string, readonly [least: number, most: number]> }> = {
  'ai-sdk': {
    base: { package: 'some-provider' },
    limits: {
      ...waits,
      most_images: [1, 16],
      'video.inputs.first-frame': [0, 1],
      'video.inputs.last-frame': [0, 1],
      'video.inputs.subject': [0, 16],
      'video.inputs.reference': [0, 16],
      'video.inputs.style': [0, 16],
      'video.inputs.feature': [0, 4],
      'video.inputs.base': [0, 1],
      'video.poll_seconds': [0.1, 600],
    },
  },
  'openai-compatible': { base: upstream, limits: { ...waits, 'image.most_images': [1, 10], 'image.most_inputs': [1, 16] } },
  ark: { base: upstream, limits: { ...waits, most_input_mb: [1, 64] } },
  justone: { base: upstream, limits: { ...waits, days: [1, 365] } },
  text: {
    base: { file: '/models/a.gguf' },
    limits: {
      context: [256, 131_072],
      threads: [1, 64],
      'sampling.temperature': [0, 2],
      'sampling.top_p': [0, 1],
      'sampling.top_k': [0, 100_000],
    },
  },
  recognition: { base: {}, limits: { threads: [1, 64] } },
  slides: { base: {}, limits: { pictures: [0, 12] } },
}

test('a number in the settings of a driver or an engine is accepted up to its limits and refused beyond them', () => {
  for (const [id, { base, limits }] of Object.entries(numbers)) {
    const spec = specs.find(each => each.id === id)
    assert.ok(spec, id)
    for (const [setting, [least, most]] of Object.entries(limits)) {
      const set = (value: number) => {
        const steps = setting.split('.')
        const inner = steps.reduceRight<unknown>((within, step) => ({ [step]: within }), value)
        return () => checkObject(spec.settings, { ...base, ...Object(inner) }, 'target')
      }
      for (const value of [least, most]) assert.doesNotThrow(set(value), `${id}: ${setting} ${value}`)
      const step = least === 0.1 ? 0.01 : 1
      for (const value of [least - step, most + step])
        assert.throws(set(value), new RegExp(setting.split('.').at(-1) ?? ''), `${id}: ${setting} ${value}`)
    }
  }
})

test('a target with an unusable address is refused, naming its driver', async () => {
  for (const spec of drivers) {
    if (spec.kind !== 'upstream') continue
    const driver = await spec.open(driverTools())
    const [offer] = Object.values(driver.offers)
    const facts = { request: {}, inputs: [], model: 'm', settings: { base_url: 'ftp://service.example', api_key: 'k' } }
    const refusal = (offer as Offer<unknown>).refuses?.(facts)
    assert.match(refusal?.message ?? '', new RegExp(`^Settings of the driver ${spec.id}: base_url`))
    await driver.close?.()
  }
})
