/** Answers that were asked for as a stream and have not begun: after some seconds of silence they open with a comment, since whatever stands in front cuts what says nothing (docs/decisions/0038). */
import type { ServerResponse } from 'node:http'

/** An answer that has not begun. */
export interface SilentAnswer {
  /** Opens the stream. Called once, unless `endSilence` was called before. */
  breakSilence(): void
}

/** Where a target does not say otherwise. */
export const usualSilenceSeconds = 15
const ticksPerSecond = 4
/** Answers, and the tick at which each opens. */
const silent = new Map<SilentAnswer, number>()
const opened = new WeakSet<ServerResponse>()
let tick = 0
let clock: NodeJS.Timeout | undefined

/** One clock for all of them: a timer each is what thousands of streams would notice. An answer that has been silent since
 *  `since` (of `silenceTick`; default now) opens after `seconds`, never early; with 0 it does not. */
export function awaitSilence(answer: SilentAnswer, seconds: number, since = tick): void {
  // The clock runs for those that never open, too: their next target may have another number.
  silent.set(answer, seconds === 0 ? Number.POSITIVE_INFINITY : since + seconds * ticksPerSecond + 1)
  clock ??= setInterval(onTick, 1_000 / ticksPerSecond).unref()
}

export function endSilence(answer: SilentAnswer): void {
  if (!silent.delete(answer) || silent.size > 0) return
  clearInterval(clock)
  clock = undefined
}

/** The moment, for `awaitSilence`. */
export function silenceTick(): number {
  return tick
}

/** The head of this response is out for its silence, and nothing else: whatever comes of the call is told by events. */
export function noteOpened(response: ServerResponse): void {
  opened.add(response)
}

export function isOpened(response: ServerResponse): boolean {
  return opened.has(response)
}

function onTick(): void {
  tick += 1
  for (const [answer, at] of silent) {
    if (at > tick) continue
    endSilence(answer)
    answer.breakSilence()
  }
}
