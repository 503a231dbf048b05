/** Checks that a short text of one account does not wait until nine narrations of another account
 *  have ended. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openEngine, type RunOptions } from '@generation-gateway/kit/open-engine.ts'
import type { SpeechEvent, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { goodRound } from '@generation-gateway/kit/testing/good-round.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import engine from './driver.ts'
import { needsVoices, prose } from './testing/texts.ts'

const folder = await mkdtemp(join(tmpdir(), 'speech-fairness-'))
const opened = openEngine(engine, { folder })
after(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

function speak(request: Partial<SpeechRequest>, { onSound, ...options }: RunOptions & { onSound?(): void }) {
  const whole: SpeechRequest = { text: '', speed: 1, volume: 0, format: { container: 'pcm' }, ...request }
  // A pause is sent as a separate sound of zeros, which does not count as a part.
  const onEvent = (event: unknown): void => {
    const part = event as SpeechEvent
    if (part.type === 'sound' && part.bytes.some(byte => byte !== 0)) onSound?.()
  }
  return opened.run('speech.synthesize', whole, { ...options, onEvent })
}

/** Starts nine narrations for account `a`. `count` is the number of parts of sound that these
 *  narrations have produced so far. */
function narrate(request: Partial<SpeechRequest>) {
  const stop = new AbortController()
  const heard = { count: 0, ended: 0 }
  const onSound = (): void => {
    heard.count += 1
  }
  const all = Array.from({ length: 9 }, () => speak(request, { account: 'a', signal: stop.signal, onSound }))
  const ended = all.map(each =>
    each.then(
      () => {
        heard.ended += 1
      },
      () => undefined,
    ),
  )
  return {
    heard,
    leave: () => {
      stop.abort(new Error('heard enough'))
      return Promise.all(ended)
    },
  }
}

const cues = (endMs: number) => [
  { startMs: 0, endMs: 1000, text: 'And.' },
  { startMs: 2000, endMs, text: `${prose} `.repeat(60) },
]

for (const [name, request] of [
  ['narrations', { text: `${prose} `.repeat(60) }],
  ['narrations of many passages', { passages: Array.from({ length: 100 }, () => ({ text: prose, pauseMs: 0 })) }],
  ['subtitles with one long cue', { text: '', cues: cues(3_600_000) }],
  ['subtitles with one cue far too long for its time', { text: '', cues: cues(3000) }],
] as const) {
  test(`a short text takes turns with nine ${name} of another account`, needsVoices, async () => {
    const measure = async () => {
      const { heard, leave } = narrate({ ...request })
      await until(() => heard.count >= 9, 'the first sounds of all')
      const before = heard.count
      let parts = 0
      // Counts the parts of the other account only until the last part of the short text. Parts
      // that follow before `speak` returns do not matter.
      let beside = 0
      const onSound = (): void => {
        parts += 1
        beside = heard.count - before
      }
      await speak({ text: `${prose} ${prose}` }, { account: 'b', onSound })
      assert.equal(heard.ended, 0)
      assert.ok(parts >= 4, `${parts} parts of its own`)
      await leave()
      return { parts, beside }
    }
    // The two accounts take turns. So the other account may produce at most as many parts as the
    // short text has, and two more that had begun before it.
    const { parts, beside } = await goodRound(measure, seen => seen.beside <= seen.parts + 2)
    assert.ok(beside <= parts + 2, `${beside} of the others beside ${parts}`)
  })
}

test('a short text of passages does not wait long between two passages', needsVoices, async () => {
  const measure = async (): Promise<number> => {
    const { heard, leave } = narrate({ text: `${prose} `.repeat(60) })
    await until(() => heard.count >= 9, 'the first sounds of all')
    const before = heard.count
    const passages = Array.from({ length: 6 }, () => ({ text: 'Yes.', pauseMs: 0 }))
    await speak({ text: '', passages }, { account: 'b' })
    const beside = heard.count - before
    await leave()
    return beside
  }
  // Together, the six words take less time than one part of the other account, so that account may
  // produce only a few parts meanwhile.
  const beside = await goodRound(measure, parts => parts <= 4)
  assert.ok(beside <= 4, `${beside} of the others beside 6 words`)
})
