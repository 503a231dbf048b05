import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { HoldEnd, StoreSignal } from '../../core/ports/store.ts'
import type { Call, OperationName, Operations } from '../sql/operations.ts'
import { closedStore, type PendingCall, pendingCall, settleCalls } from '../sql/pending-call.ts'
import { holdIdOf } from '../sql/write/call-holds.ts'
import type { Writer } from '../sql/writer.ts'
import type { DatabaseClock } from './database-clock.ts'
import { describeFault, faultKind, unavailable } from './faults.ts'
import type { PostgresLink } from './link.ts'
import type { Outage } from './outage.ts'
import { CommitInDoubt, type Committed, Transactions } from './transactions.ts'

/** Largest number of calls in one transaction. With more, the first call would wait too long for
 *  the last one. */
const callsPerTransaction = 256
/** Number of times that a transaction is repeated when the server has rolled it back because of
 *  another transaction. */
const retriesAtMost = 5
/** Pause in milliseconds before the writer checks again whether a commit without an answer has
 *  taken effect. */
const askAgainMs = 200
/** Pause in milliseconds before an undo that could not be written is tried again. */
const undoAgainMs = 1_000

/** Writes that their callers repeat until they succeed. If such a write were committed twice, it
 *  would be counted twice. So when the answer to its commit is lost, the caller waits without a
 *  time limit until the outcome is known or the store is closed. */
const patientCalls: ReadonlySet<OperationName> = new Set<OperationName>(['recordCalls'])

/** Writes that depend on this node's time: they accept or claim work, extend leases, or decide
 *  what has expired. */
const timedCalls: ReadonlySet<OperationName> = new Set<OperationName>([
  'submit',
  'reserve',
  'claim',
  'claimWebhooks',
  'heartbeat',
  'requeueDead',
  'expireOverdue',
  'sweep',
  'sweepCalls',
  'sweepResponses',
])

/** Settings of the connection for writes. Its statements find few rows, each through an index.
 *  Without these settings, a plan that was made while a table was small, and that reads the
 *  whole table, would still be used when the table has grown. */
export const writerSetUp = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'material']
  .map(method => `SET enable_${method} = off`)
  .concat('SET jit = off', 'SET plan_cache_mode = force_generic_plan')
  .join('; ')

interface WriterOptions {
  /** Id of the session; each opening of the store by a process is a session of its own. */
  session: string
  outage: Outage
  /** Time in milliseconds for which callers wait for the outcome of a commit whose answer was
   *  lost. */
  doubtMs: number
  /** The estimate of the database's clock. After a jump of the node's clocks, calls that depend
   *  on the time are refused. Undefined when the store has another clock. */
  clock: DatabaseClock | undefined
  /** Returns the store's time in Unix milliseconds. */
  now(): number
  /** Receives the signals of each commit, after its callers have been answered. */
  onCommit(...signals: StoreSignal[]): void
  /** Receives, after a commit that changed accounts, keys, endpoints or signing keys, the total
   *  number of such changes in the database. Called before the callers are answered. */
  onChange(count: number): void
}

/** Runs the waiting calls in batches, one transaction after another, on a connection of its own. */
export class PostgresWriter implements Writer {
  readonly #link: PostgresLink
  readonly #options: WriterOptions
  readonly #transactions: Transactions
  readonly #queued: PendingCall[] = []
  #working: Promise<void> | undefined
  #isClosed = false

  constructor(link: PostgresLink, options: WriterOptions) {
    this.#link = link
    this.#options = options
    this.#transactions = new Transactions(link, options.session)
  }

  run<Name extends OperationName>(name: Name, input: Operations[Name]['input']): Promise<Operations[Name]['output']> {
    try {
      if (timedCalls.has(name)) this.assertWritable()
      else this.#assertOpen()
    } catch (error) {
      return Promise.reject(error)
    }
    const { pending, output } = pendingCall(name, input)
    this.#add(pending)
    return output
  }

  assertWritable(): void {
    this.#assertOpen()
    this.#options.clock?.assertMeasured()
  }

  isAway(): boolean {
    return this.#options.outage.isOn
  }

