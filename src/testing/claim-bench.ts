/** Lets a test do the steps of a worker one by one: a store with one submitted task, a driver,
 *  and a catalogue that the test can replace. */
import assert from 'node:assert/strict'
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { Claim, NewTask } from '../core/ports/store.ts'
import { buildCatalogue, type Target } from '../core/routing/catalogue.ts'
import { createRouter } from '../core/routing/router.ts'
import { createTargetHealth } from '../core/routing/target-health.ts'
import { createPollScheduler } from '../core/work/poll-scheduler.ts'
import type { WorkerDeps } from '../core/work/worker-deps.ts'
import { createFakeClock } from './clock.ts'
import { driverTools } from './driver-tools.ts'
import { newTestTask, openTestStore, silentLog } from './stores/store.ts'

/** Time in milliseconds after its last heartbeat at which a node counts as dead. */
const nodeTtlMs = 30_000

/** Opens the bench. It has the submitted task `t1`, whose model has two targets, `fake#1` and
 *  `fake#2`, on the given driver. */
export async function openClaimBench(spec: DriverSpec, task: Partial<NewTask> = {}) {
  const clock = createFakeClock()
  const opened = await openTestStore(clock)
  const driver: Driver = spec.open(driverTools({ scratchDirectory: opened.directory, cores: 0, log: silentLog }))
  const drivers = new Map([[driver.id, driver]])
  const capability = driver.offers['text.respond'] ? 'text.respond' : 'image.generate'
  const catalogueOf = (...targets: Target[]) =>
    buildCatalogue([], [], targets.length ? [{ id: 'fake', title: 'Fake', families: ['F1'], capability, targets, source: 'yaml' }] : [])
  const first: Target = { id: 'fake#1', driver: driver.id, model: 'm', order: 1, weight: 1, settings: { url: 'old' } }
  let catalogue = catalogueOf(first, { ...first, id: 'fake#2', order: 2, settings: { url: 'second' } })
  const { store, blobs } = opened
  const deps: WorkerDeps = {
    store,
    blobs,
    router: createRouter(drivers, () => 0.5, createTargetHealth({ clock, random: () => 0, log: silentLog })),
    catalogue: () => catalogue,
    drivers,
    polls: createPollScheduler(() => 0.5),
    wakeUrl: () => undefined,
    clock,
    log: silentLog,
  }
  let node = 'node'
  const beat = () => store.heartbeat(node, clock.now(), nodeTtlMs)
  await beat()
  await store.submit(newTestTask('t1', clock.now(), { queue: driver.queue.name, capability, ...task }))
  return {
    deps,
    store,
    clock,
    first,
    setTargets: (...targets: Target[]) => {
      catalogue = catalogueOf(...targets)
    },
    claim: async (): Promise<Claim> => {
      await beat()
      const [claim] = await store.claim(driver.queue.name, node, 1, clock.now())
      assert.ok(claim, 'the job is due')
      return claim
    },
    /** Simulates that the node dies while it holds the job: its heartbeats end, and when they are
     *  missed, the job goes back to the queue, for the next node. */
    die: async () => {
      clock.step(nodeTtlMs)
      await store.requeueDead(clock.now())
      node = `next ${node}`
    },
    /** Releases the node's jobs, as a node does when it stops. */
    stop: () => store.release(node, clock.now()),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}
