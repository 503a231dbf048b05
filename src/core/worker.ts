import type { Catalogue } from './catalogue.ts'
import { type GatewayError, toGatewayError } from './errors.ts'
import { newId } from './id.ts'
import type { BlobStore, Claim, Clock, TaskStore } from './ports.ts'
import type { Driver } from './requests/job.ts'
import type { Router } from './router.ts'
import { runClaim } from './run-claim.ts'
import type { TaskFailure } from './task.ts'

export interface WorkerDeps {
  store: TaskStore
  blobs: BlobStore
  router: Router
  catalogue: () => Catalogue
  drivers: ReadonlyMap<string, Driver>
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
  /** Claims nothing more, lets running jobs finish for `graceMs`, then hands the rest back. */
  stop(graceMs: number): Promise<void>
  /** Id of this node's leases. */
  nodeId(): string
  running(): number
}

/** Measured and reasoned in data-layer 4.3: a node beats every 5 s, is dead after 15 s, and fences itself after 10 s without a beat. */
const heartbeatEveryMs = 5_000
const leaseMs = 15_000
const selfFenceMs = 10_000
const idleClaimEveryMs = 1_000
const sweepEveryMs = 60_000
const orphanAgeMs = 24 * 3_600_000
const triesWhenLater = 5
const triesWhenBroken = 3

class AbortedRun extends Error {
  readonly reason: 'cancelled' | 'expired' | 'fenced' | 'draining'
  constructor(reason: AbortedRun['reason']) {
    super(`The run was stopped: ${reason}.`)
    this.reason = reason
  }
}

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
    const controller = new AbortController()
    const deadline = setTimeout(
      () => controller.abort(new AbortedRun('expired')),
      Math.min(claim.task.deadlineAt - clock.now(), 2 ** 31 - 1),
    )
    // A cancel may have come before the claim, or a dead node left the task so: its run only ends what was started.
    if (claim.task.state === 'cancelling') controller.abort(new AbortedRun('cancelled'))
    const done = runClaim(deps, claim, controller.signal)
      .catch(error => settleError(claim, controller.signal, error))
      .catch(error => log.error({ err: error, taskId: claim.task.id }, 'the end of a task could not be stored'))
      .finally(() => {
        clearTimeout(deadline)
        runs.delete(claim.task.id)
        release()
      })
    runs.set(claim.task.id, { controller, done })
  }

  const settleError = async (claim: Claim, signal: AbortSignal, error: unknown): Promise<void> => {
    const { task, token } = claim
    const now = clock.now()
    const reason = signal.reason instanceof AbortedRun ? signal.reason.reason : undefined
    const end = (state: 'failed' | 'cancelled' | 'expired', failure: TaskFailure) =>
      store.settle(task.id, token, { state, failure, outputs: [], usage: [], at: now })
    switch (reason) {
      case 'fenced':
        return
      case 'draining':
        await store.reschedule(task.id, token, now, 'The node is stopping.', now)
        return
      case 'cancelled':
        await end('cancelled', { code: 'cancelled', message: 'The task was cancelled.' })
        return
      case 'expired':
        await end('expired', { code: 'deadline_exceeded', message: 'The task did not finish before its deadline.' })
        return
      case undefined:
        await retryOrFail(claim, toGatewayError(error), end)
    }
  }

  const retryOrFail = async (
    claim: Claim,
    error: GatewayError,
    end: (state: 'failed', failure: TaskFailure) => Promise<boolean>,
  ): Promise<void> => {
    const { task, token, attempt } = claim
    const now = clock.now()
    log.warn({ err: error.cause ?? error, code: error.code, taskId: task.id, attempt }, 'a run failed')
    const tries = error.code === 'internal_error' ? triesWhenBroken : triesWhenLater
    if (isRetryable(error) && attempt < tries) {
      await store.reschedule(task.id, token, now + backoffMs(attempt, error.retryAfterSeconds), error.message, now)
      return
    }
    await end('failed', { code: error.code, message: error.message, ...(error.reasons.length > 0 ? { reasons: error.reasons } : {}) })
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

  const sweep = async (): Promise<void> => {
    try {
      const swept = await store.sweep(clock.now(), 500)
      for (const key of swept.blobKeys) await deps.blobs.remove(key)
      await removeOrphans()
      if (swept.tasks > 0) log.info({ tasks: swept.tasks, blobs: swept.blobKeys.length }, 'swept tasks past their retention')
    } catch (error) {
      log.error({ err: error }, 'the retention sweep failed')
    }
  }

  let orphansAfter = ''
  /** One page a sweep of blobs that no row points to: a node that died between storing an output and settling leaves them. */
  const removeOrphans = async (): Promise<void> => {
    const keys = await deps.blobs.list({
      ...(orphansAfter === '' ? {} : { after: orphansAfter }),
      adoptedBefore: clock.now() - orphanAgeMs,
      limit: 500,
    })
    for (const key of await store.unreferenced(keys)) await deps.blobs.remove(key)
    orphansAfter = keys.length < 500 ? '' : (keys.at(-1) ?? '')
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
      void beat().then(() => {
        for (const name of queues.keys()) void claimFor(name)
      })
      every(heartbeatEveryMs, () => void beat().then(mend))
      every(sweepEveryMs, () => void sweep())
      every(idleClaimEveryMs, () => {
        for (const name of queues.keys()) void claimFor(name)
      })
    },
    stop: async graceMs => {
      isOpen = false
      unsubscribe()
      const settled = Promise.all([...runs.values()].map(run => run.done))
      const timeout = new Promise<'timeout'>(resolve => setTimeout(() => resolve('timeout'), graceMs).unref())
      if ((await Promise.race([settled, timeout])) === 'timeout') {
        for (const run of runs.values()) run.controller.abort(new AbortedRun('draining'))
        await Promise.all([...runs.values()].map(run => run.done))
      }
      for (const timer of timers) clearInterval(timer)
      await store.release(nodeId, clock.now())
    },
    nodeId: () => nodeId,
    running: () => runs.size,
  }
}

function isRetryable(error: GatewayError): boolean {
  switch (error.code) {
    case 'internal_error':
    case 'upstream_error':
    case 'upstream_timeout':
    case 'rate_limited':
    case 'engine_busy':
    case 'disk_full':
    case 'store_unavailable':
      return true
    default:
      return false
  }
}

/** Full jitter (data-layer 4.3): a random part of min(300 s, 2 s x 2^attempt), or what the upstream asked for. */
function backoffMs(attempt: number, retryAfterSeconds: number | undefined): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000
  return Math.round(Math.random() * Math.min(300_000, 2_000 * 2 ** attempt))
}
