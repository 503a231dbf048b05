import assert from 'node:assert/strict'
import type { TaskStore } from '../core/ports/store.ts'
import type { CallRecord } from '../core/ports/usage.ts'
import { type Check, callRecord, day, minute, startedAt, usageLine } from './suite-samples.ts'

const today = { from: startedAt, to: startedAt + 1 }
const always = { from: 0, to: startedAt + 365 * day }

export function callCases(check: Check): void {
  check('a recorded call reads back with everything in it, also after closing and opening again', async (store, underTest) => {
    const record = callRecord('req-1', { status: 499, ms: 1, inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, reasoningTokens: 4 })
    const other = callRecord('', { accountId: 'ä\n"', target: '', model: 'a\nb', keyId: '' })
    await store.recordCalls([other, record])
    assert.deepEqual(await store.calls({ ...today, limit: 10 }), [record, other])
    assert.deepEqual(await (await underTest.reopen()).calls({ ...today, limit: 10 }), [record, other])
  })

  check('no records are no commit and no rows', async store => {
    await store.recordCalls([])
    assert.deepEqual(await store.calls({ ...always, limit: 10 }), [])
  })

  check('calls come newest first, in whatever order they were recorded', async store => {
    const at = (minutes: number) => callRecord(`req-${minutes}`, { at: startedAt + minutes * minute })
    await store.recordCalls([at(3), at(1)])
    await store.recordCalls([at(2), at(0)])
    assert.deepEqual(await idsOf(store, { ...always, limit: 10 }), ['req-3', 'req-2', 'req-1', 'req-0'])
    assert.deepEqual(await idsOf(store, { ...always, limit: 2 }), ['req-3', 'req-2'])
    assert.deepEqual(await idsOf(store, { from: startedAt + minute, to: startedAt + 3 * minute, limit: 10 }), ['req-2', 'req-1'])
  })

  check('calls can be asked for by account', async store => {
    await store.recordCalls([callRecord('req-1'), callRecord('req-2', { accountId: 'account-2' }), callRecord('req-3')])
    assert.deepEqual(await idsOf(store, { ...today, accountId: 'account-1', limit: 10 }), ['req-3', 'req-1'])
    assert.deepEqual(await idsOf(store, { ...today, accountId: 'account-2', limit: 10 }), ['req-2'])
    assert.deepEqual(await idsOf(store, { ...today, accountId: 'account-3', limit: 10 }), [])
  })

  check('calls add to the totals of their day, key and model; units that are zero are left out', async store => {
    await store.recordUsage([usageLine('task-1:requests', { unit: 'requests', units: 5 })])
    await store.recordCalls([
      callRecord('req-1', { inputTokens: 10, outputTokens: 0 }),
      callRecord('req-2', { inputTokens: 7, outputTokens: 0, operation: 'responses.create', target: 'other' }),
      callRecord('req-3', { keyId: 'key-2', inputTokens: 0, outputTokens: 0, cachedInputTokens: 3, reasoningTokens: 4 }),
      callRecord('req-4', { at: startedAt + day, inputTokens: 1, outputTokens: 2 }),
    ])
    const totals = await store.usage(always)
    const [first, second] = [startedAt, startedAt + day].map(at => new Date(at).toISOString().slice(0, 10))
    assert.deepEqual(
      totals.map(({ day, keyId, unit, units, costMicros }) => [day, keyId, unit, units, costMicros]),
      [
        [first, 'key-1', 'input_tokens', 17, 0],
        [first, 'key-1', 'requests', 7, 1250 / 5],
        [first, 'key-2', 'cached_input_tokens', 3, 0],
        [first, 'key-2', 'reasoning_tokens', 4, 0],
        [first, 'key-2', 'requests', 1, 0],
        [second, 'key-1', 'input_tokens', 1, 0],
        [second, 'key-1', 'output_tokens', 2, 0],
        [second, 'key-1', 'requests', 1, 0],
      ],
    )
  })

  check('100,000 records in batches of every size are all there, and the totals agree with them', async store => {
    const expected = { requests: 0, input_tokens: 0, output_tokens: 0 }
    const writes: Promise<void>[] = []
    for (let from = 0; from < 100_000; ) {
      const records = manyRecords(from, Math.min(1 + ((from * 7) % 601), 100_000 - from))
      for (const record of records) {
        expected.requests += 1
        expected.input_tokens += record.inputTokens
        expected.output_tokens += record.outputTokens
      }
      from += records.length
      writes.push(store.recordCalls(records))
      if (writes.length % 8 === 0) await Promise.all(writes.splice(0))
    }
    await Promise.all(writes)
    assert.deepEqual(await totalsOf(store), expected)
    const seen = new Set<string>()
    let tokens = 0
    for (let at = 0; at < 100; at += 1) {
      for (const record of await store.calls({ from: startedAt + at, to: startedAt + at + 1, limit: 1000 })) {
        seen.add(record.requestId)
        tokens += record.inputTokens
      }
    }
    assert.equal(seen.size, 100_000)
    assert.equal(tokens, expected.input_tokens)
  })

  check('a sweep deletes records of calls older than 90 days and keeps their totals', async store => {
    await store.recordCalls([callRecord('req-1'), callRecord('req-2', { at: startedAt + 1 })])
    await store.sweep(startedAt + 90 * day, 10)
    assert.equal((await store.calls({ ...always, limit: 10 })).length, 2)
    await store.sweep(startedAt + 90 * day + 1, 10)
    assert.deepEqual(await idsOf(store, { ...always, limit: 10 }), ['req-2'])
    assert.equal((await totalsOf(store)).requests, 2)
  })

  check('one sweep deletes more old records of calls than it may delete tasks', async store => {
    await store.recordCalls(manyRecords(0, 12_000))
    await store.sweep(startedAt + 91 * day, 10)
    assert.deepEqual(await store.calls({ ...always, limit: 10 }), [])
  })
}

/** 1,000 records in each of 100 milliseconds, of some accounts, keys and models. */
function manyRecords(from: number, count: number): CallRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index
    return callRecord(`req-${number}`, {
      at: startedAt + Math.floor(number / 1000),
      accountId: `account-${number % 3}`,
      keyId: `key-${number % 5}`,
      model: `model-${number % 7}`,
      inputTokens: number % 97,
      outputTokens: number % 89,
    })
  })
}

async function idsOf(store: TaskStore, filter: Parameters<TaskStore['calls']>[0]): Promise<string[]> {
  return (await store.calls(filter)).map(record => record.requestId)
}

async function totalsOf(store: TaskStore): Promise<Record<string, number>> {
  const totals: Record<string, number> = {}
  for (const { unit, units } of await store.usage(always)) totals[unit] = (totals[unit] ?? 0) + units
  return totals
}
