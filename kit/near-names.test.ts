import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameList, nearText } from './near-names.ts'

test('similar names are found, the most similar first, ignoring case', () => {
  const list = nameList(['gpt-4o', 'gpt-4o-mini', 'gpt-image-1', 'whisper-1', 'studio'])
  assert.deepEqual(list.near('GPT-4O')[0], 'gpt-4o')
  assert.deepEqual(list.near('gpt-4o-mni')[0], 'gpt-4o-mini')
  assert.deepEqual(list.near('wisper-1'), ['whisper-1'])
  assert.deepEqual(list.near('nobody'), [])
  assert.equal(list.near('gpt-', { most: 1 }).length, 1)
})

test('a name of any length is compared in a bounded time', () => {
  const list = nameList(Array.from({ length: 1_000 }, (_, at) => `model-${at}`))
  const before = process.cpuUsage()
  list.near('x'.repeat(1_000_000))
  assert.ok(process.cpuUsage(before).user < 1e6)
})

test('similar names are listed in words', () => {
  assert.equal(nearText([]), undefined)
  assert.equal(nearText(['a']), 'near is a')
  assert.equal(nearText(['a', 'b', 'c']), 'near are a, b and c')
})
