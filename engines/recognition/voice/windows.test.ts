import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameSeconds, type Stretch } from './stretches.ts'
import { windowsOf } from './windows.ts'

/** Returns continuous speech with pauses of 0.2 s at the given seconds. */
function spoken(seconds: number, pauses: readonly number[]): { stretches: Stretch[]; probabilities: Float32Array } {
  const probabilities = new Float32Array(Math.ceil(seconds / frameSeconds)).fill(0.9)
  for (const at of pauses) probabilities.fill(0.01, Math.round((at - 0.1) / frameSeconds), Math.round((at + 0.1) / frameSeconds))
  return { stretches: [{ startSeconds: 0, endSeconds: seconds }], probabilities }
}

const ends = (seconds: number, pauses: readonly number[], atOnce = 2) => {
  const { stretches, probabilities } = spoken(seconds, pauses)
  const windows = windowsOf(stretches, { probabilities, atOnce, beginsShort: true })
  return windows.map(({ pieces }) => Math.round((pieces.at(-1)?.to ?? 0) * 10) / 10)
}

test('a short first window ends in a pause, and the others are no longer than without it', () => {
  assert.deepEqual(ends(25, [3, 13, 20]), [3, 13, 25])
  assert.deepEqual(ends(25, [3, 13, 20], 1), [3, 25])
  // There is no pause in the first five seconds, so a later one is used.
  assert.deepEqual(ends(25, [7, 14, 20])[0], 7)
})

test('without a pause the windows overlap by a second; a short recording has one window', () => {
  const { stretches, probabilities } = spoken(25, [])
  const [first, second] = windowsOf(stretches, { probabilities, atOnce: 2, beginsShort: true })
  assert.ok(first && second?.seam !== undefined && first.seconds <= 12 && (second.pieces[0]?.from ?? 0) < (first.pieces[0]?.to ?? 0))
  assert.equal(ends(9, [3, 6]).length, 1)
})

test('a short sound at the beginning is in the same window as the speech after it', () => {
  const { probabilities } = spoken(25, [7])
  const stretches = [
    { startSeconds: 0, endSeconds: 0.5 },
    { startSeconds: 2, endSeconds: 25 },
  ]
  const [first] = windowsOf(stretches, { probabilities, atOnce: 2, beginsShort: true })
  assert.deepEqual(
    first?.pieces.map(({ from }) => from),
    [0, 2],
  )
  const apart = [
    { startSeconds: 0, endSeconds: 4 },
    { startSeconds: 6, endSeconds: 25 },
  ]
  assert.equal(windowsOf(apart, { probabilities, atOnce: 2, beginsShort: true })[0]?.seconds, 4)
})
