import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedUnits } from './capabilities.ts'
import type { MusicRequest } from './music.ts'

function expected(request: Partial<MusicRequest>, backing?: number): number {
  const inputs = backing === undefined ? [] : [{ role: 'instrumental', mediaType: 'audio/wav', bytes: 1, durationSeconds: backing }]
  return expectedUnits('music.song', { count: 1, seed: '1', ...request }, inputs)[0]?.units ?? 0
}

test('the expected length of a song covers its words, and never exceeds the longest possible length', () => {
  const line = 'Walking down the river in the light\n'
  assert.equal(expected({}), 180)
  assert.equal(expected({ lyrics: line.repeat(4), count: 3 }), 540)
  // In the slowest style, 16 such lines take 168 s, and 64 take 596 s.
  assert.ok(expected({ lyrics: line.repeat(16) }) >= 168)
  assert.equal(expected({ lyrics: line.repeat(64) }), 600)
  assert.equal(expected({ lyrics: `[Chorus x8]\n${line.repeat(8)}` }), 600)
  assert.equal(expected({ lyrics: `[Chorus]\n${line.repeat(8)}${'[Chorus]\n'.repeat(9)}` }), 600)
  assert.equal(expected({ lyrics: 'la '.repeat(3000) }), 600)
  assert.equal(expected({ lyrics: line, seconds: 30 }), 30)
  assert.equal(expected({ lyrics: line }, 400), 400)
})
