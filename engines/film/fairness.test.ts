import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunOptions } from '@generation-gateway/kit/open-engine.ts'
import { goodRound } from '@generation-gateway/kit/testing/good-round.ts'
import { runBesideLongJobs } from '@generation-gateway/kit/testing/overlap.ts'
import { openFilm, requested } from './testing/frames.ts'

const { engine } = openFilm()
const size = { width: 640, height: 360 }
const clip = (seconds: number) => (options: RunOptions) =>
  engine.run('video.generate', { ...requested, ...size, prompt: 'a sailing boat on the sea', seconds, framesPerSecond: 24 }, options)

test('a short clip is answered while two long ones of another account are made', async () => {
  // Each of the two child processes makes one clip first, so that the start of the processes is not
  // measured.
  await Promise.all([clip(1)({ account: 'c' }), clip(1)({ account: 'd' })])
  const { pieces, answered } = await goodRound(
    () => runBesideLongJobs([clip(40), clip(40)], clip(1)),
    seen => seen.answered === 0 && seen.pieces < 400,
  )
  assert.equal(answered, 0)
  // The clip has 24 frames, and composing its scene takes as long as about 60 frames more. On a
  // busy machine, the other account may make several times as many frames meanwhile.
  assert.ok(pieces < 400, `${pieces} of 1920 frames of the other account before 24`)
})

test('a short clip passes long ones of its own account', async () => {
  const { pieces, answered } = await goodRound(
    () => runBesideLongJobs([clip(40), clip(40)], clip(1), 'a'),
    seen => seen.answered === 0 && seen.pieces < 60,
  )
  assert.equal(answered, 0)
  assert.ok(pieces < 60, `${pieces} frames of the long ones before the short one`)
})
