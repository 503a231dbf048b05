import { setTimeout as sleep } from 'node:timers/promises'
import { AbortedRun } from './aborted-run.ts'
import type { Catalogue } from './catalogue.ts'
import { type EndingRun, endRun } from './end-run.ts'
import { toGatewayError } from './errors.ts'
import { newId } from './id.ts'
import { keepTrying } from './keep-trying.ts'
import type { PollScheduler } from './poll-scheduler.ts'
import type { BlobStore, Claim, Clock, TaskStore } from './ports.ts'
import type { Driver } from './requests/job.ts'
import type { Router } from './router.ts'
import { fateOf, runClaim } from './run-claim.ts'
import type { Task } from './task.ts'

export interface WorkerDeps {
  store: TaskStore
  blobs: BlobStore
  router: Router
  catalogue: () => Catalogue
  drivers: ReadonlyMap<string, Driver>
  polls: PollScheduler
  /** Where an upstream may say that it has news of the task; undefined while the gateway has no public address. */
  wakeUrl(task: Task): string | undefined
  clock: Clock
  log: WorkerLog
}

export interface WorkerLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

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

/** Measured and reasoned in data-layer 4.3: a node beats every 5 s, is dead after 15 s, and fences itself after 10 s without a beat. */
const heartbeatEveryMs = 5_000
const leaseMs = 15_000
const selfFenceMs = 10_000
const idleClaimEveryMs = 1_000
/** Runs that are let go have this long to save their place; then the node stops without them. */
const letGoMs = 5_000

interface Run {
  controller: AbortController
  done: Promise<void>
}

/** Claims due jobs for every driver's queue, runs them, and keeps this node's leases. */
export function createWorker(deps: WorkerDeps): Worker {
  const { store, clock, log } = deps
  const runs = new Map<string, Run>()
  const queues = new Map(
    [...deps.drivers.values()].map(driver => [driver.queue.name, { slots: driver.queue.slots, busy: 0, isClaiming: false, again: false }]),
  )
  const timers: NodeJS.Timeout[] = []
  let nodeId = newId(clock.now())
  let lastBeat = clock.now()
  let isOpen = false
  let unsubscribe = () => {}
  const stopped = new AbortController()

  const claimFor = async (name: string): Promise<void> => {
    const queue = queues.get(name)
    if (!queue || !isOpen) return
    if (queue.isClaiming) {
      queue.again = true
      return
    }
    queue.isClaiming = true
    try {
      do {
        queue.again = false
        const free = queue.slots - queue.busy
        if (free <= 0) break
        const holder = nodeId
        const claims = await store.claim(name, holder, free, clock.now())
        // Leases that went to a name this node has given up meanwhile are handed back: by `release`, or when that name is declared dead.
        if (!isOpen || holder !== nodeId) break
        for (const claim of claims) {
          queue.busy += 1
          startRun(claim, () => {
            queue.busy -= 1
            void claimFor(name)
          })
        }
        if (claims.length === free) break
      } while (queue.again)
    } catch (error) {
      log.error({ err: error, queue: name }, 'jobs could not be claimed')
    } finally {
      queue.isClaiming = false
    }
  }

  const startRun = (claim: Claim, release: () => void): void => {
    const { task } = claim
    const controller = new AbortController()
    const deadline = setTimeout(() => controller.abort(new AbortedRun('expired')), Math.min(task.deadlineAt - clock.now(), 2 ** 31 - 1))
    // A run that never ends must not keep the program from ending.
    deadline.unref()
    // Cancelled before it was claimed: the run only stops what runs upstream.
    if (task.state === 'cancelling') controller.abort(new AbortedRun('cancelled'))
    const fate = fateOf(claim)
    const done = runClaim(deps, claim, fate, controller.signal)
      .catch(error => storeEnd({ store, clock, claim, fate, signal: controller.signal }, error))
      .finally(() => {
        clearTimeout(deadline)
        if (runs.get(task.id) === run) runs.delete(task.id)
        release()
      })
    const run: Run = { controller, done }
    runs.set(task.id, run)
  }

  const storeEnd = async (run: EndingRun, error: unknown): Promise<void> => {
    const { signal } = run
    const { task, attempt } = run.claim
    const failure = toGatewayError(error)
    if (!signal.aborted) log.warn({ err: failure.cause ?? failure, code: failure.code, taskId: task.id, attempt }, 'a run failed')
    await keepTrying(() => endRun(run, failure), {
      signal: stopped.signal,
      onFirstError: problem => log.error({ err: problem, taskId: task.id }, 'the end of a run could not be stored'),
    })
  }

  const beat = async (): Promise<void> => {
    const now = clock.now()
    try {
      if (await store.heartbeat(nodeId, now, leaseMs)) {
        lastBeat = now
      } else {
        fence('this node was declared dead')
      }
    } catch (error) {
      log.error({ err: error }, 'the heartbeat failed')
    }
    if (clock.now() - lastBeat >= selfFenceMs) fence('no heartbeat got through')
  }

  /** Drops all work and takes a new name: what still runs under the old one can no longer write. */
  const fence = (why: string): void => {
    log.warn({ nodeId, running: runs.size }, `leases given up: ${why}`)
    for (const run of runs.values()) run.controller.abort(new AbortedRun('fenced'))
    nodeId = newId(clock.now())
    lastBeat = clock.now()
    void store.heartbeat(nodeId, lastBeat, leaseMs).catch(error => log.error({ err: error }, 'the heartbeat failed'))
  }

  const mend = async (): Promise<void> => {
    const now = clock.now()
    try {
      const requeued = await store.requeueDead(now)
      if (requeued > 0) log.warn({ requeued }, 'jobs of dead nodes made ready again')
      for (const id of await store.expireOverdue(now, 500)) runs.get(id)?.controller.abort(new AbortedRun('expired'))
    } catch (error) {
      log.error({ err: error }, 'jobs of dead nodes could not be looked for')
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
        if (signal.kind === 'cancel') runs.get(signal.taskId)?.controller.abort(new AbortedRun('cancelled'))
      })
      // Tasks past their deadline are ended before anything is claimed: one that brings the program down is not run for ever.
      void beat()
        .then(mend)
        .then(() => {
          for (const name of queues.keys()) void claimFor(name)
        })
      every(heartbeatEveryMs, () => void beat().then(mend))
      every(idleClaimEveryMs, () => {
        for (const name of queues.keys()) void claimFor(name)
      })
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
