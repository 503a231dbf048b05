import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { StoreSignal } from '../../core/ports/store.ts'
import type { Call, OperationName, Operations } from '../sql/operations.ts'
import { closedStore, type PendingCall, pendingCall, settleCalls } from '../sql/pending-call.ts'
import type { Writer } from '../sql/writer.ts'
import type { DatabaseClock } from './database-clock.ts'
import { describeFault, faultKind, unavailable } from './faults.ts'
import type { PostgresLink } from './link.ts'
import type { Outage } from './outage.ts'
import { CommitInDoubt, type Committed, Transactions } from './transactions.ts'

/** Calls of one transaction: with more, the first of them would wait too long for the last. */
const callsPerTransaction = 256
/** Times a transaction is run again that another one has rolled back. */
const retriesAtMost = 5
/** Wait before the outcome of a lost commit is asked for again. */
const askAgainMs = 200

/** Writes that their callers repeat until they succeed, and that count twice when both tries were
 *  committed: they wait until the outcome of a lost commit is known. */
const patientCalls: ReadonlySet<OperationName> = new Set<OperationName>(['recordCalls'])

/** Writes that take work, or judge others, by the time of this node. */
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

/** Settings of the writing connection. Its statements find few rows, each by an index, but a
 *  plan that was made while a table was small, and read it whole, is kept when the table has
 *  grown. */
export const writerSetUp = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'material']
  .map(method => `SET enable_${method} = off`)
  .concat('SET jit = off', 'SET plan_cache_mode = force_generic_plan')
  .join('; ')

interface WriterOptions {
  /** Id of this opening of the store. */
  session: string
  outage: Outage
  /** Time for which callers wait for the outcome of a lost commit. */
  doubtMs: number
  /** Refuses timed calls after a jump. */
  clock: DatabaseClock | undefined
  /** Gets the signals of each commit once its callers have their answers. */
  onCommit(...signals: StoreSignal[]): void
  /** Gets the number of changes of accounts, keys, endpoints and signing keys after a commit with
   *  one, before its callers have their answers. */
  onChange(count: number): void
}

/** Runs the waiting calls in one transaction after the other, on a connection of its own. */
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

  /** Writes the waiting calls. The caller closes the link. */
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
        // Each batch would wait for a connection of its own.
        refuse(this.#queued.splice(0), this.#options.outage.refusal())
        break
      }
      const batch = this.#queued.splice(0, callsPerTransaction)
      const doubt = await this.#write(batch)
      if (doubt) await this.#resolve(batch, doubt)
    }
    this.#working = undefined
  }

  /** Writes and answers the calls; returns the doubt when it is not known if they were written. */
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
        // A lost connection is opened anew once: the server may have closed an idle one. The first
        // run stops at a call that fails; the second finds it and keeps the others.
        const isWorthwhile = kind === 'retry' || (kind === 'lost' && retries === 0) || (kind === 'operation' && !isGuarded)
        if (!isWorthwhile || retries >= retriesAtMost) throw error
        isGuarded = isGuarded || kind === 'operation'
      }
    }
  }

  /** Finds out if a batch was committed, and then answers it or writes it again. Meanwhile further
   *  calls are refused while the database cannot be reached. After a while callers are refused
   *  whose calls nobody repeats unasked. */
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
        // Callers that repeat their calls may do so now.
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

  /** Ends the holds of calls that were refused and committed all the same: their callers are
   *  gone. */
  #undo(refused: readonly PendingCall[]): void {
    const ends = refused.flatMap(({ call }) =>
      call.name === 'reserve' ? [{ id: call.input.record.holdId ?? call.input.record.requestId, used: [] }] : [],
    )
    if (ends.length === 0) return
    const { pending, output } = pendingCall('endHolds', { ends })
    output.catch(() => {})
    this.#add(pending)
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
