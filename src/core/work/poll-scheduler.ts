/** Schedule of polls: one pace per target, shared by all of its tasks on this node. */

export interface PollRequest {
  taskId: string
  targetId: string
  /** Time to the poll, about; sooner when the task is woken. */
  waitMs: number
  /** Limit of polls of the target in a second, over all its tasks. */
  perSecond: number
  signal: AbortSignal
}

export interface PollScheduler {
  /** Resolves when the task may be polled. Rejects with the signal's reason. */
  turn(request: PollRequest): Promise<void>
  /** The target requested a pause: none of its tasks is polled before it ends. */
  pause(targetId: string, ms: number): void
  /** The upstream reports news of the task: its next poll is due now. Does nothing when the task
   *  waits for no poll. */
  wake(taskId: string): void
  /** Milliseconds to wait before the first poll of something just started: most of the shortest
   *  time that recent runs of its kind have taken at the target. 0 while few such times are
   *  known. */
  firstWaitMs(kind: string): number
  /** Reports that a run of the kind took `ms` from its start to its last poll. */
  took(kind: string, ms: number): void
}

interface Pace {
  /** When the next poll may begin. */
  freeAt: number
}

/** A jitter of a fifth keeps tasks that started together from polling together
 *  (docs/vendors/README.md#polling). */
const jitter = 0.2
const rememberedTimes = 20
/** Fewer recorded times than this predict nothing. */
const leastTimes = 5
const shareOfShortest = 0.8
/** A model's speed may change: this bounds the wait before the first poll. */
const longestFirstWaitMs = 60_000

/** `random` returns numbers in [0, 1). */
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
      // Turns are granted in the order in which polls become due.
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
