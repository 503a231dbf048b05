import { setTimeout as sleep } from 'node:timers/promises'
import { NotServedNow, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { Claim, UnreadableJob } from '../ports/store.ts'
import { newId } from '../records/id.ts'
import { createStoreTrouble, isStoreAway } from '../store-alarm.ts'
import { AbortedRun } from './aborted-run.ts'
import { type EndingRun, endRun, endUnreadable } from './end-run.ts'
import { keepTrying } from './keep-trying.ts'
import { createQueueLimits } from './queue-limits.ts'
import { runClaim } from './run-claim.ts'
import { fateOf } from './run-fate.ts'
import type { WorkerDeps } from './worker-deps.ts'

export interface Worker {
  start(): void
  /** Claims nothing more, lets running jobs finish for `graceMs`, then lets go of the rest: what runs upstream goes on there. */
  stop(graceMs: number): Promise<void>
  /** Hands all leases of this node back, those of webhook deliveries too; the last thing it does. */
  release(): Promise<void>
  /** Id of this node's leases. */
  nodeId(): string
  running(): number
}

/** A node beats every 5 s, counts as dead after 15 s, and fences itself after 10 s without a beat
 *  (docs/measured.md#leases). */
const heartbeatEveryMs = 5_000
const leaseMs = 15_000
const selfFenceMs = 10_000
const idleClaimEveryMs = 1_000
/** Runs that are let go have this long to save their place; then the node stops without them. */
const letGoMs = 5_000
const usualStopWithinMs = 60_000
const tellMissingEveryMs = 60_000

interface Run {
  controller: AbortController
  done: Promise<void>
}

interface Queue {
  /** Runs of it. */
  busy: number
  isClaiming: boolean
  /** A claim is wanted behind the one under way. */
  again: boolean
}

interface Claiming {
  name: string
  queue: Queue
  free: number
  accountSlots: number | undefined
}

/** Claims due jobs for every driver's queue, runs them, and keeps this node's leases. */
export function createWorker(deps: WorkerDeps): Worker {
  const { store, clock, log, trouble = createStoreTrouble(deps), stopWithinMs = usualStopWithinMs } = deps
  const runs = new Map<string, Run>()
  /** Tasks that were told to stop while a claim was under way that may have them: its answer may be older. */
  const stoppedEarly = new Set<string>()
  let claimsUnderWay = 0
  const limits = createQueueLimits(deps)
  /** Those with a run or a claim under way. */
  const queues = new Map<string, Queue>()
  const timers: NodeJS.Timeout[] = []
  let nodeId = newId(clock.now())
  let lastBeat = clock.now()
  /** Since the last heartbeat that got through. */
  let isFenced = false
  let isOpen = false
  let endsWaiting = 0
  /** By model. */
  const missingToldAt = new Map<string, number>()
  let unsubscribe = () => {}
  const stopped = new AbortController()

  const claimFor = async (name: string): Promise<void> => {
    if (!isOpen) return
    const queue = queues.get(name) ?? { busy: 0, isClaiming: false, again: false }
    queues.set(name, queue)
    if (queue.isClaiming) {
      queue.again = true
      return
    }
    queue.isClaiming = true
    try {
      do {
        queue.again = false
        const { slots, accountSlots } = limits.limitsOf(name)
        const free = slots - queue.busy
        if (free <= 0 || (await claimInto({ name, queue, free, accountSlots })) === free) break
      } while (queue.again && isOpen)
    } catch (error) {
      trouble.failed(`claims of ${name}`, error)
    } finally {
      queue.isClaiming = false
      if (queue.busy === 0) queues.delete(name)
    }
  }

  /** Starts what it claims; gives how many that were. */
  const claimInto = async ({ name, queue, free, accountSlots }: Claiming): Promise<number> => {
    const holder = nodeId
    claimsUnderWay += 1
    try {
      const claims = await store.claim(name, holder, free, clock.now(), accountSlots)
      trouble.worked(`claims of ${name}`)
      // Leases that went to a name this node has given up meanwhile are handed back: by `release`, or when that name is declared dead.
      if (!isOpen || holder !== nodeId) return 0
      for (const claim of claims) {
        queue.busy += 1
        startRun(claim, () => {
          queue.busy -= 1
          void claimFor(name)
        })
      }
      return claims.length
    } finally {
      claimsUnderWay -= 1
      if (claimsUnderWay === 0) stoppedEarly.clear()
    }
  }

  /** Also queues of targets that are no longer configured, and of an older version. */
  const claimAll = async (): Promise<void> => {
    try {
      for (const name of await store.queues()) void claimFor(name)
      trouble.worked('looks for queues')
    } catch (error) {
      trouble.failed('looks for queues', error)
    }
  }

  const startRun = (claim: Claim, release: () => void): void => {
    const { task } = claim
    const controller = new AbortController()
    const leftMs = Math.max(0, Math.min(task.deadlineAt - clock.now(), 2 ** 31 - 1))
    const deadline = setTimeout(() => controller.abort(new AbortedRun('expired')), leftMs)
    // A run that never ends must not keep the program from ending.
    deadline.unref()
    // Cancelled or over before it was claimed: the run only stops what runs upstream.
    if (task.state === 'cancelling' || stoppedEarly.has(task.id)) controller.abort(new AbortedRun('cancelled'))
    else if (leftMs === 0) controller.abort(new AbortedRun('expired'))
    const fate = fateOf(claim)
    const { signal } = controller
    const running = runClaim(deps, claim, fate, signal)
    const done = endedOrStuck(running, { signal, withinMs: stopWithinMs, onStuck: () => tellStuck(claim) })
      .catch(error => storeEnd({ store, clock, claim, fate, signal }, error))
      .finally(() => {
        clearTimeout(deadline)
        if (runs.get(task.id) === run) runs.delete(task.id)
        release()
      })
    const run: Run = { controller, done }
    runs.set(task.id, run)
  }

  const cancel = (taskId: string): void => {
    runs.get(taskId)?.controller.abort(new AbortedRun('cancelled'))
    if (claimsUnderWay > 0) stoppedEarly.add(taskId)
  }

  const tellStuck = ({ task: { id } }: Claim): void =>
    log.warn({ taskId: id }, 'a run did not let itself be stopped; its slot is free without it')

  const tellMissing = (model: string, { message }: NotServedNow): void => {
    const now = clock.now()
    if (now - (missingToldAt.get(model) ?? 0) < tellMissingEveryMs) return
    missingToldAt.set(model, now)
    log.warn({ model, reason: message }, 'tasks wait for their model')
  }

  const storeEnd = async (run: EndingRun, error: unknown): Promise<void> => {
    const { signal } = run
    const { task, attempt } = run.claim
    const failure = toGatewayError(error)
    const fields = { code: failure.code, taskId: task.id, attempt }
    if (failure instanceof NotServedNow) tellMissing(task.model, failure)
    else if (isStoreAway(failure)) trouble.missed('a run could not store what it made', failure, fields)
    else if (!signal.aborted) log.warn({ err: failure.cause ?? failure, ...fields }, 'a run failed')
    await storeFinally(() => endRun(run, failure))
  }

  /** Tried until it succeeds: a job whose end is not stored stays with this node. */
  const storeFinally = async (write: () => Promise<void>): Promise<void> => {
    let isWaiting = false
    await keepTrying(write, {
      signal: stopped.signal,
      onError: error => {
        if (!isWaiting) endsWaiting += 1
        isWaiting = true
        trouble.failed('ends of runs', error, endsWaiting)
      },
    })
    if (!isWaiting) return
    endsWaiting -= 1
    if (endsWaiting === 0) trouble.worked('ends of runs')
  }

  const endDamaged = (job: UnreadableJob): Promise<void> => {
    log.error({ err: job.error, taskId: job.taskId, isPassing: job.isPassing }, 'a claimed task cannot be read')
    return storeFinally(() => endUnreadable({ store, clock }, job))
  }

  const beat = async (): Promise<void> => {
    const now = clock.now()
    try {
      const isAlive = await store.heartbeat(nodeId, now, leaseMs)
      trouble.worked('heartbeats')
      isFenced = false
      if (isAlive) lastBeat = now
      else fence('this node was declared dead')
    } catch (error) {
      trouble.failed('heartbeats', error)
    }
    // Under a name that has never had a heartbeat nothing was claimed.
    if (!isFenced && clock.now() - lastBeat >= selfFenceMs) fence('no heartbeat got through')
  }

  /** Drops all work and takes a new name: what still runs under the old one can no longer write. */
  const fence = (why: string): void => {
    log.warn({ nodeId, running: runs.size }, `leases given up: ${why}`)
    for (const run of runs.values()) run.controller.abort(new AbortedRun('fenced'))
    nodeId = newId(clock.now())
    lastBeat = clock.now()
    isFenced = true
    void store.heartbeat(nodeId, lastBeat, leaseMs).then(
      () => {
        isFenced = false
      },
      error => trouble.failed('heartbeats', error),
    )
  }

  const mend = async (): Promise<void> => {
    const now = clock.now()
    try {
      const requeued = await store.requeueDead(now)
      if (requeued > 0) log.warn({ requeued }, 'jobs of dead nodes made ready again')
      for (const id of await store.expireOverdue(now, 500)) runs.get(id)?.controller.abort(new AbortedRun('expired'))
      trouble.worked('looks for dead nodes and late tasks')
    } catch (error) {
      trouble.failed('looks for dead nodes and late tasks', error)
    }
  }

  /** Resolves when no run is left, at the latest after `ms`. */
  const endWithin = async (ms: number): Promise<void> => {
    const waiting = new AbortController()
    const allDone = Promise.all([...runs.values()].map(run => run.done))
    // The sleep is cut short, with a rejection, once all are done.
    await Promise.race([allDone, sleep(ms, undefined, { signal: waiting.signal }).catch(() => {})])
    waiting.abort()
  }

  const every = (ms: number, work: () => void): void => {
    const timer = setInterval(work, ms)
    timer.unref()
    timers.push(timer)
  }

  return {
    start: () => {
      isOpen = true
      unsubscribe = store.subscribe(signal => {
        if (signal.kind === 'job') void claimFor(signal.queue)
        if (signal.kind === 'cancel') cancel(signal.taskId)
        if (signal.kind === 'unreadable') void endDamaged(signal.job)
      })
      // Tasks past their deadline are ended before anything is claimed: one that brings the program down is not run for ever.
      void beat().then(mend).then(claimAll)
      every(heartbeatEveryMs, () => void beat().then(mend))
      every(idleClaimEveryMs, () => void claimAll())
    },
    stop: async graceMs => {
      isOpen = false
      await endWithin(graceMs)
      for (const run of runs.values()) run.controller.abort(new AbortedRun('draining'))
      await endWithin(letGoMs)
      stopped.abort()
      unsubscribe()
      for (const timer of timers) clearInterval(timer)
      if (runs.size > 0) log.warn({ taskIds: [...runs.keys()] }, 'runs did not let themselves be stopped; their tasks are handed back')
    },
    release: async () => {
      const released = await store.release(nodeId, clock.now())
      if (released > 0) log.info({ released }, 'jobs handed back')
    },
    nodeId: () => nodeId,
    running: () => runs.size,
  }
}

/** What the run comes to; rejects with the signal's reason once the run has ignored it for so long. */
async function endedOrStuck(
  run: Promise<void>,
  { signal, withinMs, onStuck }: { signal: AbortSignal; withinMs: number; onStuck(): void },
): Promise<void> {
  const stuck = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => {
      onStuck()
      stuck.reject(signal.reason)
    }, withinMs)
    timer.unref()
  }
  if (signal.aborted) wait()
  else signal.addEventListener('abort', wait, { once: true })
  try {
    await Promise.race([run, stuck.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', wait)
  }
}
