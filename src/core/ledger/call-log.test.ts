import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { CallRecord } from '../ports/usage.ts'
import { CallLog } from './call-log.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

function record(requestId: string): CallRecord {
  return {
    requestId,
    at: 1,
    accountId: 'a',
    keyId: 'k',
    endpoint: 'default',
    operation: 'chat.create',
    model: 'm',
    target: 'm#1',
    status: 200,
    ms: 1,
    units: [{ unit: 'output_tokens', units: 1, costMicros: 0 }],
  }
}

test('records of the same moment share one write, and a flush waits for all of them', async () => {
  const writes: string[][] = []
  const callLog = new CallLog({
    store: {
      endHolds: async () => {},
      raiseHolds: async () => {},
      recordCalls: async records => void writes.push(records.map(each => each.requestId)),
    },
    log: silent,
  })
  for (let index = 0; index < 300; index++) callLog.add(record(`r${index}`))
  await callLog.flush()
  assert.equal(writes.length, 1)
  assert.equal(writes[0]?.length, 300)
  callLog.add(record('late'))
  await callLog.close()
  assert.deepEqual(writes[1], ['late'])
})

test('records that could not be written are written with the next ones, in order and once', async () => {
  const written: string[] = []
  let isBroken = true
  const callLog = new CallLog({
    store: {
      endHolds: async () => {},
      raiseHolds: async () => {},
      recordCalls: async records => {
        if (isBroken) throw new GatewayError('disk_full', 'The disk is full.')
        written.push(...records.map(each => each.requestId))
      },
    },
    log: silent,
  })
  callLog.add(record('first'))
  const failed = callLog.flush()
  callLog.add(record('second'))
  isBroken = true
  await failed
  isBroken = false
  await callLog.close()
  assert.deepEqual(written, ['first', 'second'])
})

test('a store that refuses writes for a while is reported once, however many records wait', async () => {
  const lines: string[] = []
  const note = (fields: object, message: string) => lines.push(`${message} ${JSON.stringify(fields)}`)
  let isBroken = true
  const write = async () => {
    if (isBroken) throw new GatewayError('disk_full', 'The disk is full.')
  }
  const callLog = new CallLog({
    store: { endHolds: write, raiseHolds: write, recordCalls: write },
    log: { info: note, warn: note, error: note },
  })
  callLog.add(record('r1'))
  callLog.endHold({ id: 'h1', used: [] })
  await callLog.flush()
  await callLog.flush()
  isBroken = false
  await callLog.close()
  assert.equal(lines.length, 2, lines.join('\n'))
  assert.match(lines[0] ?? '', /^the store takes no writes; .*"waiting":\{"records of calls":1\}/)
  assert.match(lines[1] ?? '', /^the store takes writes again/)
})

test('holds of calls end with the next write, or with a later one when this fails', async () => {
  const ended: string[] = []
  let failures = 1
  const callLog = new CallLog({
    store: {
      recordCalls: async () => {},
      raiseHolds: async () => {},
      endHolds: async ends => {
        failures -= 1
        if (failures >= 0) throw new GatewayError('store_unavailable', 'not now')
        ended.push(...ends.map(({ id }) => id))
      },
    },
    log: silent,
  })
  callLog.endHold({ id: 'h1', used: [] })
  callLog.add(record('r1'))
  callLog.endHold({ id: 'h2', used: [] })
  await callLog.flush()
  assert.deepEqual(ended, [])
  await callLog.flush()
  assert.deepEqual(ended, ['h1', 'h2'])
  await callLog.close()
})

