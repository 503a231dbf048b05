import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Clock } from '../../core/ports/store.ts'
import { callerAddress } from './caller-address.ts'

export interface WrongKeys {
  /** Resolves when the refusal of a wrong key may be sent: at once for the first ten of an address
   *  in a minute, then with growing delays. Throws `rate_limited` when too many refusals wait
   *  already. */
  slow(ip: string): Promise<void>
}

interface Guesser {
  /** Number of wrong keys, less 10 for each minute since. */
  level: number
  /** Time at which the level was computed, milliseconds of the clock. */
  at: number
  /** Number of delayed refusals. */
  waiting: number
}

const freePerMinute = 10
const firstDelayMs = 250
const longestDelayMs = 4_000
/** Highest level: the delay does not grow beyond it, and an address at this level is forgotten
 *  after a minute and a half. */
const highestLevel = 15
const mostWaitingPerAddress = 8
const mostWaiting = 1_000
const mostAddresses = 10_000

/** Remembers a bounded number of addresses, each until its level is back at 0; docs/decisions/0014.
 *  `wait` resolves after that many milliseconds. */
export function createWrongKeys(clock: Clock, wait: (ms: number) => Promise<void> = sleeping): WrongKeys {
  const guessers = new Map<string, Guesser>()
  let waiting = 0
  let nextTidy = 0

  const guesserAt = (ip: string): Guesser => {
    const now = clock.now()
    if (now >= nextTidy) {
      for (const [address, guesser] of guessers) if (levelAt(guesser, now) === 0) guessers.delete(address)
      nextTidy = now + 60_000
    }
    const address = callerAddress(ip)
    const known = guessers.get(address)
    const level = Math.min(highestLevel, (known ? levelAt(known, now) : 0) + 1)
    const guesser = Object.assign(known ?? { waiting: 0 }, { level, at: now })
    if (!known) remember(guessers, address, guesser)
    return guesser
  }

  return {
    slow: async ip => {
      const guesser = guesserAt(ip)
      const delayMs = delayOf(guesser.level)
      if (delayMs === 0) return
      if (guesser.waiting >= mostWaitingPerAddress || waiting >= mostWaiting) throw tooMany()
      guesser.waiting += 1
      waiting += 1
      await wait(delayMs)
      guesser.waiting -= 1
      waiting -= 1
    },
  }
}

function sleeping(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false })
}

function levelAt({ level, at }: Guesser, now: number): number {
  // A clock that was set back does not change the level.
  return Math.max(0, level - (Math.max(0, now - at) / 60_000) * freePerMinute)
}

/** Returns the delay in milliseconds: 250, 500, 1000, 2000, then 4000. */
function delayOf(level: number): number {
  if (level <= freePerMinute) return 0
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (Math.ceil(level - freePerMinute) - 1))
}

function remember(guessers: Map<string, Guesser>, address: string, guesser: Guesser): void {
  const [oldest] = guessers.keys()
  if (guessers.size >= mostAddresses && oldest !== undefined) guessers.delete(oldest)
  guessers.set(address, guesser)
}

function tooMany(): GatewayError {
  return new GatewayError('rate_limited', 'Too many wrong keys from this address are waiting for their answer.', {
    retryAfterSeconds: longestDelayMs / 1_000,
  })
}
