import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { Catalogue } from '../routing/catalogue.ts'
import { queueOfRoute } from '../routing/router.ts'
import type { WorkerDeps } from './worker-deps.ts'

export interface QueueLimits {
  /** Number of jobs of the queue that this node may run at a time. */
  slots: number
  /** Number of these slots that a single account may use; all of them when absent. */
  accountSlots?: number | undefined
}

/** Number of slots for a queue whose target has been removed from the catalogue. The jobs in
 *  such a queue run on another target of their model, or wait for one. */
const usualSlots = 64

/** Share of an engine's slots that this node keeps for the jobs in its own queue. Runs for other
 *  nodes never take these slots. Without this share, a constant stream of such runs would take
 *  every slot that becomes free, and no task of the queue would ever run. */
const ownShare = 1 / 4

/** Creates the look-up of queue limits: `limitsOf` returns how many jobs of a queue this node runs,
 *  according to the current catalogue. */
export function createQueueLimits({
  drivers,
  catalogue,
  router,
  foreignRuns = () => 0,
}: Pick<WorkerDeps, 'drivers' | 'catalogue' | 'router' | 'foreignRuns'>): {
  limitsOf(name: string): QueueLimits
} {
  // The queues of the targets in the current catalogue. A reload creates a new catalogue object;
  // the queues are then computed again.
  let known: { catalogue: Catalogue; queues: Map<string, TargetQueue> } | undefined
  const engines = new Map<string, Driver['queue']>()
  for (const { queue } of drivers.values()) if (!queue.isPerTarget) engines.set(queue.name, queue)
  const targetQueues = (): Map<string, TargetQueue> => {
    const now = catalogue()
    if (known?.catalogue !== now) known = { catalogue: now, queues: queuesOf(now, drivers) }
    return known.queues
  }
  return {
    limitsOf: name => {
      const engine = engines.get(name)
      if (engine) {
        const least = Math.ceil(engine.slots * ownShare)
        return { slots: Math.max(least, engine.slots - foreignRuns(name)), accountSlots: engine.accountSlots }
      }
      const target = targetQueues().get(name)
      return { slots: target ? router.health.slotsOf(target.id, target.slots) : usualSlots }
    },
  }
}

interface TargetQueue {
  id: string
  slots: number
}

function queuesOf(catalogue: Catalogue, drivers: ReadonlyMap<string, Driver>): Map<string, TargetQueue> {
  const queues = new Map<string, TargetQueue>()
  for (const { targets } of catalogue.all()) {
    for (const target of targets) {
      const driver = drivers.get(target.driver)
      if (!driver?.queue.isPerTarget) continue
      queues.set(queueOfRoute({ driver, target }), { id: target.id, slots: target.maxConcurrent ?? driver.queue.slots })
    }
  }
  return queues
}
