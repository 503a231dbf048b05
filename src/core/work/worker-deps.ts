import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { Duty } from '../duty.ts'
import type { BlobStore } from '../ports/blobs.ts'
import type { Clock, TaskStore } from '../ports/store.ts'
import type { NodeFacts } from '../records/node.ts'
import type { Task } from '../records/task.ts'
import type { Catalogue } from '../routing/catalogue.ts'
import type { Router } from '../routing/router.ts'
import type { StoreAlarm } from '../store-alarm.ts'
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
  /** Returns the URL at which an upstream may report news of the task; undefined while the
   *  gateway has no public address. */
  wakeUrl(task: Task): string | undefined
  /** Streams a part of a run to its caller, if one waits; returns a promise while the caller is
   *  behind. */
  tell?(taskId: string, part: RunPart): Promise<void> | undefined
  /** True when a caller receives the parts; absent: always. */
  hears?(taskId: string): boolean
  /** Streams outputs while they are made; absent: outputs are not streamed. */
  early?: Pick<EarlyOutputs, 'open'>
  /** Requests of calls to this process that wait for their runs. */
  privates?: PrivateRequests
  /** Default: one that always takes work. */
  duty?: Duty
  /** Returns what this node reports of itself; absent: nothing. */
  facts?: () => NodeFacts
  clock: Clock
  log: WorkerLog
  /** Default: a new one for the worker. */
  alarm?: StoreAlarm
  /** A run that is stopped from outside has this long to end; then its slot is freed without it.
   *  Default 60 s, longer than every step of a proper stop takes. */
  stopWithinMs?: number
}

export interface WorkerLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
