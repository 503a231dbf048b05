import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadOnce } from './load-once.ts'

test('a loaded value is kept, and a failed load is repeated', async () => {
  const kept = new Map<string, Promise<number>>()
  let loads = 0
  const load = async (): Promise<number> => {
    loads += 1
    if (loads === 1) throw new Error('out of memory')
    return loads
  }
  const both = await Promise.allSettled([loadOnce(kept, 'model', load), loadOnce(kept, 'model', load)])
  assert.deepEqual([both.map(({ status }) => status), loads], [['rejected', 'rejected'], 1])
  assert.equal(await loadOnce(kept, 'model', load), 2)
  assert.equal(await loadOnce(kept, 'model', load), 2)
  assert.equal(await loadOnce(kept, 'other', load), 3)
})
