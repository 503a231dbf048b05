import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { BlobStore } from '../ports/blobs.ts'
import type { Clock, TaskStore } from '../ports/store.ts'
import type { Task } from '../records/task.ts'
import type { Catalogue } from '../routing/catalogue.ts'
import type { Router } from '../routing/router.ts'
import type { StoreTrouble } from '../store-alarm.ts'
import type { EarlyOutputs } from './early-outputs.ts'
import type { RunPart } from './inline-runs.ts'
import type { PollScheduler } from './poll-scheduler.ts'
import type { PrivateRequests } from './private-requests.ts'

export interface WorkerDeps {
  store: TaskStore
  blobs: BlobStore
  router: Router
  catalogue: () => Catalogue
  drivers: ReadonlyMap<string, Driver>
  polls: PollScheduler
  /** Where an upstream may say that it has news of the task; undefined while the gateway has no public address. */
  wakeUrl(task: Task): string | undefined
  /** Tells a part of a run to its caller, where one waits; the promise is there when they are behind. */
  tell?(taskId: string, part: RunPart): Promise<void> | undefined
  /** Whether anybody hears that; absent: somebody does. */
  hears?(taskId: string): boolean
  /** Where outputs may be taken while they are made; absent: nowhere. */
  early?: Pick<EarlyOutputs, 'open'>
  /** Of calls to this process that wait for their runs. */
  privates?: PrivateRequests
  clock: Clock
  log: WorkerLog
  /** Default: one of its own. */
  trouble?: StoreTrouble
  /** A run that is stopped from outside has this long to end; then its slot is free without it. Default 60 s, which every step of a proper stop is well within. */
  stopWithinMs?: number
}

export interface WorkerLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