test('holds whose end or raise cannot be written are reported with their number', async () => {
  for (const [failing, what] of [
    ['endHolds', 'ends of holds'],
    ['raiseHolds', 'raises of holds'],
  ] as const) {
    const lines: string[] = []
    const note = (fields: object, message: string) => lines.push(`${message} ${JSON.stringify(fields)}`)
    const write = async () => {}
    const fail = async () => {
      throw new GatewayError('disk_full', 'The disk is full.')
    }
    const callLog = new CallLog({
      store: { endHolds: write, raiseHolds: write, recordCalls: write, [failing]: fail },
      log: { info: note, warn: note, error: note },
    })
    for (const id of ['h1', 'h2']) {
      callLog.endHold({ id, used: [] })
      callLog.raiseHold({ record: record(id), lines: [] })
    }
    await callLog.close()
    assert.match(lines[0] ?? '', new RegExp(`^the store takes no writes; .*"waiting":\\{"${what}":2\\}`))
  }
})

test('no record is dropped while the store is unavailable, and with too many waiting records no call is accepted', async () => {
  let isAway = true
  const written = new Set<string>()
  let largest = 0
  const callLog = new CallLog({
    store: {
      endHolds: async () => {},
      raiseHolds: async () => {},
      recordCalls: async records => {
        if (isAway) throw new GatewayError('store_unavailable', 'The database does not answer.')
        largest = Math.max(largest, records.length)
        for (const { requestId } of records) {
          assert.equal(written.has(requestId), false, `${requestId} is written twice`)
          written.add(requestId)
        }
      },
    },
    log: silent,
  })
  for (let index = 0; index < 99_999; index++) callLog.add(record(`r${index}`))
  callLog.assertRoom()
  const failing = callLog.flush()
  callLog.add(record('the last one that is accepted'))
  assert.throws(() => callLog.assertRoom(), { code: 'store_unavailable', retryAfterSeconds: 2 })
  for (let index = 0; index < 500; index++) callLog.add(record(`in progress ${index}`))
  await failing
  assert.throws(() => callLog.assertRoom(), { code: 'store_unavailable' })
  isAway = false
  await callLog.flush()
  callLog.assertRoom()
  await callLog.close()
  assert.equal(written.size, 100_500)
  assert.equal(largest, 2_000)
})

test('a record that the store rejects does not affect other records, also when the store becomes unavailable', async () => {
  const written: string[] = []
  let isAway = false
  const callLog = new CallLog({
    store: {
      endHolds: async () => {},
      raiseHolds: async () => {},
      recordCalls: async records => {
        if (isAway) throw new GatewayError('store_unavailable', 'The database does not answer.')
        if (records.some(({ requestId }) => requestId === 'bad')) {
          isAway = records.length === 1
          throw new GatewayError('internal_error', 'The store refused the write.')
        }
        written.push(...records.map(({ requestId }) => requestId))
      },
    },
    log: silent,
  })
  for (const id of ['r1', 'bad', 'r2', 'r3']) callLog.add(record(id))
  await callLog.flush()
  assert.deepEqual(written, ['r1'])
  isAway = false
  await callLog.close()
  assert.deepEqual(written, ['r1', 'r2', 'r3'])
})

test('a stop does not wait for a write that hangs, and reports what is lost', { timeout: 20_000 }, async () => {
  const lines: object[] = []
  const callLog = new CallLog({
    store: { endHolds: async () => {}, raiseHolds: async () => {}, recordCalls: () => new Promise(() => {}) },
    log: { ...silent, error: fields => lines.push(fields) },
  })
  callLog.add(record('kept'))
  const flushed = callLog.flush()
  callLog.endHold({ id: 'hold', used: [] })
  await callLog.close()
  assert.deepEqual(lines.at(-1), { records: 1, ends: 1 })
  void flushed
})

test('a stop tries again to end holds, which would otherwise be charged', async () => {
  let tries = 0
  const callLog = new CallLog({
    store: {
      raiseHolds: async () => {},
      recordCalls: async () => {},
      endHolds: async () => {
        tries += 1
        if (tries < 3) throw new GatewayError('store_unavailable', 'The database does not answer.')
      },
    },
    log: silent,
  })
  callLog.endHold({ id: 'hold', used: [] })
  await callLog.close()
  assert.equal(tries, 3)
})
