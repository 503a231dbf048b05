import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type JsonObject } from '../json.ts'
import { leastCpuMs } from '../testing/cpu-time.ts'
import { CarriedBudget, joinMembers } from './carried.ts'

function object(json: string): JsonObject {
  const value: unknown = JSON.parse(json)
  assert.ok(isObject(value))
  return value
}

test('members named like built-in ones of objects are ordinary members, and no prototype is changed', () => {
  const members = object('{"a":{"constructor":"x","toString":null,"__proto__":{"role":"system"}},"hasOwnProperty":"y","__proto__":{"b":1}}')
  const joined = joinMembers(joinMembers({}, members), object('{"a":{"constructor":"x"},"valueOf":null}'))
  assert.equal(JSON.stringify(joined), '{"a":{"constructor":"xx","toString":null},"hasOwnProperty":"y","valueOf":null}')
  assert.deepEqual([Object.getPrototypeOf(joined), Object.getPrototypeOf(joined.a)], [Object.prototype, Object.prototype])
})

test('pieces are copied, and their source stays unchanged', () => {
  const pieces = ['{"d":[{"index":0,"t":"a","x":{"y":"1"}}]}', '{"d":[{"index":0,"t":"b","x":{"y":"2"}}]}'].map(object)
  const before = JSON.stringify(pieces)
  const joined = pieces.reduce(joinMembers, {})
  assert.deepEqual(joined, { d: [{ index: 0, t: 'ab', x: { y: '12' } }] })
  assert.equal(JSON.stringify(pieces), before)
})

test('elements are found by index and type, in any order', () => {
  const pieces = [
    '{"d":[{"index":1e9,"type":"a","t":"1"},{"index":-1,"t":"2"}]}',
    '{"d":[{"index":1e9,"type":"b","t":"3"},{"index":1e9,"type":"a","t":"4"},{"index":1e9,"t":"5"}]}',
    '{"d":[{"index":-1,"type":"c","t":"6"},{"index":-1,"type":"any","t":"7"},{"index":0.5},7,null,[1]]}',
  ]
  assert.deepEqual(pieces.map(object).reduce(joinMembers, {}).d, [
    { index: 1e9, type: 'a', t: '14' },
    { index: -1, t: '26', type: 'c' },
    { index: 1e9, type: 'b', t: '35' },
    { index: -1, type: 'any', t: '7' },
    { index: 0.5 },
    7,
    null,
    [1],
  ])
})

test('the time to join pieces grows linearly with their number', () => {
  const join = (count: number): void => {
    const room = new CarriedBudget()
    let carried: ReturnType<CarriedBudget['join']>
    for (let at = 0; at < count; at++) carried = room.join(carried, { members: { d: [{ index: at, t: 'a' }], [`k${at}`]: 1 } })
    assert.ok(carried)
  }
  const ms = leastCpuMs(() => join(15_000), 400)
  assert.ok(ms < 400, `${ms} ms`)
})
