import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { HashSet } from './hash-set.ts'

test('each hash is added once, also after the set has grown', () => {
  const set = new HashSet()
  const hashes = Array.from({ length: 20_000 }, (_, index) => createHash('sha256').update(String(index)).digest('hex'))
  hashes.push('0'.repeat(64), 'f'.repeat(64))
  assert.equal(hashes.filter(each => set.add(each)).length, hashes.length)
  assert.equal(hashes.filter(each => set.add(each)).length, 0)
})
