import pg, { type Client, type QueryResult } from 'pg'
import type { StoreSignal } from '../../core/ports/store.ts'
import type { Answer, Call, OperationName } from '../sql/operations.ts'
import type { Statement } from '../sql/statements.ts'
import { runSteps, type StepStatement } from '../sql/steps.ts'
import { number } from '../sql/values.ts'
import { WriteContext } from '../sql/write/context.ts'
import { prepareGuarded } from '../sql/write/guarded.ts'
import { createRunCalls, type RunCalls } from '../sql/write/handlers.ts'
import { PostgresConnection, type SendQuery } from './connection.ts'
import { describeFault, faultKind } from './faults.ts'
import type { PostgresLink } from './link.ts'
import { changesRow } from './watch.ts'

/** Key of the lock that every writing transaction of the database holds (decision 0048). */
const writeLock = 7_264_001
/** Each statement has to see what was committed before the lock was taken, whatever the database's
 *  own default is. */
const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED'

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
/** A batch that has written nothing so far leaves no mark: it would cost a wait for the disk. */
const markBatch = `INSERT INTO writers (session, batch, at)
  SELECT ?, ?, CAST(extract(epoch FROM now()) * 1000 AS BIGINT) WHERE pg_current_xact_id_if_assigned() IS NOT NULL
  ON CONFLICT (session) DO UPDATE SET batch = excluded.batch, at = excluded.at`

/** The outcome of a batch of calls that was committed. */
export interface Committed {
  answers: Answer[]
  signals: StoreSignal[]
  /** Number of changes of accounts, keys, endpoints and signing keys so far, when there was one. */
  changes: number | undefined
}

/** The connection was lost between a COMMIT and its answer. */
export class CommitInDoubt extends Error {
  /** Number of the batch, for `isCommitted`. */
  readonly batch: number
  /** The answers, if it was committed. */
  readonly committed: Committed

  constructor(batch: number, committed: Committed, cause: unknown) {
    super('It is not known if the transaction was committed.', { cause })
    this.batch = batch
    this.committed = committed
  }
}

/** Runs batches of calls on one connection, one at a time. Every transaction holds the same lock,
 *  so reading before writing is as safe as on SQLite: the writers of all nodes take turns. */
export class Transactions {
  readonly #link: PostgresLink
  readonly #session: string
  readonly #context: WriteContext
  readonly #runTogether: RunCalls
  readonly #runGuarded: RunCalls
  readonly #begin: StepStatement
  readonly #lock: Statement
  readonly #mark: StepStatement
  readonly #findBatch: Statement
  readonly #countChange: StepStatement
  #client: Client | undefined
  #batch = 0

  /** `session`: id of this opening of the store. */
  constructor(link: PostgresLink, session: string) {
    this.#link = link
    this.#session = session
    // Statements stay on the connection of their transaction, also when it is lost in the middle.
    const send: SendQuery = query => this.#client?.query(query) ?? Promise.reject(new Error('Connection terminated'))
    const connection = new PostgresConnection(send)
    const context = new WriteContext(connection)
    const isOperation = (error: unknown) => faultKind(error) === 'operation'
    this.#context = context
    this.#runTogether = createRunCalls(context)
    this.#runGuarded = prepareGuarded(context, this.#runTogether, { isOperation, describe: describeFault })
    this.#begin = context.prepare(begin)
    this.#lock = connection.prepare('SELECT pg_advisory_xact_lock(?)')
    this.#mark = context.prepare(markBatch)
    this.#findBatch = connection.prepare('SELECT batch FROM writers WHERE session = ?')
    this.#countChange = context.prepare(countChange)
  }

  /** Runs the calls in one transaction. `isGuarded`: a call that fails changes nothing and answers
   *  with its error; otherwise it fails them all. Throws `CommitInDoubt`, or another error when
   *  nothing was written. */
  async run(calls: readonly Call[], isGuarded: boolean): Promise<Committed> {
    const batch = ++this.#batch
    return this.#transaction(async (client, locked) => {
      const committed = await this.#runCalls(calls, isGuarded)
      this.#mark.send(this.#session, batch)
      // From here on the lock is held until the transaction has ended. That makes `isCommitted`
      // certain: a transaction whose COMMIT was sent before it had the lock could still be waiting.
      await locked
      await this.#end(client, error => new CommitInDoubt(batch, committed, error))
      return committed
    })
  }

  /** True when the batch was committed, false when it was not and never will be. Call it after
   *  `CommitInDoubt`; throws when the database cannot be asked. The server's own record of
   *  transactions is not enough: after a crash it gives the ids of lost ones to others. */
  async isCommitted(batch: number): Promise<boolean> {
    return this.#transaction(async (client, locked) => {
      await locked
      const row = await this.#findBatch.get(this.#session)
      await client.query('ROLLBACK')
      return row !== undefined && number(row, 'batch') >= batch
    })
  }

  async #transaction<Result>(work: (client: Client, locked: Promise<unknown>) => Promise<Result>): Promise<Result> {
    const client = await this.#link.client()
    this.#client = client
    this.#begin.send()
    const locked = Promise.resolve(this.#lock.get(writeLock))
    // Handled by `work` and below, after an earlier failure as well.
    locked.catch(() => {})
    try {
      return await work(client, locked)
    } catch (error) {
      this.#context.takeSignals()
      if (error instanceof CommitInDoubt) throw error
      const cause = await locked.then(
        () => runSteps(this.#context.causeOf(error)),
        (reason: unknown) => reason,
      )
      this.#context.takeSent()
      await client.query('ROLLBACK').catch(() => this.#link.drop())
      throw cause
    } finally {
      this.#client = undefined
    }
  }

  async #runCalls(calls: readonly Call[], isGuarded: boolean): Promise<Committed> {
    const run = isGuarded ? this.#runGuarded : this.#runTogether
    const answers = await runSteps(run(calls))
    const hasChanges = calls.some(({ name }) => accessCalls.has(name))
    const changes = hasChanges ? await this.#countOne() : undefined
    const signals = this.#context.takeSignals()
    return { answers, signals, changes }
  }

  /** Sends the COMMIT. A failure that the server has not reported is the cause of `inDoubt`. */
  async #end(client: Client, inDoubt: (cause: unknown) => CommitInDoubt): Promise<void> {
    const ended = client.query('COMMIT')
    // Handled below, after an earlier statement's failure as well.
    ended.catch(() => {})
    let result: QueryResult
    try {
      await runSteps(this.#context.sentReplies())
      result = await ended
    } catch (error) {
      if (error instanceof pg.DatabaseError && faultKind(error) !== 'lost') throw error
      throw inDoubt(error)
    }
    // A transaction with a failed statement is rolled back by its commit, without an error.
    if (result.command !== 'COMMIT') throw new Error('The transaction was rolled back.')
  }

  async #countOne(): Promise<number> {
    return number((await runSteps(this.#countChange.get(changesRow))) ?? {}, 'changes')
  }
}
