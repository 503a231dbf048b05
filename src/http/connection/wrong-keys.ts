import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Clock } from '../../core/ports/store.ts'
import { callerAddress } from './caller-address.ts'

export interface WrongKeys {
  /** Resolves when the answer to a wrong key may be sent. Ten such answers a minute to one address
   *  are sent without a delay; further ones are delayed more and more. Throws `rate_limited` when
   *  too many delayed answers already wait. */
  slow(ip: string): Promise<void>
}

interface Guesser {
  /** Number of wrong keys from this address at the time `at`; it falls as time passes. */
  level: number
  /** Time at which `level` was set, in milliseconds of the clock. */
  at: number
  /** Number of refusals to this address that are being delayed now. */
  waiting: number
}

/** Limits for the whole machine. Callers are spread over the processes of the gateway, so each
 *  process enforces its share of these limits. */
const machine = { freePerMinute: 10, waitingPerAddress: 8, waiting: 1_000 }
const firstDelayMs = 250
const longestDelayMs = 4_000
/** Number of wrong keys with which the delay grows, counted after those that are answered at once.
 *  Further wrong keys raise neither the delay nor the level. With one process, the level of an
 *  address falls back to 0 within a minute and a half after its last wrong key. */
const levelsOfDelay = 5
const mostAddresses = 10_000

interface WrongKeysOptions {
  /** Returns a promise that resolves after `ms` milliseconds. */
  wait?: (ms: number) => Promise<void>
  /** Number of gateway processes on this machine. Callers are spread over them. Default 1. */
  processes?: number | undefined
}

/** Returns the function that delays refusals of wrong keys. A limited number of addresses is
 *  remembered, each until its level is back at 0 (docs/decisions/0014). */
export function createWrongKeys(clock: Clock, { wait = sleeping, processes = 1 }: WrongKeysOptions = {}): WrongKeys {
  const share = (limit: number): number => Math.ceil(limit / processes)
  const freePerMinute = share(machine.freePerMinute)
  const levelAt = ({ level, at }: Guesser, now: number): number =>
    // When the clock was set back, the elapsed time counts as 0.
    Math.max(0, level - (Math.max(0, now - at) / 60_000) * freePerMinute)
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
    const level = Math.min(freePerMinute + levelsOfDelay, (known ? levelAt(known, now) : 0) + 1)
    const guesser = Object.assign(known ?? { waiting: 0 }, { level, at: now })
    if (!known) remember(guessers, address, guesser)
    return guesser
  }

  return {
    slow: async ip => {
      const guesser = guesserAt(ip)
      const delayMs = delayOf(guesser.level - freePerMinute)
      if (delayMs === 0) return
      if (guesser.waiting >= share(machine.waitingPerAddress) || waiting >= share(machine.waiting)) throw tooMany()
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

/** Returns the delay in ms. `keys` is the number of wrong keys beyond those answered at once: 1
 *  gives 250, then 500, 1000, 2000, and 4000 from the fifth on. */
function delayOf(keys: number): number {
  if (keys <= 0) return 0
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (Math.ceil(keys) - 1))
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
