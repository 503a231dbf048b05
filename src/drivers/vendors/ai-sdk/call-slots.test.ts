import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createCallSlots } from './call-slots.ts'

test('calls run in order, as many at a time as there are places; a cancelled or failed one frees its place', async () => {
  const places = createCallSlots(2)
  const stay = new AbortController().signal
  const leaving = new AbortController()
  const begun: number[] = []
  const ends = [0, 1, 2, 3, 4].map(() => Promise.withResolvers<void>())
  const runs = ends.map(({ promise }, index) =>
    places.in({ signal: index === 2 ? leaving.signal : stay }, async () => {
      begun.push(index)
      await promise
    }),
  )
  await setImmediate()
  assert.deepEqual(begun, [0, 1])
  leaving.abort()
  await assert.rejects(runs[2] ?? Promise.resolve(), { code: 'cancelled' })
  ends[0]?.reject(new Error('broken'))
  await assert.rejects(runs[0] ?? Promise.resolve(), /broken/)
  assert.deepEqual(begun, [0, 1, 3])
  for (const { resolve } of ends) resolve()
  await Promise.all([runs[1], runs[3], runs[4]])
  assert.deepEqual(begun, [0, 1, 3, 4])
  assert.equal(await places.in({ signal: stay }, async () => 'free'), 'free')
  await assert.rejects(
    places.in({ signal: AbortSignal.abort() }, async () => {}),
    { code: 'cancelled' },
  )
})

test('the next free place goes to an account that has none', async () => {
  const places = createCallSlots(2)
  const { signal } = new AbortController()
  const begun: string[] = []
  const ends = ['a', 'a', 'a', 'a', 'b'].map(account => ({ account, ...Promise.withResolvers<void>() }))
  const runs = ends.map(({ account, promise }) =>
    places.in({ account, signal }, async () => {
      begun.push(account)
      await promise
    }),
  )
  await setImmediate()
  ends[0]?.resolve()
  await runs[0]
  await setImmediate()
  assert.deepEqual(begun, ['a', 'a', 'b'])
  for (const { resolve } of ends) resolve()
  await Promise.all(runs)
})
