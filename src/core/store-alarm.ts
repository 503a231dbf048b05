import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Clock } from './ports/store.ts'

/** Logs an outage of the store: one line when it begins, at most one line a minute while it lasts,
 *  and one line when it ends. All code that writes to the store shares it. */
export interface StoreAlarm {
  /** Reports that `what` (such as `records of calls`) could not be written, and that `waiting`
   *  entries will be retried; call `worked` once a write has succeeded. An error that is not an
   *  outage is logged in full, at most once a minute. */
  failed(what: string, error: unknown, waiting?: number): void
  /** Reports that `what` was written. The call takes almost no time. */
  worked(what: string): void
  /** Reports that `what` could not be written and will not be retried. An outage is logged at most
   *  once a minute for each `what`, and not at all while writes reported by `failed` are waiting,
   *  because these already log the outage. Every other error is logged in full. */
  missed(what: string, error: unknown, fields?: object): void
}

interface AlarmLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

const everyMs = 60_000

/** True when the error means that the store cannot write for now: nothing was written, and the same
 *  write may succeed later. */
export function isStoreUnavailable(error: unknown): boolean {
  return unavailableError(error) !== undefined
}

/** Returns the seconds after which a store that cannot be reached should be tried again; undefined
 *  for any other error. The error for a damaged file has the same code, but no such time. */
export function secondsUntilRetry(error: unknown): number | undefined {
  return error instanceof GatewayError && error.code === 'store_unavailable' ? error.retryAfterSeconds : undefined
}

function unavailableError(error: unknown): GatewayError | undefined {
  if (!(error instanceof GatewayError)) return undefined
  return error.code === 'disk_full' || error.code === 'store_unavailable' ? error : undefined
}

export function createStoreAlarm({ log, clock }: { log: AlarmLog; clock: Clock }): StoreAlarm {
  /** The kinds of writes that are failing now, each with the number of entries that wait. */
  const failing = new Map<string, number>()
  let since = 0
  /** True when the beginning of the current outage was logged. An outage that begins less than a
   *  minute after the last logged line is not logged at first, so that short outages do not fill
   *  the log. */
  let isReported = false
  const toldAt = new Map<string, number>()

  const mayTell = (line: string): boolean => {
    const now = clock.now()
    if (now - (toldAt.get(line) ?? Number.NEGATIVE_INFINITY) < everyMs) return false
    toldAt.set(line, now)
    return true
  }
  return {
    failed: (what, error, waiting = 1) => {
      const away = unavailableError(error)
      if (!away) {
        if (mayTell(`fault of ${what}`)) log.error({ err: error, waiting }, `${what} could not be written`)
        return
      }
      if (failing.size === 0) since = clock.now()
      failing.set(what, waiting)
      if (!mayTell('away')) return
      const fields = { code: away.code, reason: away.message, waiting: Object.fromEntries(failing), seconds: secondsSince(since, clock) }
      if (isReported) log.warn(fields, 'the store still takes no writes')
      else log.error(fields, 'the store takes no writes; what waits is tried again')
      isReported = true
    },
    worked: what => {
      if (failing.size === 0 || !failing.delete(what) || failing.size > 0) return
      if (isReported) log.info({ seconds: secondsSince(since, clock) }, 'the store takes writes again')
      isReported = false
    },
    missed: (what, error, fields = {}) => {
      const away = unavailableError(error)
      if (!away) log.warn({ err: error, ...fields }, what)
      else if (failing.size === 0 && mayTell(what)) log.warn({ code: away.code, reason: away.message, ...fields }, what)
    },
  }
}

function secondsSince(at: number, clock: Clock): number {
  return Math.round((clock.now() - at) / 1000)
}
