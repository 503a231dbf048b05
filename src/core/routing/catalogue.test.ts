import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineModel } from '@generation-gateway/kit/driver.ts'
import { buildCatalogue, type CatalogueModel } from './catalogue.ts'

const talks = { models: [], takesModelsOf: ['text.respond' as const] }
const families = [
  { id: 'F1', models: [{ id: 'drawn', title: 'Drawn', capability: 'image.generate' as const }] },
  { id: 'chat', ...talks },
  { id: 'responses', ...talks },
]
const engineModel = (id: string, rank?: number): EngineModel => ({
  ...{ id, title: id, capability: 'text.respond', name: `${id}-file` },
  ...(rank === undefined ? {} : { rank }),
})
const text = { id: 'text', capabilities: ['text.respond'], models: [engineModel('small', 1), engineModel('large', 2)] }
const verse = { id: 'verse', capabilities: ['text.respond'], models: [engineModel('rhyme')] }
const draws = { id: 'studio', capabilities: ['image.generate'] }
const missing = 'The engine is not installed.'
const all = () => true

function configured(id: string, family: string): CatalogueModel {
  const target = { id: `${id}#1`, driver: 'far', model: id, order: 1, weight: 1, settings: {} }
  const capability = family === 'F1' ? ('image.generate' as const) : ('text.respond' as const)
  return { id, title: id, families: [family], capability, targets: [target], source: 'yaml' }
}

test('a family of a capability has the models of every engine; their ranks decide the default', () => {
  const catalogue = buildCatalogue(families, [draws, verse, text], [])
  const models = catalogue.all().filter(model => model.capability === 'text.respond')
  assert.deepEqual(
    models.map(({ id, families, targets }) => [id, families, targets.map(({ driver, model }) => [driver, model])]),
    ['rhyme', 'small', 'large'].map(id => [id, ['chat', 'responses'], [[id === 'rhyme' ? 'verse' : 'text', `${id}-file`]]]),
  )
  assert.equal(catalogue.defaultOf('chat', undefined, all)?.id, 'large')
  assert.equal(catalogue.defaultOf('chat', undefined, model => model.id === 'small')?.id, 'small')
  assert.equal(catalogue.find('F1', 'large'), undefined, 'a family that takes none has none')
})

test('a model whose engine is not installed reports this, and is not the default while another is configured', () => {
  const lean = [{ ...draws, missing }]
  const alone = buildCatalogue(families, lean, [])
  const model = alone.defaultOf('F1', undefined, () => false)
  assert.deepEqual([model?.id, model?.targets.map(target => target.unusable)], ['drawn', [missing]])
  assert.equal(buildCatalogue(families, lean, [configured('far', 'F1')]).defaultOf('F1', undefined, () => false)?.id, 'far')
  assert.equal(buildCatalogue(families, [draws], [configured('far', 'F1')]).defaultOf('F1', undefined, all)?.id, 'drawn')
})

test('a family without any model names the engine that would provide some', () => {
  const catalogue = buildCatalogue(families, [draws, { id: 'text', capabilities: ['text.respond'], missing }], [])
  assert.equal(catalogue.defaultOf('chat', undefined, all), undefined)
  assert.equal(catalogue.whyNone('chat'), 'Family chat has no model. The engine is not installed.')
})
