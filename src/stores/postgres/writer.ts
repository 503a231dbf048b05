import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Client } from 'pg'
import type { StoreSignal } from '../../core/ports/store.ts'
import type { Answer, Call, OperationName, Operations } from '../sql/operations.ts'
import { closedStore, type PendingCall, pendingCall, settleCalls } from '../sql/pending-call.ts'
import { runSteps, type StepStatement, type Steps } from '../sql/steps.ts'
import { number } from '../sql/values.ts'
import { WriteContext } from '../sql/write/context.ts'
import { prepareGuarded } from '../sql/write/guarded.ts'
import { createRunCalls, type RunCalls } from '../sql/write/handlers.ts'
import type { Writer } from '../sql/writer.ts'
import { PostgresConnection, type SendQuery } from './connection.ts'
import { describeFault, faultKind, unavailable } from './faults.ts'
import type { PostgresLink } from './link.ts'
import { channel, notify, payloadsOf } from './notices.ts'
import type { Outage } from './outage.ts'
import { changesRow } from './watch.ts'

/** Calls of one transaction: with more, the first of them would wait too long for the last. */
const callsPerTransaction = 256
/** Times a transaction is run again that another one has rolled back. */
const retriesAtMost = 5
/** Key of the lock that every writing transaction of the database holds (decision 0048). */
const writeLock = 7_264_001

/** Writes after which other nodes must forget what they have cached. */
const accessCalls: ReadonlySet<OperationName> = new Set<OperationName>([
  'putRow',
  'revokeKey',
  'removeTokenSecret',
  'removeEndpoint',
  'applyFile',
])
const countChange = `INSERT INTO meta (name, value) VALUES (?, '1')
  ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT) RETURNING CAST(value AS BIGINT) AS changes`

interface WriterOptions {
  /** Id of this opening of the store. */
  session: string
  outage: Outage
  /** Gets the signals of each commit once its callers have their answers; the other nodes get them
   *  as notifications. */
  onCommit(...signals: StoreSignal[]): void
  /** Gets the number of changes of accounts, keys, endpoints and signing keys after a commit with
   *  one, before its callers have their answers. */
  onChange(count: number): void
}

interface Committed {
  answers: Answer[]
  signals: StoreSignal[]
  /** Number of changes of accounts, keys, endpoints and signing keys so far, when there was one. */
  changes: number | undefined
}

/** Runs the waiting calls in one transaction after the other, on a connection of its own. Every
 *  transaction holds the same lock, so reading before writing is as safe as on SQLite: the writers
 *  of all nodes take turns. */
export class PostgresWriter implements Writer {
  readonly #link: PostgresLink
  readonly #options: WriterOptions
  readonly #context: WriteContext
  readonly #runCalls: RunCalls
  readonly #runGuarded: (call: Call) => Steps<Answer>
  readonly #begin: StepStatement
  readonly #lock: StepStatement
  readonly #notify: StepStatement
  readonly #countChange: StepStatement
  readonly #queued: PendingCall[] = []
  #client: Client | undefined
  #working: Promise<void> | undefined
  #isClosed = false

  constructor(link: PostgresLink, options: WriterOptions) {
    this.#link = link
    this.#options = options
    // Statements stay on the connection of their transaction, also when it is lost in the middle.
    const send: SendQuery = query => this.#client?.query(query) ?? Promise.reject(new Error('Connection terminated'))
    const context = new WriteContext(new PostgresConnection(send))
    const isOperation = (error: unknown) => faultKind(error) === 'operation'
    this.#context = context
    this.#runCalls = createRunCalls(context)
    this.#runGuarded = prepareGuarded(context, this.#runCalls, { isOperation, describe: describeFault })
    this.#begin = context.prepare('BEGIN')
    this.#lock = context.prepare('SELECT pg_advisory_xact_lock(?)')
    this.#notify = context.prepare(notify)
    this.#countChange = context.prepare(countChange)
  }

  run<Name extends OperationName>(name: Name, input: Operations[Name]['input']): Promise<Operations[Name]['output']> {
    if (this.#isClosed) return Promise.reject(closedStore())
    if (this.isAway()) return Promise.reject(this.#options.outage.refusal())
    const { pending, output } = pendingCall(name, input)
    this.#queued.push(pending)
    this.#working ??= this.#work()
    return output
  }

  assertWritable(): void {
    if (this.#isClosed) throw closedStore()
    if (this.isAway()) throw this.#options.outage.refusal()
  }

  isAway(): boolean {
    return this.#options.outage.isOn
  }

  /** Writes the waiting calls. The caller closes the link. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#working
  }

  async #work(): Promise<void> {
    // Calls of the same turn of the event loop share the first transaction.
    await Promise.resolve()
    while (this.#queued.length > 0) {
      const batch = this.#queued.splice(0, callsPerTransaction)
      try {
        const { answers, signals, changes } = await this.#commit(batch.map(({ call }) => call))
        if (changes !== undefined) this.#options.onChange(changes)
        settleCalls(batch, answers)
        this.#options.onCommit(...signals)
      } catch (error) {
        const refusal = toRefusal(error)
        for (const { reject } of batch) reject(refusal)
      }
    }
    this.#working = undefined
  }

  async #commit(calls: readonly Call[]): Promise<Committed> {
    for (let retries = 0; ; retries++) {
      try {
        return await this.#transact(calls, retries > 0)
      } catch (error) {
        const kind = faultKind(error)
        if (kind === 'lost') this.#link.drop()
        // The first run stops at a call that fails; the second finds it and keeps the others.
        const isWorthwhile = kind === 'retry' || (kind === 'operation' && retries === 0)
        if (!isWorthwhile || retries >= retriesAtMost) throw error
      }
    }
  }

  /** Runs the calls in one transaction. `isGuarded`: a call that fails changes nothing and answers
   *  with its error; otherwise it fails them all. */
  async #transact(calls: readonly Call[], isGuarded: boolean): Promise<Committed> {
    const client = await this.#link.client()
    this.#client = client
    const context = this.#context
    try {
      this.#begin.send()
      this.#lock.send(writeLock)
      const answers = isGuarded ? await this.#runEach(calls) : await runSteps(this.#runCalls(calls))
      const hasChanges = calls.some(({ name }) => accessCalls.has(name))
      const changes = hasChanges ? await runSteps(this.#countOne()) : undefined
      const signals = context.takeSignals()
      // The other nodes get them after the commit.
      for (const payload of payloadsOf({ session: this.#options.session, signals, hasChanges, news: [] }))
        this.#notify.send(channel, payload)
      const committed = client.query('COMMIT')
      // Handled below, after an earlier statement's failure as well.
      committed.catch(() => {})
      await runSteps(context.sentReplies())
      // A transaction with a failed statement is rolled back by its commit, without an error.
      if ((await committed).command !== 'COMMIT') throw new Error('The transaction was rolled back.')
      return { answers, signals, changes }
    } catch (error) {
      const cause = await runSteps(context.causeOf(error))
      context.takeSignals()
      await client.query('ROLLBACK').catch(() => this.#link.drop())
      throw cause
    } finally {
      this.#client = undefined
    }
  }

  /** Runs each call by itself. */
  async #runEach(calls: readonly Call[]): Promise<Answer[]> {
    const answers: Answer[] = []
    for (const call of calls) answers.push(await runSteps(this.#runGuarded(call)))
    return answers
  }

  *#countOne(): Steps<number> {
    return number((yield* this.#countChange.get(changesRow)) ?? {}, 'changes')
  }
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
