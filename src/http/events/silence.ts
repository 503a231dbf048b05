/** Opens requested streams that have not begun: after some seconds of silence they start with a
 *  comment, because proxies and load balancers cut silent connections (docs/decisions/0038). */
import type { ServerResponse } from 'node:http'

/** An answer that has not begun. */
export interface SilentAnswer {
  /** Opens the stream. Called once, unless `endSilence` was called before. */
  breakSilence(): void
}

/** Default for targets without a setting of their own. */
export const usualSilenceSeconds = 15
const ticksPerSecond = 4
/** The waiting answers, with the tick at which each opens. */
const silent = new Map<SilentAnswer, number>()
const opened = new WeakSet<ServerResponse>()
let tick = 0
let clock: NodeJS.Timeout | undefined

/** Watches an answer until it begins, with one timer for all answers, because one per stream would
 *  be costly with thousands of them. An answer that has been silent since `since` (a value of
 *  `silenceTick`; default now) opens after `seconds`, never earlier; with 0 it never opens. */
export function awaitSilence(answer: SilentAnswer, seconds: number, since = tick): void {
  // Answers that never open are tracked, too, because their next target may have a number of
  // seconds.
  silent.set(answer, seconds === 0 ? Number.POSITIVE_INFINITY : since + seconds * ticksPerSecond + 1)
  clock ??= setInterval(onTick, 1_000 / ticksPerSecond).unref()
}

export function endSilence(answer: SilentAnswer): void {
  if (!silent.delete(answer) || silent.size > 0) return
  clearInterval(clock)
  clock = undefined
}

/** Returns the current tick, for `awaitSilence`. */
export function silenceTick(): number {
  return tick
}

/** Marks a response whose head was sent because of its silence, without any part of the answer; the
 *  rest of the call is reported by events. */
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
