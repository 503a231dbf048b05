/** Tests two nodes that share a store, each with its own configuration file. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hashKey } from '../core/access.ts'
import { families } from '../families/index.ts'
import { createFakeClock } from '../testing/clock.ts'
import { openTestStore } from '../testing/stores/store.ts'
import { LiveConfig } from './live-config.ts'

const day = 86_400

/** Returns a configuration file with an account, and one key and one endpoint for each name. */
function yamlOf(...names: string[]): string {
  const keys = names.map(name => `{ name: ${name}, secret: ${secretOf(name)} }`)
  const endpoints = names.map(name => `{ name: at-${name} }`)
  return `accounts:\n  - id: acme\n    keys: [${keys.join(', ')}]\n    endpoints: [${endpoints.join(', ')}]\n`
}

const secretOf = (name: string) => `sk-long-enough-${name}`

async function setUp(context: TestContext, isShared = true) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-nodes-'))
  const clock = createFakeClock()
  const opened = await openTestStore(clock)
  const { accounts } = opened.store
  const lines: string[] = []
  const note = (_: object, message: string) => lines.push(message)
  context.after(async () => {
    await opened[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
  const pathOf = (node: string) => join(folder, `${node}.yaml`)
  const write = async (node: string, yaml: string, seconds: number) => {
    await writeFile(pathOf(node), yaml)
    await utimes(pathOf(node), seconds, seconds)
  }
  return {
    write,
    lines,
    accounts,
    /** Starts a node with its configuration file. */
    start: (node: string) =>
      LiveConfig.open({
        ...{ path: pathOf(node), families, drivers: [], missingEngines: [], node, env: {}, clock, health: { retain: () => {} } },
        accounts: { ...accounts, isShared },
        log: { info: () => {}, warn: note, error: note },
      }),
    async valid() {
      const keys = (await accounts.keys('acme')).filter(key => key.revokedAt === undefined).map(key => key.name)
      const endpoints = (await accounts.endpoints('acme')).map(each => each.name)
      return [keys.sort().join(), endpoints.sort().join()]
    },
  }
}

test('only the newest file revokes and removes entries; a node with an older one warns, and starts', async context => {
  const { write, start, valid, lines, accounts } = await setUp(context)
  await write('a', yamlOf('old', 'both'), 10 * day)
  await write('b', yamlOf('both', 'new'), 20 * day)
  const a = await start('a')
  assert.deepEqual(await valid(), ['both,old', 'at-both,at-old'])
  const b = await start('b')
  assert.deepEqual(await valid(), ['both,new', 'at-both,at-new'])
  assert.deepEqual(lines, [])
  // Node `a` is restarted with the old file and then reloads it.
  const again = await start('a')
  assert.equal((await again.reload()).length, 1)
  assert.deepEqual(await valid(), ['both,new', 'at-both,at-new'])
  assert.equal(lines.length, 2)
  assert.match(
    lines[0] ?? '',
    /^The accounts, keys and endpoints of this file \([0-9a-f]{12} of 1970-01-11T00:00:00\.000Z\) are not in force: that of node b \([0-9a-f]{12} of 1970-01-21T00:00:00\.000Z, generation 2\) is newer\. Give this node the newer file, or touch this one/,
  )
  const generation = await accounts.fileGeneration()
  assert.deepEqual(
    generation?.nodes.map(({ node, sha256 }) => [node, sha256 === generation.sha256]),
    [
      ['b', true],
      ['a', false],
    ],
  )
  // The old file is written again, with the latest modification time. It is therefore the newest
  // file.
  await write('a', yamlOf('old', 'both'), 30 * day)
  await again.reload()
  assert.deepEqual(await valid(), ['both,old', 'at-both,at-old'])
  for (const node of [a, b, again]) await node.close()
})

test('a change on a running node is the newest, whatever its time; the other nodes then use it', async context => {
  const { write, start, valid, lines } = await setUp(context)
  for (const node of ['a', 'b']) await write(node, yamlOf('one'), 20 * day)
  const [a, b] = [await start('a'), await start('b')]
  await write('a', yamlOf('two'), 5 * day)
  await a.reload()
  assert.deepEqual(await valid(), ['two', 'at-two'])
  // Node `b` still has its old file.
  assert.match((await b.reload())[0] ?? '', /are not in force: that of node a /)
  assert.deepEqual(await valid(), ['two', 'at-two'])
  await write('b', yamlOf('two'), 5 * day)
  assert.deepEqual(await b.reload(), [])
  assert.deepEqual(await valid(), ['two', 'at-two'])
  assert.equal(lines.length, 1)
  for (const node of [a, b]) await node.close()
})

test('nodes that start at the same time with one file agree on its keys', async context => {
  const { write, start, valid, accounts } = await setUp(context)
  const nodes = Array.from({ length: 6 }, (_, index) => `n${index}`)
  for (const node of nodes) await write(node, yamlOf('one', 'two'), day)
  const started = await Promise.all(nodes.map(start))
  assert.deepEqual(await valid(), ['one,two', 'at-one,at-two'])
  assert.equal((await accounts.keys('acme')).length, 2)
  assert.equal((await accounts.keyBySha256(hashKey(secretOf('one'))))?.name, 'one')
  const generation = await accounts.fileGeneration()
  assert.deepEqual([generation?.number, generation?.nodes.length], [1, 6])
  for (const node of started) await node.close()
})

test('nodes that start at the same time with different files end with the newest, in any order', async context => {
  const { write, start, valid } = await setUp(context)
  const nodes = Array.from({ length: 5 }, (_, index) => `n${index}`)
  for (const [index, node] of nodes.entries()) await write(node, yamlOf(node), (index + 1) * day)
  const started = await Promise.all([...nodes.slice(2), ...nodes.slice(0, 2)].map(start))
  assert.deepEqual(await valid(), ['n4', 'at-n4'])
  for (const node of started) await node.close()
})

test('layout, order of members and other parts do not make a file different', async context => {
  const { write, start, accounts, lines } = await setUp(context)
  await write('a', yamlOf('one'), 20 * day)
  await write(
    'b',
    `currency: EUR\n# note\naccounts:\n  - endpoints:\n      - name: at-one\n    id: acme\n    keys:\n      - secret: ${secretOf('one')}\n        name: one\n`,
    day,
  )
  const started = [await start('a'), await start('b')]
  assert.deepEqual([(await accounts.fileGeneration())?.number, lines], [1, []])
  for (const node of started) await node.close()
})

test('in a store with one node, its file is the newest, whatever its time', async context => {
  const { write, start, valid, accounts, lines } = await setUp(context, false)
  await write('a', yamlOf('new'), 20 * day)
  await (await start('a')).close()
  await write('a-later', yamlOf('restored'), 10 * day)
  await (await start('a-later')).close()
  assert.deepEqual([await valid(), lines], [['restored', 'at-restored'], []])
  assert.equal((await accounts.fileGeneration())?.nodes.length, 1)
})
