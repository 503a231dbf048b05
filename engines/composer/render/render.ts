/** A score as sound, stretch after stretch: the first ones are ready while the later ones are not made yet. */
import { createLoudnessMeter } from '@generation-gateway/kit/audio/loudness.ts'
import type { Score } from '../score.ts'
import type { Style } from '../styles/style.ts'
import { ceiling, findLevels, type LevelAsk, targetLoudness } from './levels.ts'
import { createLimiter, lookAhead } from './limiter.ts'
import { createMixer } from './mixer.ts'
import { gainOf, type Stereo, sampleRate, stereo } from './rate.ts'
import { openStage } from './stage.ts'

export interface RenderAsk extends LevelAsk {
  ending: Style['ending']
}

/** Samples that are made at a time: one second. */
const stretch = sampleRate

/** Stretches of the mastered piece, in order; together `score.seconds` long. */
export async function* render(ask: RenderAsk): AsyncGenerator<Stereo> {
  const { score, mix, bank, voice, given } = ask
  const levels = await findLevels(ask)
  const stage = await openStage({ score, bank })
  const mixer = createMixer({ score, mix, levels: levels.tracks, voiceLevel: levels.voice, tilt: levels.tilt })
  const limiter = createLimiter(ceiling)
  const servo = createServo(levels.master)
  const fade = fading(score, ask.ending)
  const total = Math.round(score.seconds * sampleRate)
  // The limiter gives back what came before: its first samples are none of the piece, its last need a push.
  for (let from = 0; from < total + lookAhead; from += stretch) {
    const count = Math.min(stretch, total + lookAhead - from)
    const sound = mixer({ tracks: stage.next(count), voice: await voice?.(from, count), given: given?.(from, count), from })
    fade(sound, from)
    const limited = limiter.process(sound, servo.gain())
    const skipped = from === 0 ? lookAhead : 0
    const out = { left: limited.left.subarray(skipped), right: limited.right.subarray(skipped) }
    servo.heard(out, (from + count) / sampleRate / score.seconds)
    yield out
  }
}

/** Corrects slowly what the estimate of the loudness has missed: by half a decibel a second at most, and only once there is enough to judge. */
function createServo(start: number) {
  const meter = createLoudnessMeter(sampleRate, 2)
  let correction = 0
  return {
    gain: () => start * gainOf(correction),
    heard({ left, right }: Stereo, part: number): void {
      meter.add([left, right])
      if (part < 0.3) return
      const missing = targetLoudness - meter.integrated()
      if (!Number.isFinite(missing)) return
      // The later, the less of the piece is left to make up for it.
      const wanted = Math.max(-3, Math.min(3, missing / Math.max(0.3, 1 - part)))
      if (Math.abs(missing) > 0.25) correction += Math.max(-0.3, Math.min(0.3, wanted - correction))
    },
  }
}

function fading({ sections, seconds, bpm, beatsPerBar }: Score, ending: Style['ending']): (sound: Stereo, from: number) => void {
  const last = sections.at(-1)
  const outro = last ? (last.bars * beatsPerBar * 60) / bpm : 0
  const length = ending === 'fade' ? Math.min(8, seconds * 0.09, Math.max(1.5, outro * 0.75)) : 0.8
  return ({ left, right }, from) => {
    for (let index = 0; index < left.length; index++) {
      const rest = (seconds - (from + index) / sampleRate) / length
      if (rest >= 1) continue
      const gain = Math.max(0, rest) ** (ending === 'fade' ? 1.2 : 1)
      left[index]! *= gain
      right[index]! *= gain
    }
  }
}

/** All stretches in one. */
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
