/** A pool for tests with `pool-child.ts` as its process, and helpers for it. */
import assert from 'node:assert/strict'
import { GatewayError } from '../errors.ts'
import { createEnginePool, type EnginePool, type PoolOptions } from '../process/pool.ts'

/** Returns a pool with one process at a time and four waiting jobs, unless `changes` say otherwise.
 *  The pool closes at the end of the scope in which it was opened. */
export function openTestPool(changes: Partial<PoolOptions> = {}): EnginePool & AsyncDisposable {
  const pool = createEnginePool({
    module: new URL('./pool-child.ts', import.meta.url),
    size: 1,
    queueLimit: 4,
    jobTimeoutMs: 20_000,
    maxRssBytes: 2 ** 40,
    writable: [],
    onLog: () => {},
    ...changes,
  })
  return { ...pool, [Symbol.asyncDispose]: pool.close }
}

/** Runs a method of `pool-child.ts`. */
export function runIn(pool: EnginePool, method: string, payload: unknown = {}, signal = new AbortController().signal): Promise<unknown> {
  return pool.run({ method, payload, signal })
}

/** Runs a short job, which returns the id of its process. */
export async function addIn(pool: EnginePool): Promise<{ sum: number; pid: number }> {
  return (await runIn(pool, 'add', { a: 1, b: 2 })) as { sum: number; pid: number }
}

/** Returns the error with which the work rejects, which must be a GatewayError. */
export async function failureOf(work: Promise<unknown>): Promise<GatewayError> {
  const error = await work.then(
    value => assert.fail(`done: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof GatewayError, String(error))
  return error
}
