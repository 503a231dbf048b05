import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Clock } from './ports/store.ts'

/** What the log says of a store that takes no writes: one line when that begins, one at most every minute while it lasts, one when it is over. Shared by all who write. */
export interface StoreTrouble {
  /** `what` (`records of calls`) could not be written, and so many of it wait for another try; call `worked` once one has succeeded. An error that is no such state is logged in full, at most once a minute. */
  failed(what: string, error: unknown, waiting?: number): void
  /** `what` could be written. Costs next to nothing. */
  worked(what: string): void
  /** `what` could not be written and is not tried again by whoever tells it: a line at most every minute, and none while the state is known. Errors of other kinds are logged in full. */
  missed(what: string, error: unknown, fields?: object): void
}

interface TroubleLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

const everyMs = 60_000

/** Whether the store takes no writes for now: nothing was written, and the same write may work later. */
export function isStoreAway(error: unknown): boolean {
  return awayOf(error) !== undefined
}

function awayOf(error: unknown): GatewayError | undefined {
  if (!(error instanceof GatewayError)) return undefined
  return error.code === 'disk_full' || error.code === 'store_unavailable' ? error : undefined
}

export function createStoreTrouble({ log, clock }: { log: TroubleLog; clock: Clock }): StoreTrouble {
  /** What fails, and how many of it wait. */
  const failing = new Map<string, number>()
  let since = 0
  /** The beginning was told; one that comes and goes every second is told once a minute. */
  let isTold = false
  const toldAt = new Map<string, number>()

  const mayTell = (line: string): boolean => {
    const now = clock.now()
    if (now - (toldAt.get(line) ?? Number.NEGATIVE_INFINITY) < everyMs) return false
    toldAt.set(line, now)
    return true
  }
  return {
    failed: (what, error, waiting = 1) => {
      const away = awayOf(error)
      if (!away) {
        if (mayTell(`fault of ${what}`)) log.error({ err: error, waiting }, `${what} could not be written`)
        return
      }
      if (failing.size === 0) since = clock.now()
      failing.set(what, waiting)
      if (!mayTell('away')) return
      const fields = { code: away.code, reason: away.message, waiting: Object.fromEntries(failing), seconds: secondsSince(since, clock) }
      if (isTold) log.warn(fields, 'the store still takes no writes')
      else log.error(fields, 'the store takes no writes; what waits is tried again')
      isTold = true
    },
    worked: what => {
      if (failing.size === 0 || !failing.delete(what) || failing.size > 0) return
      if (isTold) log.info({ seconds: secondsSince(since, clock) }, 'the store takes writes again')
      isTold = false
    },
    missed: (what, error, fields = {}) => {
      const away = awayOf(error)
      if (!away) log.warn({ err: error, ...fields }, what)
      else if (failing.size === 0 && mayTell(what)) log.warn({ code: away.code, reason: away.message, ...fields }, what)
    },
  }
}

function secondsSince(at: number, clock: Clock): number {
  return Math.round((clock.now() - at) / 1000)
}
