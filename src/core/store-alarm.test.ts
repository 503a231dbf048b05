import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createFakeClock } from '../testing/clock.ts'
import { createStoreTrouble } from './store-alarm.ts'

const full = new GatewayError('disk_full', 'The disk is full.')

function recorded() {
  const clock = createFakeClock()
  const lines: string[] = []
  const fields: object[] = []
  const note = (level: string) => (said: object, message: string) => {
    lines.push(`${level} ${message}`)
    fields.push(said)
  }
  const trouble = createStoreTrouble({ clock, log: { info: note('info'), warn: note('warn'), error: note('error') } })
  return { clock, lines, fields, trouble }
}

test('a full disk is told of when it begins, once a minute with what waits, and when it is over; never with a stack', () => {
  const { clock, lines, fields, trouble } = recorded()
  for (let halfSeconds = 0; halfSeconds < 250; halfSeconds++) {
    trouble.failed('records of calls', full, halfSeconds)
    trouble.failed('heartbeats', full)
    trouble.missed('progress could not be stored', full)
    clock.step(500)
  }
  trouble.worked('records of calls')
  trouble.worked('claims')
  trouble.worked('heartbeats')
  trouble.worked('heartbeats')
  assert.deepEqual(lines, [
    'error the store takes no writes; what waits is tried again',
    'warn the store still takes no writes',
    'warn the store still takes no writes',
    'info the store takes writes again',
  ])
  assert.deepEqual(fields[1], {
    code: 'disk_full',
    reason: 'The disk is full.',
    waiting: { 'records of calls': 120, heartbeats: 1 },
    seconds: 60,
  })
  assert.ok(fields.every(said => !('err' in said)))
  assert.deepEqual(fields[3], { seconds: 125 })
})

test('a store that comes and goes is told of once a minute', () => {
  const { clock, lines, trouble } = recorded()
  for (let seconds = 0; seconds < 120; seconds++) {
    trouble.failed('heartbeats', full)
    trouble.worked('heartbeats')
    clock.step(1_000)
  }
  const once = ['error the store takes no writes; what waits is tried again', 'info the store takes writes again']
  assert.deepEqual(lines, [...once, ...once])
})

test('what nobody tries again is told of once a minute, and faults of other kinds in full', () => {
  const { clock, lines, fields, trouble } = recorded()
  for (let seconds = 0; seconds < 70; seconds++) {
    trouble.missed('a call could not be stored', full)
    trouble.failed('records of calls', new GatewayError('internal_error', 'The store refused the write.'))
    clock.step(1_000)
  }
  const once = ['warn a call could not be stored', 'error records of calls could not be written']
  assert.deepEqual(lines, [...once, ...once])
  assert.ok('err' in (fields[1] ?? {}))
})
