import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import { createRouter } from '../routing/router.ts'
import { createTargetHealth } from '../routing/target-health.ts'
import { createQueueLimits } from './queue-limits.ts'

function limitsWith(slots: number, foreign: number) {
  const driver: Driver = { id: 'e', title: 'E', queue: { name: 'engine:e', slots, accountSlots: 4 }, offers: {} }
  const drivers = new Map([['e', driver]])
  const health = createTargetHealth({ clock: { now: () => 0 }, random: () => 0, log: { info: () => {}, warn: () => {} } })
  const router = createRouter(drivers, () => 0, health)
  const catalogue = () => assert.fail('an engine queue needs no catalogue')
  return createQueueLimits({ drivers, catalogue, router, foreignRuns: () => foreign }).limitsOf('engine:e')
}

test('runs for other nodes use slots of an engine, but a quarter of the slots stays for its own queue', () => {
  assert.deepEqual(limitsWith(64, 0), { slots: 64, accountSlots: 4 })
  assert.equal(limitsWith(64, 40).slots, 24)
  assert.equal(limitsWith(64, 64).slots, 16)
  assert.equal(limitsWith(1, 1).slots, 1)
  assert.equal(limitsWith(0, 0).slots, 0, 'a parked engine takes none')
})
