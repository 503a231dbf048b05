import type { Dialect, Maybe, Statement } from './statements.ts'
import type { Cell, Row } from './values.ts'

/** A write operation: a generator that yields a promise wherever it has to wait for the database.
 *  On SQLite nothing has to be waited for, so the operation runs through at once; on PostgreSQL
 *  `runSteps` resumes it with each reply. Both run the same code. */
export type Steps<Value> = Generator<Promise<unknown>, Value, unknown>

/** The reply of one statement inside an operation: `yield*` evaluates to it. */
export type Reply<Value> = Iterable<Promise<unknown>, Value, unknown>

/** A connection whose statements operations use. */
export interface StepConnection {
  readonly dialect: Dialect
  prepare(sql: string): StepStatement
}

/** A statement as operations use it. It runs when it is called; `yield*` waits for its reply, so
 *  that several replies can be on the way at once. */
export class StepStatement {
  readonly #statement: Statement
  readonly #sent: ((reply: Promise<unknown>) => void) | undefined

  /** `sent` gets the promise of each statement, in their order; only a transaction needs it. */
  constructor(statement: Statement, sent?: (reply: Promise<unknown>) => void) {
    this.#statement = statement
    this.#sent = sent
  }

  get(...values: readonly Cell[]): Reply<Row | undefined> {
    return this.#reply(this.#statement.get(...values))
  }

  all(...values: readonly Cell[]): Reply<Row[]> {
    return this.#reply(this.#statement.all(...values))
  }

  /** Replies with the number of rows that were inserted, changed or deleted. */
  run(...values: readonly Cell[]): Reply<number> {
    return this.#reply(this.#statement.run(...values))
  }

  /** Runs a statement whose outcome the operation does not need. When it fails, the whole
   *  transaction fails. */
  send(...values: readonly Cell[]): void {
    const reply = this.#statement.run(...values)
    if (reply instanceof Promise) this.#sent?.(reply)
  }

  #reply<Value>(reply: Maybe<Value>): Reply<Value> {
    if (reply instanceof Promise) this.#sent?.(reply)
    return new ReplySteps(reply)
  }
}

/** The values of several operations. */
type ValuesOf<All extends readonly Reply<unknown>[]> = {
  -readonly [Index in keyof All]: All[Index] extends Reply<infer Value> ? Value : never
}

/** Runs operations side by side, so that their statements are on the way together. Only for
 *  operations that do not depend on each other: each reads before the others have written. Returns
 *  their values in order. */
export function* sideBySide<const All extends readonly Reply<unknown>[]>(all: All): Steps<ValuesOf<All>> {
  const begun = all.map(each => {
    const steps = each[Symbol.iterator]()
    return { steps, step: steps.next() }
  })
  for (let waiting = begun; waiting.length > 0; waiting = waiting.filter(({ step }) => !step.done))
    for (const each of waiting) if (!each.step.done) each.step = each.steps.next(yield each.step.value)
  // The cast is safe: each value is that of the operation in its place.
  return begun.map(({ step }) => step.value) as ValuesOf<All>
}

/** Yields a promise once; ends at once with anything else. */
class ReplySteps<Value> implements Iterator<Promise<unknown>, Value, unknown> {
  readonly #reply: Maybe<Value>
  #isYielded = false

  constructor(reply: Maybe<Value>) {
    this.#reply = reply
  }

  [Symbol.iterator](): this {
    return this
  }

  next(value?: unknown): IteratorResult<Promise<unknown>, Value> {
    // The cast is safe: `runSteps` resumes with the value of the promise that was yielded.
    if (this.#isYielded) return { done: true, value: value as Value }
    if (!(this.#reply instanceof Promise)) return { done: true, value: this.#reply }
    this.#isYielded = true
    return { done: false, value: this.#reply }
  }

  throw(error: unknown): never {
    throw error
  }
}

/** Returns the reply with a value, or with that of a promise. */
export function replyOf<Value>(value: Maybe<Value>): Reply<Value> {
  return new ReplySteps(value)
}

/** Runs an operation on a database that answers at once. Throws TypeError when a step would have
 *  to wait. */
export function runAtOnce<Value>(steps: Reply<Value>): Value {
  const step = steps[Symbol.iterator]().next()
  if (step.done) return step.value
  throw new TypeError('an operation waited for a database that answers at once')
}

/** Runs an operation and waits for the database wherever it has to. */
export async function runSteps<Value>(operation: Reply<Value>): Promise<Value> {
  const steps = operation[Symbol.iterator]()
  let step = steps.next()
  while (!step.done) {
    try {
      step = steps.next(await step.value)
    } catch (error) {
      if (steps.throw === undefined) throw error
      step = steps.throw(error)
    }
  }
  return step.value
}
