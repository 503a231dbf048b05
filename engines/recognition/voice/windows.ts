/** Cuts the speech of a recording into windows for the recogniser, and brings times of a window
 *  back to the recording. */
import { frameSeconds, type Stretch } from './stretches.ts'

/** A piece of the recording in a window; seconds. */
interface Piece {
  from: number
  to: number
  /** Where it begins in the window. */
  at: number
}

export interface SpeechWindow {
  /** In order; what lies between two of them is silence of the recording that is left out. */
  pieces: Piece[]
  seconds: number
  /** Where no pause was found the window begins before the end of the one before it: the words
   *  between are in both. Seconds of the recording, of the seam. */
  seam?: number
}

/** Whisper sees 30 seconds. */
const mostSeconds = 28
const leastSeconds = 12
/** How far before the end of a window a pause is looked for. */
const searchSeconds = 10
const overlapSeconds = 1
/** A short first window: whisper.cpp takes a quarter of the time for it that a window of 13
 *  seconds takes (0.9 and 3.4 s of CPU). */
const shortSeconds = 5
const leastShortSeconds = 2
/** Shorter recordings are not cut for it. */
const leastSharedSeconds = 10
/** A frame that is no more likely speech than this is a pause to cut in. */
const pauseProbability = 0.35
/** Silence that stays as it is, so that the sound goes on as it was. */
const keptGapSeconds = 0.6

interface WindowOptions {
  probabilities: Float32Array
  /** So many are recognised at the same time: short recordings are shared out among them. */
  atOnce: number
  /** The first window is a short one, whose words come soon. */
  beginsShort?: boolean | undefined
}

/** Windows of about the same length, but for a short one at the beginning where that is asked
 *  for. */
export function windowsOf(stretches: readonly Stretch[], { probabilities, atOnce, beginsShort }: WindowOptions): SpeechWindow[] {
  const total = stretches.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0)
  const isShared = beginsShort === true && total > leastSharedSeconds
  // It may be as short as this: what is left for the others must not need one more.
  const rest = isShared ? total - leastShortSeconds : total
  const longest = Math.min(mostSeconds, Math.max(leastSeconds, rest / atOnce + 1))
  const windows: SpeechWindow[] = []
  let current: SpeechWindow = { pieces: [], seconds: 0 }
  const isShort = (): boolean => isShared && windows.length === 0
  const room = (): number => (isShort() ? shortSeconds : longest) - current.seconds
  const close = (next: Omit<SpeechWindow, 'pieces' | 'seconds'> = {}): void => {
    if (current.pieces.length > 0) windows.push(current)
    current = { ...next, pieces: [], seconds: 0 }
  }
  for (const { startSeconds, endSeconds } of stretches) {
    if (endSeconds - startSeconds > room() && !(isShort() && current.seconds < leastShortSeconds)) close()
    let from = startSeconds
    while (endSeconds - from > room()) {
      const { at, isPause } = isShort()
        ? earlyCut(probabilities, from)
        : cutIn(probabilities, { from: from + longest - searchSeconds, to: from + longest - overlapSeconds })
      const end = Math.min(endSeconds, isPause ? at : at + overlapSeconds)
      add(current, { from, to: end })
      if (end === endSeconds) break
      close(isPause ? {} : { seam: at })
      from = isPause ? at : at - overlapSeconds
    }
    if (current.pieces.at(-1)?.to !== endSeconds) add(current, { from, to: endSeconds })
  }
  close()
  return windows
}

/** In a pause where there is one soon: the words before another cut wait for the next window. */
function earlyCut(probabilities: Float32Array, from: number): ReturnType<typeof cutIn> {
  const cut = cutIn(probabilities, { from: from + leastShortSeconds, to: from + shortSeconds })
  return cut.isPause ? cut : cutIn(probabilities, { from: from + shortSeconds, to: from + 2 * shortSeconds })
}

/** Seconds of the recording for seconds of the window. */
export function timeInRecording({ pieces }: SpeechWindow, seconds: number): number {
  const piece = pieces.findLast(({ at }) => at <= seconds) ?? pieces[0]
  return piece ? Math.min(piece.to, piece.from + Math.max(0, seconds - piece.at)) : seconds
}

function add(window: SpeechWindow, { from, to }: { from: number; to: number }): void {
  const last = window.pieces.at(-1)
  if (last && from - last.to <= keptGapSeconds && window.seconds + to - last.to <= mostSeconds + 1) {
    last.to = to
  } else window.pieces.push({ from, to, at: window.seconds })
  const end = window.pieces.at(-1)
  window.seconds = end ? end.at + end.to - end.from : 0
}

/** The middle of the longest pause, else the moment that is least likely speech. */
function cutIn(probabilities: Float32Array, { from, to }: { from: number; to: number }): { at: number; isPause: boolean } {
  const first = Math.floor(from / frameSeconds)
  const last = Math.min(probabilities.length - 1, Math.floor(to / frameSeconds))
  let best = { frames: 0, end: first }
  let run = 0
  let lowest = first
  for (let frame = first; frame <= last; frame++) {
    const probability = probabilities[frame] ?? 0
    if (probability < (probabilities[lowest] ?? 0)) lowest = frame
    run = probability < pauseProbability ? run + 1 : 0
    if (run > best.frames) best = { frames: run, end: frame + 1 }
  }
  // Two frames are 64 ms: shorter ones are closures within a word.
  if (best.frames >= 2) return { at: (best.end - best.frames / 2) * frameSeconds, isPause: true }
  return { at: (lowest + 0.5) * frameSeconds, isPause: false }
}
