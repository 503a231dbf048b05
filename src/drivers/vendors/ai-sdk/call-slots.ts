/** Limits the number of runs that hold files in memory at the same time. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'

export interface CallSlots {
  /** Runs `work` once a place is free, in the order of the calls. Throws `cancelled` when the
   *  signal fires first, else the errors of `work`. */
  in<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

export function createCallSlots(most: number): CallSlots {
  let free = most
  const waiting = new Set<() => void>()
  const leave = (): void => {
    const [next] = waiting
    if (next === undefined) free += 1
    else next()
  }
  const enter = (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return Promise.reject(stopped())
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const end = (): void => {
      waiting.delete(begin)
      reject(stopped())
    }
    const begin = (): void => {
      waiting.delete(begin)
      signal.removeEventListener('abort', end)
      resolve()
    }
    waiting.add(begin)
    signal.addEventListener('abort', end, { once: true })
    return promise
  }
  return {
    in: async (signal, work) => {
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function stopped(): GatewayError {
  return new GatewayError('cancelled', 'The task was stopped before anything was sent.')
}
