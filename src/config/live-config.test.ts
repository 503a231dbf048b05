import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { families } from '../families/index.ts'
import { createFakeClock } from '../testing/clock.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../testing/fakes/fake-driver.ts'
import { openTestStore } from '../testing/stores/store.ts'
import { LiveConfig } from './live-config.ts'

const inForce = 'configuration file in force'

/** Returns a stand-in for timers; the test decides when their waits end. */
function heldWaits() {
  const waits: { ms: number; work: () => void }[] = []
  return {
    later: (ms: number, work: () => void) => {
      const wait = { ms, work }
      waits.push(wait)
      return () => {
        const at = waits.indexOf(wait)
        if (at >= 0) waits.splice(at, 1)
      }
    },
    waits,
    /** Ends all waits in progress. */
    pass: () => {
      for (const { work } of waits.splice(0)) work()
    },
  }
}

/** Returns a live configuration that watches a file with the text `yaml`; `path` may be a link to
 *  this file. */
async function watched(yaml: string, place: (folder: string) => Promise<string> = async folder => join(folder, 'gateway.yaml')) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-live-'))
  const path = await place(folder)
  await writeFile(path, yaml)
  const clock = createFakeClock()
  const opened = await openTestStore(clock)
  const { later, waits, pass } = heldWaits()
  const lines: string[] = []
  const retained: string[][] = []
  const note = (_: object, message: string) => lines.push(message.replace(path, 'FILE'))
  const live = await LiveConfig.open({
    path,
    families,
    drivers: [fakeImageDriver('f', once(donePixel)), fakeImageDriver('g', once(donePixel))],
    missingEngines: [],
    accounts: opened.store.accounts,
    node: 'node-1',
    env: {},
    clock,
    log: { info: note, warn: note, error: note },
    health: { retain: ids => retained.push([...ids]) },
    later,
  })
  live.watch()
  return {
    live,
    store: opened.store,
    folder,
    path,
    lines,
    retained,
    waits,
    pass,
    /** Resolves when a changed file has been read for the first time. */
    isSeen: () => until(() => waits.length > 0, 'a first reading'),
    has: (id: string) =>
      until(() => {
        pass()
        return live.catalogue().find('F1', id)
      }, `the model ${id}`),
    says: (words: string) =>
      until(() => {
        pass()
        return lines.find(line => line.includes(words))
      }, `the line ${words}`),
    [Symbol.asyncDispose]: async () => {
      await live.close()
      await opened[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

test('a valid change applies by itself; a look that finds the same content does nothing', async () => {
  await using gateway = await watched(fakeModelYaml('f', 'one'))
  const { live, lines, path, has } = gateway
  assert.ok(live.catalogue().find('F1', 'one'))
  await writeFile(path, fakeModelYaml('f', 'one'))
  await writeFile(path, fakeModelYaml('f', 'two'))
  await has('two')
  assert.equal(live.catalogue().find('F1', 'one'), undefined)
  assert.deepEqual(lines, [inForce, inForce])
})

test('a change waits for a second identical reading 2 s later, and a change in between restarts the wait', async () => {
  await using gateway = await watched(fakeModelYaml('f', 'one'))
  const { live, lines, path, waits, isSeen, pass } = gateway
  // The text is valid, but a model is missing. A file may look like this while an editor is still
  // writing it.
  await writeFile(path, 'models: []\n')
  await isSeen()
  assert.deepEqual(
    waits.map(({ ms }) => ms),
    [2_000],
  )
  writeFileSync(path, fakeModelYaml('f', 'two'))
  // The second read finds another text, before the file watch has reported a change. That text
  // therefore counts as a new change, which has to be read twice as well.
  pass()
  assert.equal(waits.length, 1)
  assert.ok(live.catalogue().find('F1', 'one'))
  await gateway.has('two')
  assert.deepEqual(lines, [inForce, inForce])
})

test('a half-written file that is completed in time removes no key and no model', async () => {
  const whole = `${fakeModelYaml('f', 'one')}accounts:\n  - { id: acme, keys: [{ name: k, secret: sk-half-written-0001 }] }\n`
  await using gateway = await watched(whole)
  const { live, path, waits, isSeen, pass, lines } = gateway
  await writeFile(path, 'accounts: []\n')
  await isSeen()
  await writeFile(path, whole)
  pass()
  assert.deepEqual(waits, [], 'what is in force needs no second reading')
  // Edits are handled in order. When this later edit has been applied, the earlier ones have been
  // handled, too.
  await writeFile(path, whole.replace('one', 'two'))
  await gateway.has('two')
  assert.deepEqual(lines, [inForce, inForce])
  assert.ok((await gateway.store.accounts.keys('acme')).every(key => key.revokedAt === undefined))
  assert.equal(live.catalogue().find('F1', 'one'), undefined)
})

test('a reload applies at once, also to a change for which the watch still waits, and the watch does not repeat it', async () => {
  await using gateway = await watched(fakeModelYaml('f', 'one'))
  const { live, lines, path, waits, isSeen, pass } = gateway
  await writeFile(path, fakeModelYaml('f', 'two'))
  await isSeen()
  await live.reload()
  assert.ok(live.catalogue().find('F1', 'two'))
  pass()
  assert.deepEqual(waits, [])
  await writeFile(path, fakeModelYaml('f', 'three'))
  await gateway.has('three')
  assert.deepEqual(lines, [inForce, inForce, inForce])
})

test('a change that the store cannot save now is tried again, and reported once', async () => {
  await using gateway = await watched(fakeModelYaml('f', 'one'))
  const { live, lines, path, store } = gateway
  const { applyFile } = store.accounts
  let failures = 3
  store.accounts.applyFile = (...args) => {
    failures -= 1
    return failures >= 0 ? Promise.reject(new GatewayError('disk_full', 'The disk is full.')) : applyFile(...args)
  }
  await writeFile(path, `${fakeModelYaml('f', 'two')}accounts:\n  - { id: acme }\n`)
  await gateway.has('two')
  assert.ok(live.catalogue().find('F1', 'two'))
  assert.deepEqual(lines, [inForce, 'configuration file not in force yet, it is tried again: The disk is full.', inForce])
})

test('an invalid change is refused once with its line and reason, and the old file stays in force', async () => {
  await using gateway = await watched(fakeModelYaml('f', 'one'))
  const { live, lines, path, has, says } = gateway
  await writeFile(path, 'models:\n  - id: one\n    family: F99\n    targets: [{ driver: f }]\n')
  const refused = await says('refused')
  assert.match(refused, /^configuration file refused, the old one stays in force: FILE, line 3: there is no family F99/)
  assert.ok(live.catalogue().find('F1', 'one'))
  await writeFile(path, '')
  await says('it is empty')
  assert.ok(live.catalogue().find('F1', 'one'))
  await rm(path)
  await says('cannot be read')
  assert.ok(live.catalogue().find('F1', 'one'))
  await writeFile(path, fakeModelYaml('f', 'two'))
  await has('two')
  assert.equal(lines.filter(line => line.includes('F99')).length, 1)
})

test('a file that an editor replaces is noticed, again and again', async () => {
  await using gateway = await watched(fakeModelYaml('f', 'one'))
  for (const id of ['two', 'three']) {
    await writeFile(join(gateway.folder, '.gateway.yaml.swp'), fakeModelYaml('f', id))
    await rename(join(gateway.folder, '.gateway.yaml.swp'), gateway.path)
    await gateway.has(id)
  }
})

test('a mounted volume that is replaced through its link is noticed, and so is a change behind a link', async () => {
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

test('unchanged targets keep their record, removed or changed ones lose it', async () => {
  const yaml = (second: string, more = '') =>
    `models:\n  - { id: m, family: F1, group: P, targets: [{ driver: f }, { driver: f, model: ${second} }] }\n${more}`
  await using gateway = await watched(yaml('a'))
  await writeFile(gateway.path, yaml('b', '  - { id: n, family: F1, group: P, targets: [{ driver: g }] }\n'))
  await gateway.has('n')
  const last = gateway.retained.at(-1)?.filter(id => /^[mn]#/.test(id))
  assert.deepEqual(last, ['m#1'])
})

test('imported prices apply once their file exists, and stay when it is damaged or lost', async () => {
  await using gateway = await watched(fakeModelYaml('f', 'one'))
  const { live, lines, path, folder } = gateway
  const prices = (image: number) =>
    JSON.stringify({
      format: 'gateway-prices-1',
      currency: 'USD',
      imported_at: '2026-11-26T00:00:00.000Z',
      list: { name: 'list.json', sha256: '0' },
      models: { two: { from: 'two', price: { image } } },
    })
  const place = join(folder, 'prices.json')
  const isPriced = (micros: number) =>
    until(() => {
      gateway.pass()
      return live.catalogue().find('F1', 'two')?.price?.images === micros || undefined
    }, `the price ${micros}`)
  await writeFile(path, `prices_file: prices.json\n${fakeModelYaml('f', 'two')}`)
  await gateway.says('Import prices (gateway prices import)')
  assert.ok(live.catalogue().find('F1', 'one'), 'the old file stays in force')
  await writeFile(place, prices(0.04))
  await isPriced(40_000)
  await writeFile(place, prices(0.05).slice(0, -9))
  await gateway.says('prices.json is not JSON')
  await isPriced(40_000)
  await writeFile(place, prices(0.05))
  await isPriced(50_000)
  lines.length = 0
  await rm(place)
  await gateway.says('cannot be read')
  await isPriced(50_000)
})
