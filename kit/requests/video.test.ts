import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedSeconds, videoGenerate } from './video.ts'

test('the counted seconds of a video are those that were made: an edit in whole seconds, an extension without the earlier part', () => {
  const requested = { seconds: 5 }
  const base = [{ role: 'base', durationSeconds: 3.04 }]
  const earlier = [{ role: 'earlier', durationSeconds: 8 }]
  assert.deepEqual([countedSeconds(requested, []), countedSeconds(requested, [], 5.0417)], [5, 5.042])
  assert.deepEqual([countedSeconds(requested, base), countedSeconds(requested, base, 3.04)], [3, 3])
  assert.equal(countedSeconds(requested, [{ role: 'base', durationSeconds: 0.3 }]), 1)
  assert.deepEqual(
    [countedSeconds(requested, earlier), countedSeconds(requested, earlier, 13.1), countedSeconds(requested, earlier, 5.1)],
    [5, 5.1, 5.1],
  )
  const request = {
    prompt: '',
    width: 2,
    height: 2,
    seconds: 5,
    count: 2,
    seed: '1',
    sound: false,
    expandPrompt: false,
    safetyTolerance: 2,
  }
  const units = videoGenerate.expectedUnits({ ...request, watermark: false }, [
    { role: 'base', mediaType: 'video/mp4', bytes: 1, durationSeconds: 4.6 },
  ])
  assert.deepEqual(units, [{ unit: 'seconds', units: 10 }])
})
