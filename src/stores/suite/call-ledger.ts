import assert from 'node:assert/strict'
import type { CallRecord } from '../../core/ports/usage.ts'
import { type Hold, holdOf, type Quota, sharesOf } from '../../core/records/ledger.ts'
import { type Check, callRecord, countOf, day, type FullStore, key, minute, newTask, startedAt, usageLine } from './samples.ts'

/** Adds the cases for the holds and records of calls. */
export function callLedgerCases(check: Check): void {
  const tokens: Quota = { unit: 'tokens', window: 'day', atMost: 1_000 }
  const conversation = (count: number) =>
    holdOf({ input_tokens: 2, output_tokens: 10 }, [{ unit: 'output_tokens', units: count }], sharesOf([tokens], key, startedAt))

  check('a call is held until its record, which counts what it used', async store => {
    assert.equal(await store.reserve(underway('req-1'), conversation(600)), undefined)
    const refusal = await store.reserve(underway('req-2'), conversation(600))
    assert.deepEqual([refusal?.used, refusal?.held, refusal?.wanted], [0, 600, 600])
    const units = [
      { unit: 'input_tokens', units: 100, costMicros: 200 },
      { unit: 'cached_input_tokens', units: 50, costMicros: 0 },
      { unit: 'output_tokens', units: 20, costMicros: 200 },
      { unit: 'reasoning_tokens', units: 5, costMicros: 0 },
    ]
    await store.recordCalls([callRecord('req-1', { units, holdId: 'req-1' })])
    assert.deepEqual(await countOf(store, tokens), [120, 0])
    const totals = await store.usage({ from: startedAt, to: startedAt + 1 })
    assert.deepEqual(
      totals.filter(({ unit }) => unit.endsWith('tokens')).map(({ unit, units, costMicros }) => [unit, units, costMicros]),
      [
        ['cached_input_tokens', 50, 0],
        ['input_tokens', 100, 200],
        ['output_tokens', 20, 200],
        ['reasoning_tokens', 5, 0],
      ],
    )
  })

  check('a hold of a call is given back by name, once', async store => {
    await store.reserve(underway('req-1'), conversation(300))
    await store.reserve(underway('req-2'), conversation(300))
    await store.endHolds([{ id: 'req-1', used: [] }])
    await store.endHolds([{ id: 'req-1', used: [] }])
    assert.deepEqual(await countOf(store, tokens), [0, 300])
  })

  check(
    'usage under an id of its own ends the hold in the commit of the record, and counts once when it was recounted before',
    async (store, underTest) => {
      const owed = [usageLine('resp_1:output_tokens', { unit: 'output_tokens', units: 300, costMicros: 0 })]
      const counted = [usageLine('resp_1:output_tokens', { unit: 'output_tokens', units: 40, costMicros: 0 })]
      for (const order of ['record first', 'recount first']) {
        const isFirst = order === 'record first'
        const id = `resp_${order}:output_tokens`
        const named = (lines: typeof owed) => lines.map(line => ({ ...line, id }))
        const before = await countOf(store, tokens)
        await store.reserve(underway(order), conversation(300))
        const quotas = sharesOf([tokens], key, startedAt)
        if (!isFirst) await store.recountUsage({ lines: named(counted), quotas })
        await store.recordCalls([{ ...underway(order), owed: { lines: named(owed), isLeast: true } }])
        if (isFirst) assert.deepEqual(await countOf(store, tokens), [before[0] + 300, 0])
        if (isFirst) await store.recountUsage({ lines: named(counted), quotas })
        assert.deepEqual(await countOf(store, tokens), [before[0] + 40, 0], order)
      }
      const again = await underTest.reopen()
      const totals = await again.usage({ from: startedAt, to: startedAt + 1 })
      assert.deepEqual(
        totals.map(({ unit, units }) => [unit, units]),
        [
          ['output_tokens', 80],
          ['requests', 2],
        ],
      )
    },
  )

  check('what readings counted before the record of the call is a part of what the record counts', async store => {
    const quotas = sharesOf([tokens], key, startedAt)
    const cases: [name: string, read: number, isExact: boolean, isLeast: boolean, counted: number][] = [
      ['a smaller reading', 20, false, true, 30],
      ['a larger reading', 40, false, true, 40],
      ['a larger reading of counts', 40, true, true, 40],
      ['counts of the upstream', 40, false, false, 30],
    ]
    let before = 0
    for (const [name, read, isExact, isLeast, counted] of cases) {
      const unit = 'output_tokens'
      const lines = [usageLine(`resp_${name}:open:${unit}`, { unit, units: read, costMicros: 10 * read })]
      await store.reserve(underway(name), conversation(100))
      await store.recountUsage({ lines, quotas, ...(isExact ? {} : { isLeast: true }) })
      assert.deepEqual(await countOf(store, tokens), [before + read, 100], name)
      const units = [{ unit, units: 30, costMicros: 300 }]
      await store.recordCalls([{ ...underway(name), units, openReadings: { responseId: `resp_${name}`, isLeast } }])
      before += counted
      assert.deepEqual(await countOf(store, tokens), [before, 0], name)
    }
  })

  check('a lower bound that comes before the record of the call is a part of what the record counts', async (store, underTest) => {
    const quotas = sharesOf([tokens], key, startedAt)
    const cases: [name: string, bound: number, isLeast: boolean, units: number, counted: number][] = [
      ['a larger estimate', 40, true, 300, 300],
      ['a smaller estimate', 500, true, 300, 500],
      ['a count', 40, false, 30, 30],
    ]
    let before = 0
    for (const [name, bound, isLeast, units, counted] of cases) {
      const lines = (amount: number) => [
        usageLine(`resp_${name}:output_tokens`, { unit: 'output_tokens', units: amount, costMicros: 10 * amount }),
      ]
      await store.reserve(underway(name), conversation(100))
      for (const least of [bound - 10, bound, bound - 20]) await store.recountUsage({ lines: lines(least), quotas, isLeast: true })
      assert.deepEqual(await countOf(store, tokens), [before + bound, 100], name)
      await store.recordCalls([{ ...underway(name), owed: { lines: lines(units), isLeast } }])
      assert.deepEqual(await countOf(store, tokens), [before + counted, 0], name)
      await store.recountUsage({ lines: lines(counted + 5), quotas, isLeast: true })
      await store.recountUsage({ lines: lines(counted - 5), quotas, isLeast: true })
      assert.deepEqual(await countOf(store, tokens), [before + counted + 5, 0], name)
      await store.recountUsage({ lines: lines(7), quotas })
      before += 7
      assert.deepEqual(await countOf(store, tokens), [before, 0], name)
    }
    const lines = (amount: number) => [usageLine('resp_4:output_tokens', { unit: 'output_tokens', units: amount, costMicros: 10 * amount })]
    await store.reserve(underway('req-4'), conversation(100))
    await store.recountUsage({ lines: lines(40), quotas, isLeast: true })
    await store.recountUsage({ lines: lines(9), quotas })
    await store.recordCalls([{ ...underway('req-4'), owed: { lines: lines(300), isLeast: true } }])
    assert.deepEqual(await countOf(store, tokens), [before + 9, 0], 'a count of the upstream stays')
    const totals = await (await underTest.reopen()).usage({ from: startedAt, to: startedAt + 1 })
    const total = totals.find(({ unit }) => unit === 'output_tokens')
    assert.deepEqual([total?.units, total?.costMicros], [before + 9, 10 * (before + 9)])
  })

  check('a call whose process has died counts as it was held, in the quota and in the ledger, once', async (store, underTest) => {
    await store.reserve(underway('req-1'), conversation(300))
    const line = (units: number) => [{ unit: 'output_tokens', units, costMicros: 10 * units }]
    await store.raiseHolds([{ record: underway('req-1'), lines: line(500) }])
    await store.raiseHolds([{ record: underway('req-2'), lines: line(2_000) }])
    assert.deepEqual(await countOf(store, tokens), [0, 500], 'a call without quotas moves none')
    const again = await underTest.reopen()
    await again.requeueDead(startedAt)
    assert.deepEqual(await countOf(again, tokens), [500, 0])
    const left = await again.calls({ from: 0, to: startedAt + 1, limit: 10 })
    assert.deepEqual(
      left
        .map(({ requestId, units, isEstimated }) => [requestId, units, isEstimated] as const)
        .sort(([one], [other]) => one.localeCompare(other)),
      [
        ['req-1', line(500), true],
        ['req-2', line(2_000), true],
      ],
    )
    const totals = await again.usage({ from: startedAt, to: startedAt + 1 })
    assert.equal(totals.find(({ unit }) => unit === 'output_tokens')?.units, 2_500)
    const third = await underTest.reopen()
    await third.requeueDead(startedAt)
    assert.deepEqual(await countOf(third, tokens), [500, 0])
  })

  check('a record that comes after its call was counted as left behind takes the place of that count', async (store, underTest) => {
    const line = (units: number) => [{ unit: 'output_tokens', units, costMicros: 10 * units }]
    const counted = async (again: FullStore) => {
      const totals = await again.usage({ from: startedAt, to: startedAt + 1 })
      const calls = await again.calls({ from: 0, to: startedAt + 1, limit: 10 })
      return {
        quota: await countOf(again, tokens),
        calls: calls.map(({ requestId, units, isEstimated = false }) => [requestId, units[0]?.units, isEstimated]).sort(),
        totals: totals.filter(({ units }) => units !== 0).map(({ unit, units, costMicros }) => [unit, units, costMicros]),
      }
    }
    for (const id of ['req-1', 'req-2', 'req-3', 'req-4']) await store.reserve(underway(id), conversation(200))
    const again = await underTest.reopen()
    await again.requeueDead(startedAt + minute)
    assert.deepEqual((await counted(again)).quota, [800, 0])
    const [share] = sharesOf([tokens], key, startedAt)
    assert.ok(share)
    assert.deepEqual((await again.adjustQuota(share, 800)).after, { used: 800, held: 0 }, 'nothing is held by a counted call')
    // The process was not dead but only suspended, and now writes again.
    await again.heartbeat('node-1', startedAt + minute, minute)
    await again.recordCalls([callRecord('req-1', { units: line(150), holdId: 'req-1', isEstimated: true })])
    await again.raiseHolds([{ record: underway('req-2'), lines: line(250) }])
    await again.endHolds([{ id: 'req-3', used: [] }])
    assert.deepEqual(await counted(again), {
      quota: [350, 250],
      calls: [
        ['req-1', 150, true],
        ['req-4', 200, true],
      ],
      totals: [
        ['output_tokens', 350, 3500],
        ['requests', 2, 0],
      ],
    })
    await again.recordCalls([callRecord('req-2', { units: line(240), holdId: 'req-2' })])
    await again.recordCalls([
      callRecord('req-4', {
        units: line(0),
        holdId: 'req-4',
        owed: { lines: [usageLine('resp_1:output_tokens', { unit: 'output_tokens', units: 7, costMicros: 70 })], isLeast: true },
      }),
    ])
    assert.deepEqual(await counted(again), {
      quota: [397, 0],
      calls: [
        ['req-1', 150, true],
        ['req-2', 240, false],
        ['req-4', 0, false],
      ],
      totals: [
        ['output_tokens', 397, 3970],
        ['requests', 3, 0],
      ],
    })
  })

  check('amounts that are negative or no numbers are refused, and leave the counters as they were', async store => {
    for (const units of [-1, Number.NaN, Number.POSITIVE_INFINITY, -1e15]) {
      const hold: Hold = { lines: [{ unit: 'output_tokens', units, costMicros: 0 }], quotas: conversation(1).quotas }
      await assert.rejects(store.reserve(underway('req-1'), hold))
      await assert.rejects(
        store.endHolds([{ id: 'none', used: [] }]).then(() => store.raiseHolds([{ record: underway('req-1'), lines: hold.lines }])),
      )
    }
    await store.reserve(underway('req-2'), conversation(300))
    await assert.rejects(store.endHolds([{ id: 'req-2', used: [{ unit: 'output_tokens', units: -1e9, costMicros: 0 }] }]))
    assert.deepEqual(await countOf(store, tokens), [0, 300])
    await assert.rejects(store.recordUsage([usageLine('task-9:images', { units: -5 })]))
    assert.deepEqual(await store.usage({ from: 0, to: startedAt + 1 }), [])
  })

  check("an operator's word sets what is used, and what is held is summed anew", async store => {
    const [share] = sharesOf([tokens], key, startedAt)
    assert.ok(share)
    await store.reserve(underway('req-1'), conversation(300))
    await store.submit(newTask('task-1', { hold: conversation(50) }))
    assert.deepEqual(await store.adjustQuota(share, 7), { before: { used: 0, held: 350 }, after: { used: 7, held: 350 } })
    assert.deepEqual(await countOf(store, tokens), [7, 350])
    await store.endHolds([{ id: 'req-1', used: [] }])
    assert.deepEqual(await countOf(store, tokens), [7, 50])
    await assert.rejects(store.adjustQuota(share, -1))
  })

  check('a count in the place of an estimate moves totals and quotas by the difference, however often it is written', async store => {
    const shares = sharesOf([tokens], key, startedAt)
    const lines = (units: number) => [usageLine('resp_1:output_tokens', { unit: 'output_tokens', units, costMicros: 2 * units })]
    await store.recountUsage({ lines: lines(400), quotas: shares })
    for (let times = 0; times < 2; times += 1) {
      await store.recountUsage({ lines: lines(90), quotas: shares })
      assert.deepEqual(await countOf(store, tokens), [90, 0])
      const [total] = await store.usage({ from: startedAt, to: startedAt + 1 })
      assert.deepEqual([total?.units, total?.costMicros], [90, 180])
    }
  })

  check('counters of windows that are long over are swept', async store => {
    await store.reserve(underway('req-1'), conversation(300))
    await store.endHolds([{ id: 'req-1', used: [] }])
    await store.reserve(underway('req-2'), conversation(300))
    await store.sweep(startedAt + 10 * day, 10)
    assert.deepEqual(await countOf(store, tokens), [0, 300])
    await store.sweep(startedAt + 100 * day, 10)
    assert.deepEqual(await countOf(store, tokens), [0, 0])
  })
}

/** Returns the record of a call in progress. */
function underway(requestId: string): CallRecord {
  return callRecord(requestId, { units: [], holdId: requestId })
}
