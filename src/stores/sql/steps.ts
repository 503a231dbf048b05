import type { Dialect, Maybe, Statement } from './statements.ts'
import type { Cell, Row } from './values.ts'

/** A write operation, written as a generator that yields a promise wherever it has to wait for
 *  the database. On SQLite it never has to wait, so it runs to its end synchronously. On
 *  PostgreSQL, `runSteps` awaits each promise and resumes the operation with the reply. In this
 *  way the same code serves both databases. */
export type Steps<Value> = Generator<Promise<unknown>, Value, unknown>

/** The reply to one statement inside an operation. The expression `yield* reply` has the reply
 *  as its value. */
export type Reply<Value> = Iterable<Promise<unknown>, Value, unknown>

/** A connection whose statements operations use. */
export interface StepConnection {
  readonly dialect: Dialect
  prepare(sql: string): StepStatement
}

/** A statement inside an operation. It is sent when a method is called, and `yield*` waits for
 *  its reply; so an operation can send several statements before it waits for the first reply. */
export class StepStatement {
  readonly #statement: Statement
  readonly #sent: ((reply: Promise<unknown>) => void) | undefined

  /** `sent` receives the promise of each statement in the order of sending. Only a transaction
   *  needs it, to wait for all its statements. */
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

/** The types of the values of several operations. */
type ValuesOf<All extends readonly Reply<unknown>[]> = {
  -readonly [Index in keyof All]: All[Index] extends Reply<infer Value> ? Value : never
}

/** Runs operations concurrently, so that the statements of all of them are sent before the first
 *  reply is awaited. Use it only for operations that do not depend on each other, because each
 *  may read before the others have written. Returns their values in order. */
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

/** Iterator of a reply: yields a promise once and ends with its value; ends immediately when the
 *  reply is a plain value. */
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

/** Returns a reply from a value or from a promise of it. */
export function replyOf<Value>(value: Maybe<Value>): Reply<Value> {
  return new ReplySteps(value)
}

/** Runs an operation synchronously, on a database that returns values instead of promises.
 *  Throws TypeError when a step has to wait. */
export function runAtOnce<Value>(steps: Reply<Value>): Value {
  const step = steps[Symbol.iterator]().next()
  if (step.done) return step.value
  throw new TypeError('an operation waited for a database that answers at once')
}

/** Runs an operation and awaits each reply of the database. */
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
