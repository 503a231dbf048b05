import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { once } from './contract/driver.ts'
import { families } from './families/index.ts'
import { openLiveConfig } from './live-config.ts'
import { createFakeClock } from './testing/clock.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from './testing/fake-driver.ts'
import { openTestStore } from './testing/store.ts'
import { until } from './testing/until.ts'

const inForce = 'configuration file in force'

/** A live configuration on `yaml`, watched; `path` may be a link to it. */
async function watched(yaml: string, place: (folder: string) => Promise<string> = async folder => join(folder, 'gateway.yaml')) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-live-'))
  const path = await place(folder)
  await writeFile(path, yaml)
  const clock = createFakeClock()
  const opened = await openTestStore(clock)
  const lines: string[] = []
  const retained: string[][] = []
  const note = (_: object, message: string) => lines.push(message.replace(path, 'FILE'))
  const live = await openLiveConfig({
    path,
    families,
    drivers: [fakeImageDriver('f', once(donePixel)), fakeImageDriver('g', once(donePixel))],
    accounts: opened.store.accounts,
    env: {},
    clock,
    log: { info: note, warn: note, error: note },
    health: { retain: ids => retained.push([...ids]) },
  })
  live.watch()
  return {
    live,
    folder,
    path,
    lines,
    retained,
    has: (id: string) => until(() => live.catalogue().find('F1', id), `the model ${id}`),
    [Symbol.asyncDispose]: async () => {
      await live.close()
      await opened[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

test('a good edit is in force by itself; a look that finds the same content does nothing', async () => {
  await using gateway = await watched(fakeModelYaml('f', 'one'))
  const { live, lines, path, has } = gateway
  assert.ok(live.catalogue().find('F1', 'one'))
  await writeFile(path, fakeModelYaml('f', 'one'))
  await writeFile(path, fakeModelYaml('f', 'two'))
  await has('two')
  assert.equal(live.catalogue().find('F1', 'one'), undefined)
  assert.deepEqual(lines, [inForce, inForce])
})

test('a bad edit is refused once with its line and reason, and the old one stays in force', async () => {
  await using gateway = await watched(fakeModelYaml('f', 'one'))
  const { live, lines, path, has } = gateway
  await writeFile(path, 'models:\n  - id: one\n    family: F99\n    targets: [{ driver: f }]\n')
  const refused = await until(() => lines.find(line => line.includes('refused')), 'the refusal')
  assert.match(refused, /^configuration file refused, the old one stays in force: FILE, line 3: there is no family F99/)
  assert.ok(live.catalogue().find('F1', 'one'))
  await writeFile(path, '')
  await until(() => lines.find(line => line.includes('it is empty')), 'the refusal of an empty file')
  assert.ok(live.catalogue().find('F1', 'one'))
  await rm(path)
  await until(() => lines.find(line => line.includes('cannot be read')), 'the loss of the file')
  assert.ok(live.catalogue().find('F1', 'one'))
  await writeFile(path, fakeModelYaml('f', 'two'))
  await has('two')
  assert.equal(lines.filter(line => line.includes('F99')).length, 1)
})

test('a file that an editor puts in the place of the old one is seen, again and again', async () => {
  await using gateway = await watched(fakeModelYaml('f', 'one'))
  for (const id of ['two', 'three']) {
    await writeFile(join(gateway.folder, '.gateway.yaml.swp'), fakeModelYaml('f', id))
    await rename(join(gateway.folder, '.gateway.yaml.swp'), gateway.path)
    await gateway.has(id)
  }
})

test('a mounted volume that is swapped by its link is seen, and so is an edit behind a link', async () => {
  await using gateway = await watched(fakeModelYaml('f', 'one'), async folder => {
    await mkdir(join(folder, '..1'))
    await symlink('..1', join(folder, '..data'))
    await symlink(join('..data', 'gateway.yaml'), join(folder, 'gateway.yaml'))
    return join(folder, 'gateway.yaml')
  })
  const { folder } = gateway
  await mkdir(join(folder, '..2'))
  await writeFile(join(folder, '..2', 'gateway.yaml'), fakeModelYaml('f', 'two'))
  await symlink('..2', join(folder, '..data_tmp'))
  await rename(join(folder, '..data_tmp'), join(folder, '..data'))
  await gateway.has('two')
  await writeFile(join(folder, '..2', 'gateway.yaml'), fakeModelYaml('f', 'three'))
  await gateway.has('three')
})

test('targets that stay as they are keep their record, those that are gone or changed lose it', async () => {
  const yaml = (second: string, more = '') =>
    `models:\n  - { id: m, family: F1, group: P, targets: [{ driver: f }, { driver: f, model: ${second} }] }\n${more}`
  await using gateway = await watched(yaml('a'))
  await writeFile(gateway.path, yaml('b', '  - { id: n, family: F1, group: P, targets: [{ driver: g }] }\n'))
  await gateway.has('n')
  const last = gateway.retained.at(-1)?.filter(id => /^[mn]#/.test(id))
  assert.deepEqual(last, ['m#1'])
})
