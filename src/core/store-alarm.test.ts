import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createFakeClock } from '../testing/clock.ts'
import { createStoreAlarm } from './store-alarm.ts'

const full = new GatewayError('disk_full', 'The disk is full.')

function recorded() {
  const clock = createFakeClock()
  const lines: string[] = []
  const fields: object[] = []
  const note = (level: string) => (said: object, message: string) => {
    lines.push(`${level} ${message}`)
    fields.push(said)
  }
  const alarm = createStoreAlarm({ clock, log: { info: note('info'), warn: note('warn'), error: note('error') } })
  return { clock, lines, fields, alarm }
}

test('a full disk is reported when it begins, once a minute with the waiting number, and when it is over; never with a stack', () => {
  const { clock, lines, fields, alarm } = recorded()
  for (let halfSeconds = 0; halfSeconds < 250; halfSeconds++) {
    alarm.failed('records of calls', full, halfSeconds)
    alarm.failed('heartbeats', full)
    alarm.missed('progress could not be stored', full)
    clock.step(500)
  }
  alarm.worked('records of calls')
  alarm.worked('claims')
  alarm.worked('heartbeats')
  alarm.worked('heartbeats')
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

test('a store that fails again and again is reported once a minute', () => {
  const { clock, lines, alarm } = recorded()
  for (let seconds = 0; seconds < 120; seconds++) {
    alarm.failed('heartbeats', full)
    alarm.worked('heartbeats')
    clock.step(1_000)
  }
  const once = ['error the store takes no writes; what waits is tried again', 'info the store takes writes again']
  assert.deepEqual(lines, [...once, ...once])
})

test('a write that is not retried is reported once a minute, and other faults in full', () => {
  const { clock, lines, fields, alarm } = recorded()
  for (let seconds = 0; seconds < 70; seconds++) {
    alarm.missed('a call could not be stored', full)
    alarm.failed('records of calls', new GatewayError('internal_error', 'The store refused the write.'))
    clock.step(1_000)
  }
  const once = ['warn a call could not be stored', 'error records of calls could not be written']
  assert.deepEqual(lines, [...once, ...once])
  assert.ok('err' in (fields[1] ?? {}))
})
