import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { newTask, startedAt } from '../suite/samples.ts'
import { openSqliteStore } from './open.ts'

test('tasks that were read stay in memory only up to a size limit', async context => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-store-'))
  const store = await openSqliteStore({ directory, secretKey: Buffer.alloc(32, 7), clock: { now: () => startedAt } })
  context.after(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })
  const words = 'word '.repeat(200_000)
  await store.submit(newTask('small'))
  for (let number = 0; number < 20; number++) await store.submit(newTask(`huge-${number}`, { shown: { words } }))
  const small = await store.get('small')
  assert.equal(await store.get('small'), small, 'the same object')
  const first = await store.get('huge-0')
  for (let number = 1; number < 20; number++) await store.get(`huge-${number}`)
  assert.notEqual(await store.get('huge-0'), first)
  assert.deepEqual(await store.get('huge-0'), first)
  assert.notEqual(await store.get('small'), small)
})
