import assert from 'node:assert/strict'
import { test } from 'node:test'
import Value from 'typebox/value'
import { installedPackages, loadFactory, type PackageSource, providerPackages } from './packages.ts'
import { settings } from './settings.ts'

const factsFor = (name: string, factory?: string) =>
  settings.targetOf({ package: name, ...(factory === undefined ? {} : { export: factory }) })
const createOne = () => ({})
const createTwo = () => ({})

function sourceOf(exports: object): PackageSource {
  return { has: () => true, load: async () => exports }
}

async function refused(source: PackageSource, says: RegExp, factory?: string): Promise<void> {
  const loaded = await loadFactory(source, factsFor('fake-provider', factory))
  assert.ok(typeof loaded === 'object')
  assert.match(loaded.problem, says)
}

test('a missing package is named with the command that adds it', () => {
  const packages = providerPackages(installedPackages)
  const says = packages.problemOf(factsFor('@ai-sdk/not-there'))
  assert.match(
    says ?? '',
    /^The package @ai-sdk\/not-there is not installed: run "npm install @ai-sdk\/not-there" in the folder of the gateway$/,
  )
  assert.equal(packages.problemOf(factsFor('@ai-sdk/openai')), undefined)
})

test('a package that is added while the gateway runs can be used at once', () => {
  let isThere = false
  const packages = providerPackages({ has: () => isThere })
  assert.match(packages.problemOf(factsFor('fake-provider')) ?? '', /not installed/)
  isThere = true
  assert.equal(packages.problemOf(factsFor('fake-provider')), undefined)
})

test('modules of Node are not accepted as packages', () => {
  for (const name of ['fs', 'child_process']) assert.equal(installedPackages.has(name), false)
})

test('the factory of a real package is found by its name, and may be configured', async () => {
  const found = await loadFactory(installedPackages, factsFor('@ai-sdk/openai'))
  assert.equal(typeof found, 'function')
  assert.equal(await loadFactory(installedPackages, factsFor('@ai-sdk/openai', 'createOpenAI')), found)
  await refused(sourceOf({ createOne }), /has no factory createThree/, 'createThree')
})

test('two names of one factory count as one; of two factories one must be chosen', async () => {
  assert.equal(await loadFactory(sourceOf({ createOne, createUno: createOne }), factsFor('fake-provider')), createOne)
  await refused(sourceOf({ createOne, createTwo }), /several factories.*createOne, createTwo/)
  assert.equal(await loadFactory(sourceOf({ createOne, createTwo }), factsFor('fake-provider', 'createTwo')), createTwo)
})

test('a package that is no provider, or cannot be loaded, makes the target unusable until a restart', async () => {
  await refused(sourceOf({ default: () => {}, creator: createOne }), /no AI SDK provider/)
  const broken = { has: () => true, load: () => Promise.reject(Object.assign(new Error('sk-1'), { code: 'ERR_X' })) }
  await refused(broken, /cannot be loaded \(ERR_X\)/)
  const packages = providerPackages(broken)
  packages.keepProblem(factsFor('fake-provider'), 'It cannot be loaded.')
  assert.equal(packages.problemOf(factsFor('fake-provider')), 'It cannot be loaded.')
  assert.equal(packages.problemOf(factsFor('other-provider')), undefined)
})

test('only plain package names are accepted', () => {
  const isTaken = (name: string) => Value.Check(settings.schema, { package: name })
  for (const name of ['@ai-sdk/fal', 'fal', '@me/a.b_c-d']) assert.ok(isTaken(name), name)
  for (const name of [
    './fal',
    '../fal',
    '/tmp/fal',
    'node:fs',
    'file:///tmp/a.js',
    'data:text/javascript,1',
    'https://a.b/c',
    'fal/dist',
    '@ai-sdk/fal/x',
    '.fal',
    'A',
    '',
  ])
    assert.ok(!isTaken(name), name)
})
