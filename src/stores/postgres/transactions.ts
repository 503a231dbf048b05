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
/** The isolation level is set explicitly, because each statement has to see everything that was
 *  committed before the lock was taken, and the default level of the database may be another. */
const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED'

/** Writes after which other nodes must clear their caches of accounts, keys and endpoints. */
const accessCalls: ReadonlySet<OperationName> = new Set<OperationName>([
  'putRow',
  'changeAccount',
  'limitAccount',
  'limitKey',
  'revokeKey',
  'removeTokenSecret',
  'removeEndpoint',
  'applyFile',
])
const countChange = `INSERT INTO meta (name, value) VALUES (?, '1')
  ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT) RETURNING CAST(value AS BIGINT) AS changes`
/** Stores the number of the batch, so that `isCommitted` can find out whether it was committed.
 *  A batch that has written nothing stores no number, because that write would make its commit
 *  wait for the disk. */
const markBatch = `INSERT INTO writers (session, batch, at)
  SELECT ?, ?, CAST(extract(epoch FROM now()) * 1000 AS BIGINT) WHERE pg_current_xact_id_if_assigned() IS NOT NULL
  ON CONFLICT (session) DO UPDATE SET batch = excluded.batch, at = excluded.at`

/** The outcome of a batch of calls that was committed. */
export interface Committed {
  answers: Answer[]
  signals: StoreSignal[]
  /** Total number of changes of accounts, keys, endpoints and signing keys in the database, when
   *  this batch has made one. */
  changes: number | undefined
}

/** Thrown when the connection was lost between a COMMIT and its answer, so that it is not known
 *  whether the batch was committed. */
export class CommitInDoubt extends Error {
  /** Number of the batch, for `isCommitted`. */
  readonly batch: number
  /** The outcome of the batch, valid if it was committed. */
  readonly committed: Committed

  constructor(batch: number, committed: Committed, cause: unknown) {
    super('It is not known if the transaction was committed.', { cause })
    this.batch = batch
    this.committed = committed
  }
}

/** Runs batches of calls on one connection, one batch at a time. Every transaction holds the
 *  same lock, so that only one node writes at any time. A transaction may therefore read values
 *  and write results based on them as safely as on SQLite. */
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

  /** `session` is the id of this opening of the store. */
  constructor(link: PostgresLink, session: string) {
    this.#link = link
    this.#session = session
    // All statements of a transaction run on the same connection. When this connection is lost in
    // the middle of a transaction, the statements fail instead of running on a new connection.
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

  /** Runs the calls in one transaction. With `isGuarded`, a call that fails changes nothing and
   *  is answered with its error; without it, a call that fails makes the whole batch fail.
   *  Throws `CommitInDoubt`, or another error when nothing was written. */
  async run(calls: readonly Call[], isGuarded: boolean): Promise<Committed> {
    const batch = ++this.#batch
    return this.#transaction(async (client, locked) => {
      const committed = await this.#runCalls(calls, isGuarded)
      this.#mark.send(this.#session, batch)
      // COMMIT is sent only after the lock was granted; the transaction then holds the lock until
      // it has ended. So when `isCommitted` gets the lock, this transaction is over. If COMMIT were
      // sent earlier, the transaction could still be waiting for the lock and commit later.
      await locked
      await this.#end(client, error => new CommitInDoubt(batch, committed, error))
      return committed
    })
  }

  /** Call it after `CommitInDoubt`. Returns true when the batch was committed. Returns false
   *  when the batch was not committed and never will be, and when it had nothing to write.
   *  Throws when the database cannot be reached. The server's own status of a transaction id is
   *  not reliable for this, because after a crash the server assigns the ids of lost
   *  transactions again. */
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
    // The rejection is handled by `work` or in the `catch` below. This handler prevents an
    // unhandled rejection when another statement fails first.
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

  /** Sends the COMMIT. Throws the error that the server reports. When that error ends the
   *  connection, or when the answer is lost, throws the error that `inDoubt` returns. */
  async #end(client: Client, inDoubt: (cause: unknown) => CommitInDoubt): Promise<void> {
    const ended = client.query('COMMIT')
    // The rejection is handled below. This handler prevents an unhandled rejection when an earlier
    // statement fails first.
    ended.catch(() => {})
    let result: QueryResult
    try {
      await runSteps(this.#context.sentReplies())
      result = await ended
    } catch (error) {
      if (error instanceof pg.DatabaseError && faultKind(error) !== 'lost') throw error
      throw inDoubt(error)
    }
    // When a statement of the transaction has failed, PostgreSQL answers COMMIT with a rollback and
    // reports no error.
    if (result.command !== 'COMMIT') throw new Error('The transaction was rolled back.')
  }

  async #countOne(): Promise<number> {
    return number((await runSteps(this.#countChange.get(changesRow))) ?? {}, 'changes')
  }
}
