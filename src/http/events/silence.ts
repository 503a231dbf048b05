/** Keeps connections open while a stream has not begun: after some seconds without output, the
 *  response starts with a comment, because proxies and load balancers cut connections on which
 *  nothing is sent (docs/decisions/0038). */
import type { ServerResponse } from 'node:http'

/** A streamed answer of which nothing was sent yet. */
export interface SilentAnswer {
  /** Sends the head of the stream and a comment. Called once, unless `endSilence` was called
   *  before. */
  breakSilence(): void
}

/** Seconds without output after which a stream opens; the default for targets that do not set
 *  their own number. */
export const usualSilenceSeconds = 15
const ticksPerSecond = 4
/** The answers that have not begun, each with the tick at which it opens. */
const silent = new Map<SilentAnswer, number>()
const opened = new WeakSet<ServerResponse>()
let tick = 0
let clock: NodeJS.Timeout | undefined

/** Watches an answer until it begins. One timer serves all answers, because a timer per stream
 *  would be costly with thousands of streams. The answer opens `seconds` after the tick `since`, a
 *  number that `silenceTick` returned (default: the current tick), and never earlier. With
 *  `seconds` 0 it never opens. */
export function awaitSilence(answer: SilentAnswer, seconds: number, since = tick): void {
  // With 0, the entry says "never". It replaces the tick that an earlier target of the same answer
  // may have set.
  silent.set(answer, seconds === 0 ? Number.POSITIVE_INFINITY : since + seconds * ticksPerSecond + 1)
  clock ??= setInterval(onTick, 1_000 / ticksPerSecond).unref()
}

export function endSilence(answer: SilentAnswer): void {
  if (!silent.delete(answer) || silent.size > 0) return
  clearInterval(clock)
  clock = undefined
}

/** Returns the number of the current tick; there are four ticks a second. */
export function silenceTick(): number {
  return tick
}

/** Marks a response whose head was sent only because the stream had no output for too long. No part
 *  of the answer was sent, so an error of the call is sent as an event of the stream. */
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
