import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewBlob } from '../../core/ports/blobs.ts'
import type { FileStore } from '../../core/ports/files.ts'
import type { AccessKey, Claim, NewTask, ResponseStore, Settlement, StoreSignal, TaskStore } from '../../core/ports/store.ts'
import type { CallRecord, UsageLine } from '../../core/ports/usage.ts'
import { type PricedUnits, type Quota, sharesOf } from '../../core/records/ledger.ts'
import type { Task } from '../../core/records/task.ts'

/** The task store together with the stores for responses and files. Large content of a response
 *  is stored as a blob. */
export interface FullStore extends TaskStore {
  responses: ResponseStore
  files: FileStore
}

/** A store for one case. */
export interface StoreUnderTest {
  store: FullStore
  /** Closes the store and opens it again on the same data. */
  reopen(): Promise<FullStore>
  /** Runs a statement directly on the database, without the store, to damage the store's rows. */
  spoil(sql: string): Promise<void>
  /** Closes the store and removes its data. */
  dispose(): Promise<void>
}

export type OpenStore = () => Promise<StoreUnderTest>
/** Registers a case that runs on a store of its own. */
export type Check = (title: string, body: (store: FullStore, underTest: StoreUnderTest) => Promise<void>) => void

export function storeTester(open: OpenStore): Check {
  return (title, body) => {
    test(title, async () => {
      const underTest = await open()
      try {
        await body(underTest.store, underTest)
      } finally {
        await underTest.dispose()
      }
    })
  }
}

/** The time at which every case starts, in Unix milliseconds. */
export const startedAt = 1_800_000_000_000
export const minute = 60_000
export const leaseMs = 15_000
export const day = 24 * 3600 * 1000

export function newTask(id: string, changes: Partial<NewTask> = {}): NewTask {
  return {
    id,
    accountId: 'account-1',
    keyId: 'key-1',
    endpoint: 'default',
    family: 'F1',
    capability: 'image.generate',
    model: 'model-1',
    queue: 'studio',
    request: { inline: { prompt: 'a fox under a cherry tree', width: 1024 } },
    inputs: [],
    publicUrl: 'http://gateway.test',
    createdAt: startedAt,
    deadlineAt: startedAt + 10 * minute,
    expiresAt: startedAt + 7 * day,
    ...changes,
  }
}

export function newBlob(
  id: string,
  changes: { key?: string; kind?: 'input' | 'output'; index?: number; expiresAt?: number } = {},
): NewBlob {
  const { key = `content-${id}`, kind = 'output', index = 0, expiresAt = startedAt + 7 * day } = changes
  return {
    artifact: { id, kind, role: 'image', index, mediaType: 'image/png', bytes: 1234, sha256: `sha-of-${key}`, width: 64, height: 48 },
    key,
    expiresAt,
  }
}

export function succeeded(changes: Partial<Settlement> = {}): Settlement {
  return { state: 'succeeded', result: { seed: 7 }, outputs: [], usage: [], at: startedAt + minute, ...changes }
}

export function usageLine(id: string, changes: Partial<UsageLine> = {}): UsageLine {
  return {
    id,
    accountId: 'account-1',
    keyId: 'key-1',
    model: 'model-1',
    unit: 'images',
    units: 1,
    costMicros: 250,
    at: startedAt,
    ...changes,
  }
}

export function callRecord(requestId: string, changes: Partial<CallRecord> = {}): CallRecord {
  return {
    requestId,
    at: startedAt,
    accountId: 'account-1',
    keyId: 'key-1',
    endpoint: 'default',
    operation: 'chat.create',
    model: 'model-1',
    target: 'acme-eu',
    status: 200,
    ms: 412,
    units: tokens(100, 20),
    ...changes,
  }
}

/** Returns the usage of a conversation, with costs of zero. */
export function tokens(input: number, output: number, more: Record<string, number> = {}): PricedUnits[] {
  const counts = Object.entries({ input_tokens: input, output_tokens: output, ...more })
  return counts.map(([unit, units]) => ({ unit, units, costMicros: 0 }))
}

export function accessKey(id: string, changes: Partial<AccessKey> = {}): AccessKey {
  return {
    id,
    accountId: 'account-1',
    name: 'build server',
    sha256: `hash-of-${id}`,
    hint: 'wxyz',
    scopes: { endpoints: [], families: ['F1'], models: [] },
    source: 'admin',
    createdAt: startedAt,
    ...changes,
  }
}

/** Registers the node if need be and claims one job of the queue. */
export async function claimOne(store: TaskStore, nodeId = 'node-1', now = startedAt): Promise<Claim> {
  await store.heartbeat(nodeId, now, leaseMs)
  const [claim] = await store.claim('studio', nodeId, 1, now)
  assert.ok(claim, 'a job is due')
  return claim
}

export async function getTask(store: TaskStore, id: string): Promise<Task> {
  const task = await store.get(id)
  assert.ok(task, `task ${id} is there`)
  return task
}

export async function eventTypes(store: TaskStore, taskId: string): Promise<string[]> {
  return (await store.events(taskId, 0)).map(event => event.type)
}

export async function queueCounts(store: TaskStore): Promise<{ ready: number; leased: number; parked: number }> {
  const { queues } = await store.stats()
  const found = queues.find(counts => counts.queue === 'studio')
  return { ready: found?.ready ?? 0, leased: found?.leased ?? 0, parked: found?.parked ?? 0 }
}

/** Collects the store's signals. */
export function collectSignals(store: TaskStore): StoreSignal[] {
  const signals: StoreSignal[] = []
  store.subscribe(signal => signals.push(signal))
  return signals
}

/** Key whose quotas the cases use. */
export const key = { kind: 'key', id: 'key-1' } as const

/** Returns the counters of a quota of that key, in its window at a time. */
export async function countOf(store: TaskStore, quota: Quota, at = startedAt): Promise<[used: number, held: number]> {
  const [count] = await store.quotaCounts(sharesOf([quota], key, at))
  return [count?.used ?? 0, count?.held ?? 0]
}
