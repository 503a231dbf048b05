import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { driverTools } from '../testing/driver-tools.ts'
import { knownEngines } from './known-engines.ts'

/** Adds to `found` all files that a module imports statically, itself or through other modules. */
function addImports(url: string, found: Set<string>): Set<string> {
  if (found.has(url)) return found
  found.add(url)
  const text = readFileSync(fileURLToPath(url), 'utf8')
  for (const [, specifier = ''] of text.matchAll(/^(?:import|export) (?!type )[^'"]*?from '(\.[^']+|@generation-gateway\/[^']+)'/gm)) {
    const target = import.meta.resolve(specifier, url)
    const file = specifier.startsWith('.') ? new URL(specifier, url).href : target
    if (existsSync(fileURLToPath(file))) addImports(file, found)
  }
  return found
}

test('the program loads no engine package before its roles are known', () => {
  const files = [...addImports(import.meta.resolve('../main.ts'), new Set())]
  assert.ok(files.length > 300, `${files.length} modules`)
  assert.deepEqual(
    files.filter(file => file.includes('/engines/') || file.endsWith('/src/engines.ts')),
    [],
  )
})

test('the stored declarations of engines equal those of their packages', async () => {
  const [own, declared] = await Promise.all([knownEngines(['engines']), knownEngines(['api', 'work'])])
  assert.deepEqual(declared.missingEngines, [])
  assert.equal(declared.engines.length, own.engines.length)
  for (const [index, { open, packs: _packs, commands: _commands, settings, ...facts }] of own.engines.entries()) {
    const other = declared.engines[index]
    assert.ok(other)
    const { open: openOther, settings: otherSettings, ...otherFacts } = other
    assert.deepEqual(otherFacts, facts)
    assert.deepEqual(JSON.parse(JSON.stringify(settings)), otherSettings)
    const [driver, remote] = [open(driverTools()), openOther(driverTools())]
    assert.equal(remote.queue.name, driver.queue.name)
    const shapes = [driver, remote].map(({ offers }) =>
      Object.entries(offers).map(([capability, { kind, follows, isRepeatable }]) => ({ capability, kind, follows, isRepeatable })),
    )
    assert.deepEqual(shapes[1], shapes[0], facts.id)
    await driver.close?.()
  }
})
