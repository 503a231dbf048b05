/** Splits the speech of a recording into windows for the recogniser, and converts times of a window
 *  to times of the recording. */
import { frameSeconds, type Stretch } from './stretches.ts'

/** A continuous part of the recording within a window; times in seconds. */
interface Piece {
  from: number
  to: number
  /** Second of the window at which the piece begins. */
  at: number
}

export interface SpeechWindow {
  /** The parts in order; the silence between two parts is left out. */
  pieces: Piece[]
  seconds: number
  /** The second of the recording at which the transcript of this window is joined to that of the
   *  window before. Set when the window before it could not end in a pause; then both windows
   *  contain the words around this second. */
  seam?: number
}

/** Longest window in seconds; Whisper processes at most 30. */
const mostSeconds = 28
const leastSeconds = 12
/** Length of the range at the end of a window, in seconds, in which a pause is searched; the window
 *  ends in this pause. */
const searchSeconds = 10
const overlapSeconds = 1
/** Length of a short first window, in seconds. whisper.cpp needs 0.9 s of CPU time for a window of
 *  this length, and 3.4 s for one of 13 seconds. */
const shortSeconds = 5
const leastShortSeconds = 2
/** Total speech, in seconds, from which on the first window may be short. */
const leastSharedSeconds = 10
/** Frames with a lower probability of speech than this count as a pause in which a window may
 *  end. */
const pauseProbability = 0.35
/** Longest silence, in seconds, that is kept within a window, so that the sound continues
 *  naturally. */
const keptGapSeconds = 0.6

interface WindowOptions {
  probabilities: Float32Array
  /** Number of windows that are recognised at the same time. A short recording is divided into
   *  at most this many windows. */
  atOnce: number
  /** True when the first window should be short, so that its words come soon. */
  beginsShort?: boolean | undefined
}

/** Returns windows of about equal length, on request with a short first one. */
export function windowsOf(stretches: readonly Stretch[], { probabilities, atOnce, beginsShort }: WindowOptions): SpeechWindow[] {
  const total = stretches.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0)
  const isShared = beginsShort === true && total > leastSharedSeconds
  // The short first window ends at a pause, so its length is not known yet. The length of the other
  // windows is computed for the shortest possible first window, so that they always hold the rest
  // of the speech.
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

/** Returns the cut after a short first window, in a pause if there is one before its greatest
 *  length. A window that is cut within speech overlaps the next one and is held back until both are
 *  recognised, so its words would come later. */
function earlyCut(probabilities: Float32Array, from: number): ReturnType<typeof cutIn> {
  const cut = cutIn(probabilities, { from: from + leastShortSeconds, to: from + shortSeconds })
  return cut.isPause ? cut : cutIn(probabilities, { from: from + shortSeconds, to: from + 2 * shortSeconds })
}

/** Converts seconds of a window to seconds of the recording. */
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

/** Returns the middle of the longest pause; without a pause, the moment with the lowest probability
 *  of speech. */
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
  // Two frames are 64 ms; a shorter pause can be a closure within a word (as before a "t").
  if (best.frames >= 2) return { at: (best.end - best.frames / 2) * frameSeconds, isPause: true }
  return { at: (lowest + 0.5) * frameSeconds, isPause: false }
}
