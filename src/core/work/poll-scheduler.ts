/** Schedules the polls of tasks at upstreams. The rate of polls is limited for each target, for
 *  all tasks of this node together. */

export interface PollRequest {
  taskId: string
  targetId: string
  /** Time in ms until the poll. A small random part is added or subtracted, and `wake` ends the
   *  wait early. */
  waitMs: number
  /** Largest number of polls at the target in a second, for all its tasks together. */
  perSecond: number
  signal: AbortSignal
}

export interface PollScheduler {
  /** Resolves when the task may be polled. Rejects with the signal's reason. */
  turn(request: PollRequest): Promise<void>
  /** Stops the polls of all tasks at a target for this time, because the target has requested a
   *  pause. */
  pause(targetId: string, ms: number): void
  /** Makes the next poll of the task due now, because the upstream has reported a change. Does
   *  nothing when the task does not wait for a poll. */
  wake(taskId: string): void
  /** Returns the time in ms to wait before the first poll of a generation that was just started.
   *  The wait is four fifths of the shortest time that recent runs of this kind took at the
   *  target, because an earlier poll would find nothing. 0 while too few such times are known. */
  firstWaitMs(kind: string): number
  /** Reports that a run of the kind took `ms` from its start to its last poll. */
  took(kind: string, ms: number): void
}

interface Pace {
  /** Time at which the next poll at the target may begin, in ms on the clock of
   *  `performance.now()`. */
  freeAt: number
}

/** Random part of each wait, as a share of its length. The random part keeps tasks that started
 *  together from being polled at the same moment (docs/vendors/README.md#polling). */
const jitter = 0.2
const rememberedTimes = 20
/** Smallest number of recorded times that is needed to predict a first wait. */
const leastTimes = 5
const shareOfShortest = 0.8
/** Longest predicted wait before the first poll, in ms. It is limited, because a model may have
 *  become faster since the recorded runs. */
const longestFirstWaitMs = 60_000

/** Creates a scheduler; `random` returns numbers in [0, 1). */
export function createPollScheduler(random: () => number): PollScheduler {
  const paces = new Map<string, Pace>()
  const sleepers = new Map<string, () => void>()
  const times = new Map<string, number[]>()
  const paceOf = (targetId: string): Pace => {
    let pace = paces.get(targetId)
    if (!pace) {
      pace = { freeAt: 0 }
      paces.set(targetId, pace)
    }
    return pace
  }
  return {
    turn: async ({ taskId, targetId, waitMs, perSecond, signal }) => {
      const spread = 1 + jitter * (2 * random() - 1)
      await sleepUntilWoken(sleepers, { taskId, ms: waitMs * spread, signal })
      // The turn of each task is taken only when its wait has ended, so polls begin in the order in
      // which they become due.
      const pace = paceOf(targetId)
      const now = performance.now()
      const at = Math.max(now, pace.freeAt)
      pace.freeAt = at + 1000 / perSecond
      if (at > now) await sleep(at - now, signal)
    },
    pause: (targetId, ms) => {
      const pace = paceOf(targetId)
      pace.freeAt = Math.max(pace.freeAt, performance.now() + ms)
    },
    wake: taskId => sleepers.get(taskId)?.(),
    firstWaitMs: kind => {
      const known = times.get(kind) ?? []
      return known.length < leastTimes ? 0 : Math.min(longestFirstWaitMs, Math.min(...known) * shareOfShortest)
    },
    took: (kind, ms) => {
      const known = times.get(kind) ?? []
      known.push(ms)
      if (known.length > rememberedTimes) known.shift()
      times.set(kind, known)
    },
  }
}

async function sleepUntilWoken(
  sleepers: Map<string, () => void>,
  { taskId, ms, signal }: { taskId: string; ms: number; signal: AbortSignal },
): Promise<void> {
  const woken = Promise.withResolvers<void>()
  sleepers.set(taskId, woken.resolve)
  try {
    await sleep(ms, signal, woken.promise)
  } finally {
    sleepers.delete(taskId)
  }
}

/** Waits for `ms`, or until `earlier` resolves. Rejects with the signal's reason. */
function sleep(ms: number, signal: AbortSignal, earlier?: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', stop, { once: true })
    void earlier?.then(end)
  })
}
