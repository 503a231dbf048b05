import type { StoreSignal } from '../../../core/ports/store.ts'
import { type EachStatement, type EachWords, prepareEach } from '../each.ts'
import type { Connection, Dialect } from '../statements.ts'
import { type StepConnection, StepStatement, type Steps } from '../steps.ts'

/** A row of the history of a task; `data` is JSON. */
export type TaskEventCells = [taskId: string, at: number, type: string, data: string]

/** The state that all write operations inside a writer share: the statements sent so far, and
 *  the signals to publish after the commit. */
export class WriteContext implements StepConnection {
  readonly dialect: Dialect
  readonly #connection: Connection
  readonly #insertEvents: EachStatement
  #signals: StoreSignal[] = []
  #queues = new Set<string>()
  #sent: Promise<unknown>[] = []

  constructor(connection: Connection) {
    this.#connection = connection
    this.dialect = connection.dialect
    this.#insertEvents = this.prepareEach(
      ({ text, whole, source }) =>
        `INSERT INTO task_events (task_id, sequence, at, type, data) ${source(
          text(0),
          `(SELECT coalesce(max(sequence), 0) + 1 FROM task_events WHERE task_id = ${text(0)})`,
          whole(1),
          text(2),
          text(3),
        )}`,
    )
  }

  prepare(sql: string): StepStatement {
    return new StepStatement(this.#connection.prepare(sql), this.#note)
  }

  /** Prepares a statement that runs for several rows of values at a time. */
  prepareEach(build: (words: EachWords) => string): EachStatement {
    return prepareEach(this, build)
  }

  /** Adds a signal that is published after the commit. The signal is dropped when the
   *  transaction is rolled back. */
  signal(signal: StoreSignal): void {
    // One signal per queue and commit is enough to wake its workers.
    if (signal.kind === 'job') {
      if (this.#queues.has(signal.queue)) return
      this.#queues.add(signal.queue)
    }
    this.#signals.push(signal)
  }

  /** Adds a row to the history of a task. `data` is JSON. */
  appendEvent(taskId: string, at: number, type: string, data: string): void {
    this.#insertEvents.send([[taskId, at, type, data]])
  }

  /** Adds one row to the history of each of several tasks. */
  appendEvents(events: readonly TaskEventCells[]): void {
    this.#insertEvents.send(events)
  }

  /** Returns the signals since the last call, and empties the list. */
  takeSignals(): StoreSignal[] {
    const taken = this.#signals
    this.#signals = []
    this.#queues = new Set()
    return taken
  }

  /** Returns the promises of the statements that were sent since the last call of this method. */
  takeSent(): Promise<unknown>[] {
    const taken = this.#sent
    this.#sent = []
    return taken
  }

  /** Waits for the statements that were sent since the last call of `takeSent`. Throws the error
   *  of the first one that has failed. */
  *sentReplies(): Steps<void> {
    for (const reply of this.takeSent()) yield reply
  }

  /** Returns the cause of an error, which is the error of the first statement that has failed:
   *  once a statement of a transaction has failed, all later ones fail too. */
  *causeOf(error: unknown): Steps<unknown> {
    for (const reply of this.takeSent()) {
      const failure = (yield reply.then(
        () => undefined,
        (reason: unknown) => ({ reason }),
      )) as { reason: unknown } | undefined
      if (failure) return failure.reason
    }
    return error
  }

  readonly #note = (reply: Promise<unknown>): void => {
    // A failure is reported to the operation that waits for the reply, or by the commit. This
    // handler prevents an unhandled rejection until then, which would end the process.
    reply.catch(() => {})
    this.#sent.push(reply)
  }
}

/** True when a statement changed at least one row. */
export function changed(rows: number): boolean {
  return rows !== 0
}
