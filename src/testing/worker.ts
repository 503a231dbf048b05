/** Creates a worker on a real store, with a driver whose offer the test provides. */

import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Driver, Offer } from '@generation-gateway/kit/requests/job.ts'
import type { BlobStore } from '../core/ports/blobs.ts'
import type { TaskStore } from '../core/ports/store.ts'
import { buildCatalogue } from '../core/routing/catalogue.ts'
import { createRouter } from '../core/routing/router.ts'
import { createPollScheduler } from '../core/work/poll-scheduler.ts'
import { Worker } from '../core/work/worker.ts'
import type { WorkerDeps } from '../core/work/worker-deps.ts'
import { silentLog, type TestStore } from './stores/store.ts'

const target = { id: 'fake#1', driver: 'f', model: 'fake', order: 1, weight: 1, settings: {} }
const catalogue = buildCatalogue(
  [],
  [],
  [{ id: 'fake', title: 'Fake', families: ['F1'], capability: 'image.generate', targets: [target], source: 'yaml' }],
)

interface WorkerSetup {
  offer: Offer<ImageGenerateRequest>
  /** Methods with which the test replaces those of the store. */
  store?: Partial<TaskStore>
  blobs?: Partial<BlobStore>
  /** Number of jobs that run at the same time; default 2. */
  slots?: number
  deps?: Partial<WorkerDeps>
}

/** Returns a worker for the queue `fake:f`. The queue belongs to a driver `f`, which serves images
 *  for the model `fake` as the given offer says. */
export function workerOn({ store, blobs }: TestStore, played: WorkerSetup): Worker {
  const driver: Driver = {
    id: 'f',
    title: 'f',
    queue: { name: 'fake:f', slots: played.slots ?? 2 },
    offers: { 'image.generate': played.offer },
  }
  const drivers = new Map([['f', driver]])
  return new Worker({
    store: withPart(store, played.store ?? {}),
    blobs: withPart(blobs, played.blobs ?? {}),
    router: createRouter(drivers, Math.random),
    catalogue: () => catalogue,
    drivers,
    polls: createPollScheduler(Math.random),
    wakeUrl: () => undefined,
    clock: { now: () => Date.now() },
    log: silentLog,
    ...played.deps,
  })
}

/** Stops the worker in the same way as a node that shuts down. */
export async function stopWorker(worker: Worker): Promise<void> {
  await worker.stop(0)
  await worker.release()
}

function withPart<Whole extends object>(whole: Whole, part: Partial<Whole>): Whole {
  return new Proxy(whole, {
    get: (_, name) => {
      const owner = name in part ? part : whole
      const own: unknown = Reflect.get(owner, name)
      return typeof own === 'function' ? own.bind(owner) : own
    },
  })
}
