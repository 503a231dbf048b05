import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { Catalogue } from '../core/routing/catalogue.ts'
import { createEngineFacts } from './engine-facts.ts'

test('an engine whose check throws is reported as unusable, and the other engines as they are', () => {
  const driver = (id: string, unusable: NonNullable<Driver['unusable']>): Driver => ({
    ...{ id, title: id, queue: { name: `engine:${id}`, slots: 1 }, offers: {}, unusable },
  })
  const failing = driver('failing', () => {
    throw new Error('no such file: /secret/path')
  })
  const lacking = driver('lacking', (_settings, model) => (model === 'b' ? 'a pack is missing' : undefined))
  const targetOf = (id: string, model: string) => ({ id: `${id}-${model}`, driver: id, model, settings: {}, order: 1, weight: 1 })
  // The cast is safe: the function reads only the targets of the models.
  const catalogue = { all: () => [{ targets: ['failing', 'lacking'].flatMap(id => ['a', 'b'].map(model => targetOf(id, model))) }] }
  const warnings: string[] = []
  const facts = createEngineFacts({
    engines: ['failing', 'lacking'],
    drivers: new Map([failing, lacking].map(each => [each.id, each])),
    catalogue: () => catalogue as unknown as Catalogue,
    log: { warn: (_fields, message) => void warnings.push(message) },
  })
  assert.deepEqual(facts(), {
    failing: 'The check whether this engine can run failed; the log of the node says why.',
    lacking: { b: 'a pack is missing' },
  })
  assert.equal(warnings[0], 'the check whether an engine can run a model failed')
})
