import assert from 'node:assert/strict'
import type { TaskStore } from '../../core/ports/store.ts'
import type { CallRecord } from '../../core/ports/usage.ts'
import { type Check, callRecord, day, minute, startedAt, tokens, usageLine } from './samples.ts'

const today = { from: startedAt, to: startedAt + 1 }
const always = { from: 0, to: startedAt + 365 * day }

export function callCases(check: Check): void {
  check('a recorded call reads back with everything in it, also after closing and opening again', async (store, underTest) => {
    const units = [
      { unit: 'seconds', units: 2.75, costMicros: 1_100 },
      { unit: 'a "unit"', units: 1, costMicros: 0 },
    ]
    const record = callRecord('req-1', { status: 499, ms: 1, units: [...tokens(1, 2, { cached_input_tokens: 3 }), ...units] })
    const none = callRecord('req-0', { units: [], isEstimated: true })
    const other = callRecord('', { accountId: 'ä\n"', target: '', model: 'a\nb', keyId: '' })
    await store.recordCalls([other, none, record])
    assert.deepEqual(await store.calls({ ...today, limit: 10 }), [record, none, other])
    assert.deepEqual(await (await underTest.reopen()).calls({ ...today, limit: 10 }), [record, none, other])
  })

  check('a record with an amount that is negative or no number is refused, and counts nothing', async store => {
    for (const units of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      await assert.rejects(store.recordCalls([callRecord('req-1'), callRecord('req-2', { units: tokens(units, 1) })]))
    assert.deepEqual(await store.calls({ ...always, limit: 10 }), [])
    assert.deepEqual(await store.usage(always), [])
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
      callRecord('req-1', { units: tokens(10, 0) }),
      callRecord('req-2', { units: tokens(7, 0), operation: 'responses.create', target: 'other' }),
      callRecord('req-3', { keyId: 'key-2', units: tokens(0, 0, { cached_input_tokens: 3, reasoning_tokens: 4 }) }),
      callRecord('req-4', { at: startedAt + day, units: tokens(1, 2) }),
      callRecord('req-5', { at: startedAt + day, units: [{ unit: 'images', units: 3, costMicros: 120_000 }] }),
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
        [second, 'key-1', 'images', 3, 120_000],
        [second, 'key-1', 'input_tokens', 1, 0],
        [second, 'key-1', 'output_tokens', 2, 0],
        [second, 'key-1', 'requests', 2, 0],
      ],
    )
  })

  check('30,000 records in batches of every size are all there, and the totals agree with them', async store => {
    const expected: Record<string, number> = { requests: 0 }
    const writes: Promise<void>[] = []
    for (let from = 0; from < 30_000; ) {
      const records = manyRecords(from, Math.min(1 + ((from * 7) % 601), 30_000 - from))
      for (const record of records) {
        expected.requests = (expected.requests ?? 0) + 1
        for (const { unit, units } of record.units) expected[unit] = (expected[unit] ?? 0) + units
      }
      from += records.length
      writes.push(store.recordCalls(records))
      if (writes.length % 8 === 0) await Promise.all(writes.splice(0))
    }
    await Promise.all(writes)
    assert.deepEqual(await totalsOf(store), expected)
    const seen = new Set<string>()
    let inputTokens = 0
    for (let at = 0; at < 30; at += 1) {
      for (const record of await store.calls({ from: startedAt + at, to: startedAt + at + 1, limit: 1000 })) {
        seen.add(record.requestId)
        inputTokens += record.units.find(({ unit }) => unit === 'input_tokens')?.units ?? 0
      }
    }
    assert.equal(seen.size, 30_000)
    assert.equal(inputTokens, expected.input_tokens)
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

/** Returns `count` records of calls, numbered from `from`, of a few accounts, keys and models;
 *  after every 1,000 numbers, their time is a millisecond later. */
function manyRecords(from: number, count: number): CallRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index
    return callRecord(`req-${number}`, {
      at: startedAt + Math.floor(number / 1000),
      accountId: `account-${number % 3}`,
      keyId: `key-${number % 5}`,
      model: `model-${number % 7}`,
      units: tokens(number % 97, number % 89),
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
