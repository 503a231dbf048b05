import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileProblem } from './file-rule.ts'

test('a length that is out of range by less than a millisecond is not reported as a length within the range', () => {
  const limits = { mediaTypes: ['audio/wav'], maxBytes: 100, duration: { least: 15, most: 30 } }
  const says = (durationSeconds: number) => fileProblem('file', { mediaType: 'audio/wav', bytes: 1, durationSeconds }, limits)?.message
  assert.equal(says(14.999875), 'file lasts 14.999875 s; it has to last from 15 to 30 s.')
  assert.equal(says(30.000125), 'file lasts 30.000125 s; it has to last from 15 to 30 s.')
  assert.equal(says(30.0125), 'file lasts 30.013 s; it has to last from 15 to 30 s.')
  assert.deepEqual([says(15), says(30)], [undefined, undefined])
})
