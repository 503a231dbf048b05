import { frameSamples, sampleRate } from './frames.ts'

/** Start and end of a stretch, in seconds from the beginning of the recording. */
export interface Stretch {
  startSeconds: number
  endSeconds: number
}

interface StretchOptions {
  /** Least probability of speech (0 to 1) at which a stretch begins. */
  threshold?: number | undefined
  /** Length of the pause, in ms, that ends a stretch. */
  silenceMs?: number | undefined
  /** Length in ms that is added to a stretch at both ends, as far as there is room. */
  paddingMs?: number | undefined
}

export const frameSeconds = frameSamples / sampleRate
/** A stretch continues until the probability falls this far below the threshold; the rule is
 *  Silero's own. */
const hysteresis = 0.15
/** Shortest stretch, seconds; shorter ones are clicks, knocks and breath. */
const leastSeconds = 0.1

/** Returns the stretches with speech, in order and without overlaps. */
export function stretchesOf(probabilities: Float32Array, options: StretchOptions = {}): Stretch[] {
  const { threshold = 0.5, silenceMs = 300, paddingMs = 200 } = options
  const found: Stretch[] = []
  let start: number | undefined
  let lastVoiced = 0
  const end = (): void => {
    if (start !== undefined && (lastVoiced + 1 - start) * frameSeconds >= leastSeconds)
      found.push({ startSeconds: start * frameSeconds, endSeconds: (lastVoiced + 1) * frameSeconds })
    start = undefined
  }
  for (const [frame, probability] of probabilities.entries()) {
    if (probability >= threshold) start ??= frame
    if (start === undefined) continue
    if (probability >= Math.max(0.01, threshold - hysteresis)) lastVoiced = frame
    else if ((frame - lastVoiced) * frameSeconds * 1000 >= silenceMs) end()
  }
  end()
  return padded(found, { seconds: probabilities.length * frameSeconds, padding: paddingMs / 1000 })
}

/** Adds the padding to both ends of each stretch. When the gap between two stretches is too short
 *  for both paddings, each of them gets half of the gap. */
function padded(stretches: readonly Stretch[], { seconds, padding }: { seconds: number; padding: number }): Stretch[] {
  return stretches.map(({ startSeconds, endSeconds }, index) => {
    const before = stretches[index - 1]
    const after = stretches[index + 1]
    const roomBefore = before ? (startSeconds - before.endSeconds) / 2 : startSeconds
    const roomAfter = after ? (after.startSeconds - endSeconds) / 2 : seconds - endSeconds
    return {
      startSeconds: startSeconds - Math.max(0, Math.min(padding, roomBefore)),
      endSeconds: endSeconds + Math.max(0, Math.min(padding, roomAfter)),
    }
  })
}
