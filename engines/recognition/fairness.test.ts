/** Checks that a short recording of one account does not wait for long recordings of another
 *  account. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { decodeSound, readSamples } from '@generation-gateway/kit/audio/decode.ts'
import { openEngine } from '@generation-gateway/kit/open-engine.ts'
import { goodRound } from '@generation-gateway/kit/testing/good-round.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import engine from './driver.ts'
import { recognitionPacks } from './packs.ts'
import { ask, noise, reading, recording, sampleRate, writeSound } from './testing/ask.ts'

const folder = await mkdtemp(join(tmpdir(), 'recognition-fairness-'))
// With one whisper.cpp process at a time, the windows are recognised in the order of the queue.
const opened = openEngine(engine, { folder, cores: 1 })
after(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})
const needs = recognitionPacks.map(needPack).find(({ skip }) => skip) ?? {}

interface Running {
  /** Share of the work that is done, 0 to 1. */
  done(): number
  isOver(): boolean
  leave(): Promise<void>
}

/** Starts transcribing a long recording for account `a`. The test cancels it with `leave` after
 *  measuring how it affects another account. */
async function start(path: string, languages: string[] = ['en']): Promise<Running> {
  const stop = new AbortController()
  let done = 0
  let isOver = false
  const onProgress = (fraction: number): void => {
    done = fraction
  }
  const options = { account: 'a', signal: stop.signal, onProgress }
  const run = opened.run('audio.transcribe', ask({ languages }), { inputs: [await recording(path)], ...options })
  const ended = run.then(
    () => {
      isOver = true
    },
    () => undefined,
  )
  return {
    done: () => done,
    isOver: () => isOver,
    leave: () => {
      stop.abort(new Error('seen enough'))
      return ended
    },
  }
}

const short = async (path: string, changes = {}) =>
  opened.run('audio.transcribe', ask(changes), { inputs: [await recording(path)], account: 'b' })

async function readingSamples(): Promise<Float32Array> {
  const decoding = { scratch: folder, sampleRate, channels: 'mixed', signal: new AbortController().signal } as const
  const { channels } = await decodeSound(reading, decoding)
  return readSamples(channels[0]?.path ?? '', { from: 0, count: 30 * sampleRate })
}

test('a short recording is written down after the window that runs, not after all those of a long one', needs, async () => {
  const samples = await readingSamples()
  const long = new Float32Array(samples.length * 4)
  for (let at = 0; at < 4; at++) long.set(samples, at * samples.length)
  const path = await writeSound(join(folder, 'long.wav'), long)
  const clip = await writeSound(join(folder, 'clip.wav'), samples.subarray(0, 4 * sampleRate))
  const measure = async (): Promise<number> => {
    const running = await start(path)
    const crowd = await start(path)
    await until(() => running.done() > 0, 'the first window')
    const before = running.done() + crowd.done()
    // The request names no language. So whisper.cpp runs twice for the clip: once to detect the
    // language, once to transcribe.
    const { report } = await short(clip, { languages: [] })
    const grown = running.done() + crowd.done() - before
    assert.match(String(report.text), /Dashwood/)
    assert.ok(!running.isOver())
    await Promise.all([running.leave(), crowd.leave()])
    return grown
  }
  // Each of the two long recordings has at least 4 windows. While the clip waits, at most two
  // windows end: the one that runs when the clip arrives, and one that starts during the detection
  // of the clip's speech. So their progress grows by at most 2/4 of a recording.
  const most = 2 / 4 + 0.01
  const grown = await goodRound(measure, progress => progress <= most)
  assert.ok(grown <= most, `${grown} of a recording`)
})

test('hours that are only listened to keep nobody waiting, and end with their caller', needs, async () => {
  const path = await writeSound(join(folder, 'hours.wav'), new Float32Array(1800 * sampleRate))
  const running = await Promise.all([start(path), start(path), start(path)])
  const clip = await writeSound(
    join(folder, 'noise.wav'),
    noise(sampleRate).map(value => value * 0.1),
  )
  // The first run only makes sure that the child process has loaded the model for speech detection,
  // so that the second run does not wait for the model.
  await short(clip)
  const { report } = await short(clip)
  assert.equal(report.text, '')
  assert.ok(
    running.every(each => !each.isOver()),
    'the hours were over first',
  )
  await Promise.all(running.map(each => each.leave()))
  assert.equal((await short(clip)).report.text, '')
})

test('a reader who stops in the middle of an answer keeps no other account waiting', { ...needs, timeout: 480_000 }, async () => {
  const clip = await writeSound(join(folder, 'read-slowly.wav'), (await readingSamples()).subarray(0, 4 * sampleRate))
  const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const onEvent = (): Promise<void> => {
    begun.resolve()
    return goesOn.promise
  }
  const slow = opened.run('audio.transcribe', ask(), { inputs: [await recording(clip)], account: 'a', onEvent })
  await begun.promise
  assert.match(String((await short(clip)).report.text), /Dashwood/)
  goesOn.resolve()
  assert.match(String((await slow).report.text), /Dashwood/)
})
