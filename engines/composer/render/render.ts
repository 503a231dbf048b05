/** Renders a score as sound in parts of one second. The first parts are available while later ones
 *  are not yet rendered. */
import { createLoudnessMeter } from '@generation-gateway/kit/audio/loudness.ts'
import type { Score } from '../score.ts'
import type { Style } from '../styles/style.ts'
import { ceiling, findLevels, type LevelRequest, type Levels, targetLoudness, weighted } from './levels.ts'
import { createLimiter, lookAhead } from './limiter.ts'
import { createMixer } from './mixer.ts'
import { gainOf, type Stereo, sampleRate, stereo } from './rate.ts'
import { openStage } from './stage.ts'

export interface RenderRequest extends LevelRequest {
  ending: Style['ending']
}

/** Number of samples that are rendered at a time. */
const stretch = sampleRate

/** Yields the parts of the mastered piece in order. Together they are `score.seconds` long. */
export async function* render(ask: RenderRequest): AsyncGenerator<Stereo> {
  const { score, mix, bank, voice, given } = ask
  const levels = await findLevels(ask)
  const stage = await openStage({ score, bank })
  const mixer = createMixer({ score, mix, levels: levels.tracks, voiceLevel: levels.voice, tilt: levels.tilt })
  const limiter = createLimiter(ceiling)
  const servo = createServo(levels, score, score.seconds - 0.7 * fadeSeconds(score, ask.ending))
  const fade = fading(score, ask.ending)
  const ride = riding(score, levels.ride, { before: 0.4, length: 0.1 })
  const lift = { left: riding(score, levels.lift, liftSeconds), right: riding(score, levels.lift, liftSeconds) }
  const total = Math.round(score.seconds * sampleRate)
  // The limiter delays the sound by `lookAhead` samples. So the first `lookAhead` samples that it
  // returns are not part of the piece, and `lookAhead` further samples must be passed to it after
  // the piece, so that it returns the last samples of the piece.
  for (let from = 0; from < total + lookAhead; from += stretch) {
    const count = Math.min(stretch, total + lookAhead - from)
    const sung = await voice?.(from, count)
    if (sung) ride(sung, from)
    const sound = mixer({ tracks: stage.next(count), voice: sung, given: given?.(from, count), from })
    lift.left(sound.left, from)
    lift.right(sound.right, from)
    fade(sound, from)
    const limited = limiter.process(sound, servo.gain())
    const skipped = from === 0 ? lookAhead : 0
    const out = { left: limited.left.subarray(skipped), right: limited.right.subarray(skipped) }
    servo.heard(out, (from + count) / sampleRate)
    yield out
  }
}

/** Seconds of output after which the correction of the loudness begins. */
const firstJudged = 8

/** Corrects the gain slowly while the piece is rendered, because the loudness was only estimated
 *  from excerpts. The loudness of the output so far is compared with the loudness expected for the
 *  same sections, so that a quiet opening does not make the rest too loud. */
function createServo({ master, sections: wanted }: Levels, { sections, seconds, bpm, beatsPerBar }: Score, fadesAt: number) {
  const meter = createLoudnessMeter(sampleRate, 2)
  const beat = 60 / bpm
  const measuredUntil = (now: number) =>
    weighted(
      sections.flatMap(({ start, bars }, index) => {
        const weight = Math.min(now - start * beat, bars * beatsPerBar * beat)
        return weight > 0 ? [{ blocks: wanted[index] ?? [], weight }] : []
      }),
    )
  const offset = targetLoudness - measuredUntil(fadesAt)
  const expectedUntil = (now: number) => measuredUntil(Math.min(now, fadesAt)) + offset
  let correction = 0
  return {
    gain: () => master * gainOf(correction),
    heard({ left, right }: Stereo, now: number): void {
      meter.add([left, right])
      if (now < firstJudged) return
      const missing = expectedUntil(now) - meter.integrated()
      if (!Number.isFinite(missing)) return
      // The less of the piece remains, the more the gain must change to reach the same mean
      // loudness.
      const needed = Math.max(-3, Math.min(3, missing / Math.max(0.3, 1 - now / seconds)))
      if (Math.abs(missing) > 0.15) correction += Math.max(-0.3, Math.min(0.3, needed - correction))
    },
  }
}

/** Times, in seconds, of a change of the mix's level between two sections. The change begins 0.9 s
 *  before the section, when the singer breathes in, and takes 0.6 s. */
const liftSeconds = { before: 0.9, length: 0.6 }

/** Returns a function that applies the level of each section, in place. The change begins `before`
 *  seconds before the section and takes `length` seconds. It begins early, because the first
 *  consonants of a section are sung before the first beat of the section. */
function riding(
  { sections, bpm }: Score,
  decibels: readonly number[],
  { before: lead, length: seconds }: { before: number; length: number },
): (sound: Float32Array, from: number) => void {
  const length = seconds * sampleRate
  const steps = sections.map(({ start }, index) => {
    return { at: ((start * 60) / bpm - lead) * sampleRate, gain: gainOf(decibels[index] ?? 0) }
  })
  let current = 0
  return (sound, from) => {
    for (let index = 0; index < sound.length; index++) {
      const place = from + index
      while (current + 1 < steps.length && (steps[current + 1]?.at ?? 0) <= place) current += 1
      const { at, gain } = steps[current] ?? { at: 0, gain: 1 }
      const before = steps[current - 1]?.gain ?? gain
      sound[index]! *= before + (gain - before) * Math.max(0, Math.min(1, (place - at) / length))
    }
  }
}

/** Returns the number of seconds at the end of the piece in which the sound fades out. */
function fadeSeconds({ sections, seconds, bpm, beatsPerBar }: Score, ending: Style['ending']): number {
  const last = sections.at(-1)
  const outro = last ? (last.bars * beatsPerBar * 60) / bpm : 0
  return ending === 'fade' ? Math.min(8, seconds * 0.09, Math.max(1.5, outro * 0.75)) : 0.8
}

function fading(score: Score, ending: Style['ending']): (sound: Stereo, from: number) => void {
  const length = fadeSeconds(score, ending)
  return ({ left, right }, from) => {
    for (let index = 0; index < left.length; index++) {
      const rest = (score.seconds - (from + index) / sampleRate) / length
      if (rest >= 1) continue
      const gain = Math.max(0, rest) ** (ending === 'fade' ? 1.2 : 1)
      left[index]! *= gain
      right[index]! *= gain
    }
  }
}

/** Returns all parts joined into one sound. */
export async function joined(parts: AsyncIterable<Stereo>): Promise<Stereo> {
  const all: Stereo[] = []
  for await (const part of parts) all.push(part)
  const out = stereo(all.reduce((sum, { left }) => sum + left.length, 0))
  let at = 0
  for (const { left, right } of all) {
    out.left.set(left, at)
    out.right.set(right, at)
    at += left.length
  }
  return out
}
