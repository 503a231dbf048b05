import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { NameSettings } from './aliases.ts'
import { buildCatalogue, type CatalogueModel } from './catalogue.ts'

const speech = 'speech.synthesize' as const
const families = [
  { id: 'T1', models: [{ id: 'tts-1', title: 'Speech', capability: speech }], aliases: { tts: 'tts-1', gone: 'nowhere' } },
  { id: 'M', models: [{ id: 'songs', title: 'Songs', capability: 'music.song' as const }], aliases: { auto: 'songs' } },
  { id: 'chat', models: [], takesModelsOf: ['text.respond' as const], defaultAliases: ['gpt-4o'] },
  { id: 'responses', models: [], takesModelsOf: ['text.respond' as const] },
]
const textModel = (id: string, rank: number) => ({ id, title: id, capability: 'text.respond' as const, name: id, rank })
const engines = [
  { id: 'speech', capabilities: [speech] },
  { id: 'text', capabilities: ['text.respond'], models: [textModel('small', 1), textModel('large', 2)] },
]
const all = () => true

function configured(id: string, family: string): CatalogueModel {
  const target = { id: `${id}#1`, driver: 'far', model: id, order: 1, weight: 1, settings: {} }
  const capability = family === 'T1' ? speech : ('text.respond' as const)
  return { id, title: id, families: [family], capability, targets: [target], source: 'yaml' }
}

const catalogueOf = (names: NameSettings = {}, models: CatalogueModel[] = []) => buildCatalogue(families, engines, models, names)

test('a built-in alias, also with a date after it, names the built-in model in its families, and is never an id', () => {
  const catalogue = catalogueOf()
  for (const name of ['tts', 'tts-2025-12-15', 'tts-1-1106', 'tts-250828']) {
    const { model, alias } = catalogue.named('T1', name, all) ?? {}
    assert.deepEqual([model?.id, alias?.name, alias?.source], ['tts-1', name, 'built-in'])
    assert.equal(catalogue.find('T1', name), undefined)
  }
  assert.equal(catalogue.named('T1', 'tts-1', all)?.alias, undefined)
  for (const name of ['TTS', 'tts-12', 'tts-x', 'auto', 'gone', '__proto__', 'constructor'])
    assert.equal(catalogue.named('T1', name, all), undefined, name)
  assert.deepEqual(catalogue.familiesOf('auto'), ['M'])
})

test('a built-in name for the default model means the best usable one, until a model of the family is configured', () => {
  const catalogue = catalogueOf()
  assert.equal(catalogue.named('chat', 'gpt-4o', all)?.model.id, 'large')
  assert.equal(catalogue.named('responses', 'gpt-4o', ({ id }) => id === 'small')?.model.id, 'small')
  const own = catalogueOf({}, [configured('house', 'responses')])
  assert.equal(own.named('chat', 'gpt-4o', all), undefined)
  assert.equal(own.named('chat', 'house', all)?.model.id, 'house')
})

test('a configured model keeps its name, and does not change an alias of other families', () => {
  const catalogue = catalogueOf({}, [configured('tts', 'T1'), configured('auto', 'chat')])
  assert.deepEqual(catalogue.named('T1', 'tts', all)?.alias, undefined)
  assert.equal(catalogue.named('T1', 'tts-2025-12-15', all), undefined, 'what is configured has no dates')
  assert.equal(catalogue.named('M', 'auto', all)?.model.id, 'songs')
  assert.deepEqual(
    catalogue.aliases().map(({ name }) => name),
    [],
  )
})

test('configured aliases have priority over built-in ones, and may lead to other aliases', () => {
  const catalogue = catalogueOf({ aliases: { tts: 'house', a: 'b', b: 'tts', c: 'gpt-4o' } }, [configured('house', 'T1')])
  for (const name of ['tts', 'a', 'b']) assert.equal(catalogue.named('T1', name, all)?.model.id, 'house', name)
  assert.equal(catalogue.named('chat', 'c', all)?.model.id, 'large')
  assert.equal(catalogue.named('T1', 'a-2025-12-15', all), undefined)
  assert.deepEqual(catalogueOf({ builtInAliases: false }).aliases(), [])
})

test('an alias that leads to no model is refused, naming it', () => {
  const cases: [aliases: Record<string, string>, says: RegExp][] = [
    [{ a: 'a' }, /^The alias a leads back to a and never to a model\.$/],
    [{ a: 'b', b: 'c', c: 'b' }, /^The alias a leads back to b/],
    [{ a: 'tts-2' }, /^The alias a stands for tts-2, and there is no model tts-2; near are tts/],
    [{ a: 'zzzz' }, /^The alias a stands for zzzz, and there is no model zzzz\.$/],
    [{ house: 'tts-1' }, /^The alias house is the id of a model;/],
    [{ 'tts-1': 'house' }, /^The alias tts-1 is the id of a built-in model;/],
    [{ toString: 'constructor' }, /there is no model constructor/],
  ]
  for (const [aliases, says] of cases) {
    assert.throws(
      () => catalogueOf({ aliases }, [configured('house', 'T1')]),
      (error: unknown) => error instanceof GatewayError && says.test(error.message) && error.issues[0]?.path[1] === Object.keys(aliases)[0],
      JSON.stringify(aliases),
    )
  }
})

test('an alias in a scope stands for its model; an alias without a model stays as it is', () => {
  const catalogue = catalogueOf({ aliases: { a: 'tts' } }, [configured('auto', 'chat')])
  assert.deepEqual(
    ['tts', 'tts-1106', 'tts-1-1106', 'a', 'a-1106', 'auto', 'unknown', 'gone'].map(name => catalogue.idsOf(name)),
    [['tts-1'], ['tts-1'], ['tts-1'], ['tts-1'], ['a-1106'], ['auto'], ['unknown'], ['gone']],
  )
})

test('similar names are suggested only from the family, and only for visible models', () => {
  const catalogue = catalogueOf()
  assert.deepEqual(catalogue.near('T1', 'tts-9', all), ['tts-1', 'tts'])
  assert.deepEqual(
    catalogue.near('T1', 'tts-9', () => false),
    [],
  )
  assert.deepEqual(catalogue.near('M', 'tts-9', all), [])
})
