import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { RunOptions } from '@generation-gateway/kit/open-engine.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { goodRound } from '@generation-gateway/kit/testing/good-round.ts'
import { runBesideLongJobs } from '@generation-gateway/kit/testing/overlap.ts'
import { encodeVideo } from '@generation-gateway/kit/video/encode.ts'
import { openFilm, requested } from './testing/frames.ts'

const { engine, folder } = openFilm()
const size = { width: 640, height: 360 }
const clip = (seconds: number) => (options: RunOptions) =>
  engine.run('video.generate', { ...requested, ...size, prompt: 'a sailing boat on the sea', seconds, framesPerSecond: 24 }, options)

test('a short clip of another account is finished while two long ones are made', async () => {
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

test('a short clip is finished before earlier long ones of the same account', async () => {
  const { pieces, answered } = await goodRound(
    () => runBesideLongJobs([clip(40), clip(40)], clip(1), 'a'),
    seen => seen.answered === 0 && seen.pieces < 60,
  )
  assert.equal(answered, 0)
  assert.ok(pieces < 60, `${pieces} frames of the long ones before the short one`)
})

/** Creates a video of one second and returns a function that plays it backwards. The engine expects
 *  that its result takes longer than a clip of 40 seconds. */
async function backwards() {
  const path = join(folder, 'base.mp4')
  const frames = async function* () {
    for (let i = 0; i < 24; i++) yield new Uint8Array(size.width * size.height * 4).fill(10 * i)
  }
  await encodeVideo({ ...size, framesPerSecond: 24, frames: frames(), pixels: 'rgba', path, signal: new AbortController().signal })
  const base: InputFile = { role: 'base', path, mediaType: 'video/mp4', bytes: 1, durationSeconds: 1, ...size }
  const request = { ...requested, ...size, prompt: 'reverse it', seconds: 60, framesPerSecond: 24 }
  return (options: RunOptions) => engine.run('video.generate', request, { ...options, inputs: [base] })
}

test('a video that waits behind films of its account does not block another account from playing one backwards', async () => {
  const reversed = await backwards()
  const stop = new AbortController()
  const begun = Promise.withResolvers<void>()
  const own = { account: 'a', signal: stop.signal }
  const films = [clip(40)({ ...own, onProgress: () => begun.resolve() }), clip(40)(own)]
  await begun.promise
  const waiting = reversed(own).then(() => 'a')
  assert.equal(await Promise.race([waiting, reversed({ account: 'b' }).then(() => 'b')]), 'b')
  stop.abort(new Error('The other account has its video.'))
  await Promise.allSettled([...films, waiting])
})

test('all videos that are played backwards at the same time are made, even if one caller disconnects', async () => {
  const reversed = await backwards()
  const left = new AbortController()
  const leaving = reversed({ account: 'c', signal: left.signal })
  const made = ['a', 'b', 'a', 'b'].map(account => reversed({ account }))
  left.abort(new Error('left'))
  await assert.rejects(leaving, /left/)
  for (const { files } of await Promise.all(made)) assert.ok(files.some(({ role }) => role === 'video'))
})
