/** The work that the scale benchmark gives a store: tasks that are submitted, claimed and
 *  settled. */
import type { Claim, NewTask } from '../../src/core/ports/store.ts'
import type { UsageLine } from '../../src/core/ports/usage.ts'
import type { Hold } from '../../src/core/records/ledger.ts'
import type { SqlStore } from '../../src/stores/sql/store.ts'

/** Secret key of the stores. */
export const secretKey = Buffer.alloc(32, 7)
/** Time of all work in the benchmark, Unix milliseconds. */
export const startedAt = 1_800_000_000_000
const hour = 3_600_000
const nodeId = 'bench'
const usualQueue = 'studio'
/** Number of quotas. Each belongs to another key, and the tasks of the shape `limited` use them
 *  in turn. */
const quotas = 50

/** Shape of the tasks. `plain`: all tasks have the same key and no limits. `limited`: each task has
 *  an idempotency key and reserves an amount in one of 50 quotas, and usage is counted when the
 *  task is settled. */
export type Shape = 'plain' | 'limited'

/** Returns a function that creates tasks. Each has a new id; the ids sort in the order of
 *  creation. */
export function taskMaker(prefix: string, shape: Shape): () => NewTask {
  let count = 0
  return () => {
    const id = `${prefix}-${String(count).padStart(9, '0')}`
    const keyId = `key-${count % quotas}`
    count += 1
    if (shape === 'plain') return { ...sample, id }
    const idempotency = { key: id, bodySha256: 'hash', expiresAt: startedAt + hour }
    return { ...sample, id, keyId, idempotency, hold: holdOf(keyId) }
  }
}

const sample = {
  accountId: 'account-1',
  keyId: 'key-1',
  endpoint: 'default',
  family: 'F1',
  capability: 'image.generate',
  model: 'model-1',
  queue: usualQueue,
  request: { inline: { prompt: 'a fox under a cherry tree', width: 1024 } },
  inputs: [],
  publicUrl: 'http://gateway.test',
  createdAt: startedAt,
  deadlineAt: startedAt + hour,
  expiresAt: startedAt + 24 * hour,
} as const satisfies Omit<NewTask, 'id'>

function holdOf(keyId: string): Hold {
  const subject = { kind: 'key' as const, id: keyId }
  const times = { startsAt: startedAt, endsAt: startedAt + 24 * hour }
  return {
    lines: [{ unit: 'images', units: 1, costMicros: 250 }],
    quotas: [{ id: `images of ${keyId}`, subject, unit: 'images', window: 'day', ...times, atMost: 1e9 }],
  }
}

/** Submits `count` tasks, 64 at the same time. */
export async function submit(store: SqlStore, count: number, make: () => NewTask): Promise<void> {
  let left = count
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const { outcome } = await store.submit(make())
      if (outcome !== 'created') throw new Error(`a submit ended as ${outcome}`)
    }
  }
  await Promise.all(Array.from({ length: 64 }, lane))
}

export function register(store: SqlStore, id = nodeId): Promise<boolean> {
  return store.heartbeat(id, startedAt, 24 * hour)
}

export function claim(store: SqlStore, { id = nodeId, queue = usualQueue } = {}): Promise<Claim[]> {
  return store.claim(queue, id, 16, startedAt + 1000)
}

/** Settles all these claims at the same time. */
export async function settle(store: SqlStore, claims: readonly Claim[]): Promise<void> {
  const settled = await Promise.all(
    claims.map(({ task, token, hold }) => {
      const usage = hold === undefined ? [] : [usageOf(task)]
      return store.settle(task.id, token, { state: 'succeeded', result: { seed: 7 }, outputs: [], usage, at: startedAt + 2000 })
    }),
  )
  if (settled.includes(false)) throw new Error('a settlement came too late')
}

function usageOf({ id, accountId, keyId, model }: Claim['task']): UsageLine {
  return { id: `${id}:images`, accountId, keyId, model, unit: 'images', units: 1, costMicros: 250, at: startedAt }
}

/** Claims 16 jobs and settles them, again and again, until `count` jobs are settled. */
export async function claimAndSettle(store: SqlStore, count: number, id = nodeId): Promise<void> {
  for (let done = 0; done < count; ) {
    const claims = await claim(store, { id })
    if (claims.length === 0) throw new Error('no job is left')
    await settle(store, claims)
    done += claims.length
  }
}

/** Runs the work and returns its rate: `count` divided by the seconds that it took. */
export async function rateOf(count: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (count / (performance.now() - start)) * 1000
}
