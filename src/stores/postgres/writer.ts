import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Client } from 'pg'
import type { StoreSignal } from '../../core/ports/store.ts'
import type { Answer, Call, OperationName, Operations } from '../sql/operations.ts'
import { runSteps } from '../sql/steps.ts'
import { WriteContext } from '../sql/write/context.ts'
import { createRunCall, type RunCall } from '../sql/write/handlers.ts'
import type { Writer } from '../sql/writer.ts'
import { PostgresConnection } from './connection.ts'
import { describeFault, faultKind, isEcho } from './faults.ts'
import type { PostgresLink } from './link.ts'
import { changesRow, channel, type Notice } from './watch.ts'

/** Calls of one transaction: with more, the first of them would wait too long for the last. */
const callsPerTransaction = 256
/** Times a transaction is run again that another one has rolled back. */
const retriesAtMost = 5
/** Key of the lock that every writing transaction of the database holds (decision 0048). */
export const writeLock = 7_264_001

/** Writes after which other nodes must forget what they have cached. */
const accessCalls: ReadonlySet<OperationName> = new Set<OperationName>([
  'putRow',
  'revokeKey',
  'removeTokenSecret',
  'removeEndpoint',
  'applyFile',
])
const countChange = `INSERT INTO meta (name, value) VALUES ($1, '1')
  ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT) RETURNING CAST(value AS BIGINT) AS changes`

interface WriterOptions {
  /** Id of this opening of the store. */
  session: string
  /** Gets the signals of each commit once its callers have their answers; the other nodes get them
   *  as notifications. */
  onCommit(signals: StoreSignal[]): void
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

interface PendingCall {
  call: Call
  resolve: (value: Operations[OperationName]['output']) => void
  reject: (error: GatewayError) => void
}

/** Runs the waiting calls in one transaction after the other, on a connection of its own. Every
 *  transaction holds the same lock, so reading before writing is as safe as on SQLite: the writers
 *  of all nodes take turns. */
export class PostgresWriter implements Writer {
  readonly #link: PostgresLink
  readonly #context: WriteContext
  readonly #runCall: RunCall
  readonly #options: WriterOptions
  readonly #queued: PendingCall[] = []
  #client: Client | undefined
  #working: Promise<void> | undefined
  #isClosed = false

  constructor(link: PostgresLink, options: WriterOptions) {
    this.#link = link
    this.#options = options
    // Statements stay on the connection of their transaction, also when it is lost in the middle.
    this.#context = new WriteContext(
      new PostgresConnection(query => this.#client?.query(query) ?? Promise.reject(new Error('Connection terminated'))),
    )
    this.#runCall = createRunCall(this.#context)
  }

  run<Name extends OperationName>(name: Name, input: Operations[Name]['input']): Promise<Operations[Name]['output']> {
    const { promise, resolve, reject } = Promise.withResolvers<Operations[Name]['output']>()
    if (this.#isClosed) {
      reject(closed())
      return promise
    }
    // The compiler cannot follow the types through the queue, hence the casts: each call is
    // answered with its own output.
    this.#queued.push({ call: { name, input } as Call, resolve: resolve as PendingCall['resolve'], reject })
    this.#working ??= this.#work()
    return promise
  }

  assertWritable(): void {
    if (this.#isClosed) throw closed()
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
        settle(batch, answers)
        if (signals.length > 0) this.#options.onCommit(signals)
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
      // One message: the answers to these need not be waited for.
      const begun = [client.query('BEGIN'), client.query({ name: 'lock', text: 'SELECT pg_advisory_xact_lock($1)', values: [writeLock] })]
      for (const reply of begun) reply.catch(() => {})
      const answers: Answer[] = []
      for (const call of calls) answers.push(isGuarded ? await this.#guarded(client, call) : await runSteps(this.#runCall(call)))
      const signals = context.takeSignals()
      const hasChanges = calls.some(({ name }) => accessCalls.has(name))
      const counted = hasChanges ? client.query({ name: 'count', text: countChange, values: [changesRow] }) : undefined
      counted?.catch(() => {})
      const sent: Promise<unknown>[] = [...begun, ...context.takeSent(), ...this.#notify(client, { signals, hasChanges })]
      const committed = client.query('COMMIT')
      // Handled below, after an earlier statement's failure as well.
      committed.catch(() => {})
      await Promise.all(sent)
      // A transaction with a failed statement is rolled back by its commit, without an error.
      if ((await committed).command !== 'COMMIT') throw new Error('The transaction was rolled back.')
      return { answers, signals, changes: (await counted)?.rows[0]?.changes }
    } catch (error) {
      await this.#rollBack(client)
      throw error
    } finally {
      this.#client = undefined
    }
  }

  async #rollBack(client: Client): Promise<void> {
    const sent = this.#context.takeSent()
    this.#context.takeSignals()
    try {
      await Promise.allSettled(sent)
      await client.query('ROLLBACK')
    } catch (error) {
      if (faultKind(error) === 'lost') this.#link.drop()
    }
  }

  async #guarded(client: Client, call: Call): Promise<Answer> {
    const context = this.#context
    const earlier = { signals: context.takeSignals(), sent: context.takeSent() }
    await Promise.all(earlier.sent)
    await client.query('SAVEPOINT one_call')
    try {
      const answer = await runSteps(this.#runCall(call))
      await Promise.all(context.takeSent())
      await client.query('RELEASE one_call')
      const own = context.takeSignals()
      for (const signal of [...earlier.signals, ...own]) context.signal(signal)
      return answer
    } catch (error) {
      if (faultKind(error) !== 'operation') throw error
      const failures = await Promise.allSettled(context.takeSent())
      context.takeSignals()
      for (const signal of earlier.signals) context.signal(signal)
      await client.query('ROLLBACK TO one_call')
      await client.query('RELEASE one_call')
      const first = failures.find(reply => reply.status === 'rejected' && !isEcho(reply.reason))
      return { error: describeFault(isEcho(error) && first?.status === 'rejected' ? first.reason : error) }
    }
  }

  /** Sends the signals to the other nodes, which get them after the commit. */
  #notify(client: Client, notice: Omit<Notice, 'session'>): Promise<unknown>[] {
    return payloadsOf({ session: this.#options.session, ...notice }).map(payload => {
      const sent = client.query({ name: 'notify', text: 'SELECT pg_notify($1, $2)', values: [channel, payload] })
      sent.catch(() => {})
      return sent
    })
  }
}

/** A payload has less than 8,000 bytes; names of queues and tasks are ASCII. */
const signalsPerPayload = 40

function payloadsOf({ session, signals, hasChanges }: Notice): string[] {
  const payloads: string[] = hasChanges ? [JSON.stringify({ session, signals: [], hasChanges })] : []
  for (let at = 0; at < signals.length; at += signalsPerPayload)
    payloads.push(JSON.stringify({ session, signals: signals.slice(at, at + signalsPerPayload), hasChanges: false }))
  return payloads
}

function settle(batch: readonly PendingCall[], answers: readonly Answer[]): void {
  answers.forEach((answer, index) => {
    if ('value' in answer) batch[index]?.resolve(answer.value)
    else batch[index]?.reject(new GatewayError('internal_error', 'The store refused the write.', { cause: answer.error }))
  })
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
      return new GatewayError('store_unavailable', 'The database does not answer.', { cause, retryAfterSeconds: 2 })
  }
}

function closed(): GatewayError {
  return new GatewayError('store_unavailable', 'The store is closed.')
}
