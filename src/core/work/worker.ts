import { isEngineQueue } from '@generation-gateway/kit/driver.ts'
import { NotServedError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import { Duty } from '../duty.ts'
import type { Claim, UnreadableJob } from '../ports/store.ts'
import { nodeRoles } from '../records/node.ts'
import { createStoreAlarm, isStoreUnavailable, type StoreAlarm } from '../store-alarm.ts'
import { waitAtMost } from '../wait-at-most.ts'
import { type AbortCause, AbortedRun } from './aborted-run.ts'
import { type EndingRun, endRun, endUnreadable } from './end-run.ts'
import { FinalWrites } from './final-writes.ts'
import { heartbeatEveryMs, NodeLease } from './node-lease.ts'
import { createQueueLimits } from './queue-limits.ts'
import { runClaim } from './run-claim.ts'
import { fateOf } from './run-fate.ts'
import type { WorkerDeps } from './worker-deps.ts'

const idleClaimEveryMs = 1_000
/** Time in ms that runs have to store their state when the node stops and hands them back. After
 *  this time the node stops without them. */
const releaseMs = 5_000
const usualStopWithinMs = 60_000
const reportMissingEveryMs = 60_000

interface Run {
  controller: AbortController
  done: Promise<void>
}

interface Queue {
  /** Number of runs of the queue in progress. */
  busy: number
  isClaiming: boolean
  /** True when another claim must follow, because a job became due during the current one. */
  again: boolean
}

interface QueueClaim {
  name: string
  queue: Queue
  free: number
  accountSlots: number | undefined
}

/** Claims due jobs from the queues of all drivers, runs them, and renews the leases of this
 *  node. */
export class Worker {
  readonly #deps: WorkerDeps
  readonly #duty: Duty
  readonly #alarm: StoreAlarm
  readonly #limits: ReturnType<typeof createQueueLimits>
  readonly #lease: NodeLease
  readonly #runs = new Map<string, Run>()
  /** Ids of tasks that were cancelled while a claim was in progress. The claim may have read such a
   *  task as it was before the cancel, so its run is stopped as soon as it starts. */
  readonly #stoppedEarly = new Set<string>()
  #claimsUnderWay = 0
  /** Queues with a run or a claim in progress. */
  readonly #queues = new Map<string, Queue>()
  readonly #timers: NodeJS.Timeout[] = []
  #isOpen = false
  /** For each model that no target serves now: the time at which it was last logged that tasks
   *  wait for the model. */
  readonly #missingReportedAt = new Map<string, number>()
  #unsubscribe = () => {}
  readonly #stopped = new AbortController()
  readonly #ends: FinalWrites

  constructor(deps: WorkerDeps) {
    const { store, clock, log, facts, duty = new Duty(), alarm = createStoreAlarm(deps) } = deps
    this.#deps = deps
    this.#duty = duty
    this.#alarm = alarm
    this.#limits = createQueueLimits(deps)
    const running = () => this.running()
    const onFenced = () => this.#abortAll('fenced')
    this.#lease = new NodeLease({ store, clock, log, alarm, facts, running, onFenced, onOrder: order => duty.follow(order) })
    this.#ends = new FinalWrites('ends of runs', { alarm, signal: this.#stopped.signal })
  }

  start(): void {
    this.#isOpen = true
    this.#unsubscribe = this.#deps.store.subscribe(signal => {
      if (signal.kind === 'job') void this.#claimFor(signal.queue)
      if (signal.kind === 'cancel') this.#cancel(signal.taskId)
      if (signal.kind === 'unreadable') void this.#endDamaged(signal.job)
      if (signal.kind === 'order' && signal.node === this.#deps.facts?.().name) this.#duty.follow(signal.order)
    })
    this.#duty.onChange(() => void this.#reportDuty())
    // Tasks past their deadline are ended before the first claim. Otherwise a task whose run
    // crashes the program would be run again after every start.
    void this.#beatAndMend().then(() => this.#claimAll())
    this.#every(heartbeatEveryMs, () => void this.#beatAndMend())
    this.#every(idleClaimEveryMs, () => void this.#beatLateAndClaim())
  }

  /** Stops claiming and lets the runs finish for `graceMs`. Then hands back the jobs of the runs
   *  that have not finished; their generations continue at the upstreams. */
  async stop(graceMs: number): Promise<void> {
    this.#isOpen = false
    await this.#endWithin(graceMs)
    this.#abortAll('draining')
    await this.#endWithin(releaseMs)
    this.#stopped.abort()
    this.#unsubscribe()
    for (const timer of this.#timers) clearInterval(timer)
    const taskIds = [...this.#runs.keys()]
    if (taskIds.length > 0) this.#deps.log.warn({ taskIds }, 'runs did not let themselves be stopped; their tasks are handed back')
  }

  /** Hands back all leases of this node, including those of webhook deliveries; called last. */
  async release(): Promise<void> {
    const { store, clock, log } = this.#deps
    const released = await store.release(this.#lease.id, clock.now())
    if (released > 0) log.info({ released }, 'jobs handed back')
  }

  /** Returns the id under which this node has its leases. */
  nodeId(): string {
    return this.#lease.id
  }

  running(): number {
    return this.#runs.size
  }

  async #claimFor(name: string): Promise<void> {
    if (!this.#isOpen) return
    const queue = this.#queues.get(name) ?? { busy: 0, isClaiming: false, again: false }
    this.#queues.set(name, queue)
    if (queue.isClaiming) {
      queue.again = true
      return
    }
    queue.isClaiming = true
    try {
      do queue.again = false
      while ((await this.#fill(name, queue)) && queue.again && this.#isOpen)
    } catch (error) {
      this.#alarm.failed(`claims of ${name}`, error)
    } finally {
      queue.isClaiming = false
      if (queue.busy === 0) this.#queues.delete(name)
    }
  }

  /** Claims jobs for the free slots of a queue. False when the claim has filled all slots, or when
   *  no slot was free. */
  async #fill(name: string, queue: Queue): Promise<boolean> {
    const { slots, accountSlots } = this.#limits.limitsOf(name)
    const free = slots - queue.busy
    return free > 0 && (await this.#claimInto({ name, queue, free, accountSlots })) !== free
  }

  /** Starts the runs of the claimed jobs, and returns their number. */
  async #claimInto({ name, queue, free, accountSlots }: QueueClaim): Promise<number> {
    const { store, clock } = this.#deps
    const holder = this.#lease.id
    this.#claimsUnderWay += 1
    try {
      const now = clock.now()
      const claims = await (this.#takes(name)
        ? store.claim(name, holder, free, now, accountSlots)
        : store.claimPinned(name, holder, free, now))
      this.#alarm.worked(`claims of ${name}`)
      // The claim is dropped in two cases. When the worker was stopped during the claim, `release`
      // hands back the leases. When the node has given up the id that it used for the claim, other
      // nodes take the jobs once that id is declared dead.
      if (!this.#isOpen || holder !== this.#lease.id) return 0
      for (const claim of claims) {
        queue.busy += 1
        this.#startRun(claim, () => {
          queue.busy -= 1
          void this.#claimFor(name)
        })
      }
      return claims.length
    } finally {
      this.#claimsUnderWay -= 1
      if (this.#claimsUnderWay === 0) this.#stoppedEarly.clear()
    }
  }

  /** Returns true when this node takes jobs of this queue from the store. It takes none while blobs
   *  cannot be used, because the runs could neither read their inputs nor store their results. Jobs
   *  whose callers wait at this node are taken in any case. */
  #takes(queue: string): boolean {
    const { roles = nodeRoles, blobProblem } = this.#deps
    if (blobProblem?.() !== undefined) return false
    return this.#duty.state !== 'draining' && roles.includes(isEngineQueue(queue) ? 'engines' : 'work')
  }

  /** Claims from all queues of the store, including those of targets that are no longer
   *  configured and those that an older version created. */
  async #claimAll(): Promise<void> {
    try {
      for (const name of await this.#deps.store.queues()) void this.#claimFor(name)
      this.#alarm.worked('looks for queues')
    } catch (error) {
      this.#alarm.failed('looks for queues', error)
    }
  }

  #startRun(claim: Claim, release: () => void): void {
    const { clock, store, stopWithinMs = usualStopWithinMs } = this.#deps
    const { task } = claim
    const controller = new AbortController()
    const { signal } = controller
    const leftMs = Math.max(0, Math.min(task.deadlineAt - clock.now(), 2 ** 31 - 1))
    const deadline = setTimeout(() => controller.abort(new AbortedRun('expired')), leftMs)
    // A run that never ends must not keep the program from exiting.
    deadline.unref()
    // The task was cancelled or has expired before the claim. Its run only stops the generation at
    // the upstream.
    if (task.state === 'cancelling' || this.#stoppedEarly.has(task.id)) controller.abort(new AbortedRun('cancelled'))
    else if (leftMs === 0) controller.abort(new AbortedRun('expired'))
    const fate = fateOf(claim)
    const running = runClaim(this.#deps, claim, fate, signal)
    const done = endOrTimeout(running, { signal, withinMs: stopWithinMs, onStuck: () => this.#reportStuck(claim) })
      .catch(error => this.#storeEnd({ store, clock, claim, fate, signal }, error))
      .finally(() => {
        clearTimeout(deadline)
        if (this.#runs.get(task.id) === run) this.#runs.delete(task.id)
        release()
      })
    const run: Run = { controller, done }
    this.#runs.set(task.id, run)
  }

  #abort(taskId: string, why: AbortCause): void {
    this.#runs.get(taskId)?.controller.abort(new AbortedRun(why))
  }

  #abortAll(why: AbortCause): void {
    for (const taskId of this.#runs.keys()) this.#abort(taskId, why)
  }

  #cancel(taskId: string): void {
    this.#abort(taskId, 'cancelled')
    if (this.#claimsUnderWay > 0) this.#stoppedEarly.add(taskId)
  }

  #reportStuck({ task: { id } }: Claim): void {
    this.#deps.log.warn({ taskId: id }, 'a run did not let itself be stopped; its slot is free without it')
  }

  #reportMissing(model: string, { message }: NotServedError): void {
    const now = this.#deps.clock.now()
    if (now - (this.#missingReportedAt.get(model) ?? 0) < reportMissingEveryMs) return
    this.#missingReportedAt.set(model, now)
    this.#deps.log.warn({ model, reason: message }, 'tasks wait for their model')
  }

  async #storeEnd(run: EndingRun, error: unknown): Promise<void> {
    const { task, attempt } = run.claim
    const failure = toGatewayError(error)
    const fields = { code: failure.code, taskId: task.id, attempt }
    if (failure instanceof NotServedError) this.#reportMissing(task.model, failure)
    else if (isStoreUnavailable(failure))
      this.#alarm.missed(run.fate.isPrepared ? 'a run could not store what it made' : 'a run waits for its inputs', failure, fields)
    else if (!run.signal.aborted) this.#deps.log.warn({ err: failure.cause ?? failure, ...fields }, 'a run failed')
    await this.#ends.make(() => endRun(run, failure))
  }

  async #endDamaged(job: UnreadableJob): Promise<void> {
    const { store, clock, log } = this.#deps
    log.error({ err: job.error, taskId: job.taskId, isPassing: job.isPassing }, 'a claimed task cannot be read')
    await this.#ends.make(() => endUnreadable({ store, clock }, job))
  }

  async #beatAndMend(): Promise<void> {
    await this.#lease.beat()
    await this.#mend()
  }

  /** Sends a heartbeat at once, so that other nodes and operators see that this node drains or
   *  takes work again. */
  async #reportDuty(): Promise<void> {
    if (!this.#isOpen) return
    this.#deps.log.info({ state: this.#duty.state }, 'this node has changed its state')
    await this.#lease.beat()
    await this.#claimAll()
  }

  /** Claims from all queues. When the last heartbeat failed, sends another one first, because
   *  without a live heartbeat nothing can be claimed. */
  async #beatLateAndClaim(): Promise<void> {
    if (this.#lease.isLate) await this.#beatAndMend()
    await this.#claimAll()
  }

  /** Takes over jobs of dead nodes, and ends tasks that are past their deadline. */
  async #mend(): Promise<void> {
    const { store, clock, log } = this.#deps
    const now = clock.now()
    try {
      const requeued = await store.requeueDead(now)
      if (requeued > 0) log.warn({ requeued }, 'jobs of dead nodes made ready again')
      for (const id of await store.expireOverdue(now, 500)) this.#abort(id, 'expired')
      this.#alarm.worked('looks for dead nodes and late tasks')
    } catch (error) {
      this.#alarm.failed('looks for dead nodes and late tasks', error)
    }
  }

  /** Resolves when no run is left, or after `ms`. */
  #endWithin(ms: number): Promise<void> {
    return waitAtMost(ms, Promise.all([...this.#runs.values()].map(run => run.done)))
  }

  #every(ms: number, work: () => void): void {
    const timer = setInterval(work, ms)
    timer.unref()
    this.#timers.push(timer)
  }
}

/** Resolves when the run has ended. When the run was aborted and has not ended `withinMs` after
 *  that, rejects with the signal's reason. */
async function endOrTimeout(
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