  /** Writes the calls that are waiting, and accepts no others. The caller closes the connection. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#working
  }

  #assertOpen(): void {
    if (this.#isClosed) throw closedStore()
    if (this.isAway()) throw this.#options.outage.refusal()
  }

  #add(pending: PendingCall): void {
    this.#queued.push(pending)
    this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    // Calls of the same turn of the event loop share the first transaction.
    await Promise.resolve()
    while (this.#queued.length > 0) {
      if (this.isAway()) {
        // The waiting calls are refused, because each batch of them would first wait for a
        // connection.
        refuse(this.#queued.splice(0), this.#options.outage.refusal())
        break
      }
      const batch = this.#queued.splice(0, callsPerTransaction)
      const doubt = await this.#write(batch)
      if (doubt) await this.#resolve(batch, doubt)
    }
    this.#working = undefined
  }

  /** Writes the calls and answers their callers. Returns the error when it is not known whether
   *  the calls were written. */
  async #write(batch: readonly PendingCall[]): Promise<CommitInDoubt | undefined> {
    try {
      this.#answer(batch, await this.#commit(batch.map(({ call }) => call)))
    } catch (error) {
      if (error instanceof CommitInDoubt) return error
      refuse(batch, error)
    }
    return undefined
  }

  #answer(batch: readonly PendingCall[], { answers, signals, changes }: Committed): void {
    this.#options.outage.end()
    if (changes !== undefined) this.#options.onChange(changes)
    settleCalls(batch, answers)
    this.#options.onCommit(...signals)
  }

  async #commit(calls: readonly Call[]): Promise<Committed> {
    let isGuarded = false
    for (let retries = 0; ; retries++) {
      try {
        return await this.#transactions.run(calls, isGuarded)
      } catch (error) {
        const kind = faultKind(error)
        if (error instanceof CommitInDoubt || kind === 'lost') this.#link.drop()
        if (error instanceof CommitInDoubt || error instanceof GatewayError) throw error
        // After a lost connection the batch is tried once more, because the server may have closed
        // an idle connection. After a failed call the batch is run again in guarded form, which
        // finds the failed call and writes the others.
        const isWorthwhile = kind === 'retry' || (kind === 'lost' && retries === 0) || (kind === 'operation' && !isGuarded)
        if (!isWorthwhile || retries >= retriesAtMost) throw error
        isGuarded = isGuarded || kind === 'operation'
      }
    }
  }

  /** Finds out whether a batch was committed, and then answers its callers or writes it again.
   *  While the database cannot be reached, calls that arrive meanwhile are refused. When the
   *  outcome is still unknown after `doubtMs`, the callers of the batch get an error, except
   *  those of `patientCalls`. */
  async #resolve(batch: readonly PendingCall[], doubt: CommitInDoubt): Promise<void> {
    const since = performance.now()
    const isOver = () => performance.now() - since >= this.#options.doubtMs
    let refused: readonly PendingCall[] = []
    for (let current: CommitInDoubt | undefined = doubt; current !== undefined; ) {
      try {
        if (await this.#transactions.isCommitted(current.batch)) {
          this.#answer(batch, current.committed)
          this.#undo(refused)
          return
        }
        // The batch was not committed, so callers may safely repeat their calls.
        if (isOver()) return refuse(batch, unavailable(current.cause))
        current = await this.#write(batch)
      } catch (error) {
        if (faultKind(error) === 'lost') this.#link.drop()
        refuse(this.#queued.splice(0), error)
        if (isOver() && this.#isClosed) return refuse(batch, error)
        if (isOver() && refused.length === 0) {
          refused = batch.filter(({ call }) => !patientCalls.has(call.name))
          refuse(refused, error)
        }
        await sleep(askAgainMs)
      }
    }
  }

  /** Handles calls that were committed although their callers have already received an error. Ends
   *  the holds and cancels the tasks that these calls created. A task with an idempotency key or a
   *  client reference stays, because its caller can find it again. */
  #undo(refused: readonly PendingCall[]): void {
    const now = this.#options.now()
    const ends: HoldEnd[] = []
    for (const { call } of refused) {
      if (call.name === 'reserve') ends.push({ id: holdIdOf(call.input.record), used: [] })
      // When the quota refused such a submit, there is no task, and the cancel changes nothing.
      if (call.name === 'submit' && call.input.idempotency === null && call.input.clientReference === null)
        void this.#untilWritten('cancel', { taskId: call.input.id, now })
    }
    if (ends.length > 0) void this.#untilWritten('endHolds', { ends })
  }

  /** Repeats the call until it is written or the store is closed. */
  async #untilWritten<Name extends OperationName>(name: Name, input: Operations[Name]['input']): Promise<void> {
    do {
      const { pending, output } = pendingCall(name, input)
      this.#add(pending)
      const isWritten = await output.then(
        () => true,
        () => false,
      )
      if (isWritten) return
      await sleep(undoAgainMs, undefined, { ref: false })
    } while (!this.#isClosed)
  }
}

function refuse(calls: readonly PendingCall[], error: unknown): void {
  const refusal = toRefusal(error)
  for (const { reject } of calls) reject(refusal)
}

function toRefusal(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  const cause = describeFault(error)
  switch (faultKind(error)) {
    case 'disk-full':
      return new GatewayError('disk_full', 'The disk of the database is full; nothing was written.', { cause })
    case 'operation':
      return new GatewayError('internal_error', 'The store refused the write.', { cause })
    default:
      return unavailable(error)
  }
}
