import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { Duty } from '../duty.ts'
import type { BlobStore } from '../ports/blobs.ts'
import type { Clock, TaskStore } from '../ports/store.ts'
import type { NodeFacts, NodeRole } from '../records/node.ts'
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
  /** Returns the URL that an upstream calls to report that the task has changed; undefined when
   *  the gateway has no public address. */
  wakeUrl(task: Task): string | undefined
  /** Passes a part of a run to the caller that waits for it. Returns a promise while the caller
   *  is too slow; the run waits for it. */
  tell?(taskId: string, part: RunPart): Promise<void> | undefined
  /** True when a caller receives the parts of this task. Without this function, always true. */
  hears?(taskId: string): boolean
  /** Writes outputs while they are produced, so that callers can stream them. When absent,
   *  outputs can be read only after the run. */
  early?: Pick<EarlyOutputs, 'open'>
  /** Private requests that callers sent to this process and whose runs have not begun. */
  privates?: PrivateRequests
  /** Says whether this node takes new work; by default it always does. */
  duty?: Duty
  /** Roles of this node; all when absent. Jobs of queues for which this node lacks the role are
   *  left to other nodes, except jobs whose callers wait at this node. */
  roles?: readonly NodeRole[]
  /** Returns the number of runs for other nodes that take slots of this queue; default 0. */
  foreignRuns?(queue: string): number
  /** Returns the reason why blobs can be neither stored nor read now; undefined when they can.
   *  Meanwhile, the worker claims only jobs whose callers wait at this node. */
  blobProblem?(): string | undefined
  /** Returns the facts that this node reports with each heartbeat; without it, none are
   *  reported. */
  facts?: () => NodeFacts
  clock: Clock
  log: WorkerLog
  /** The alarm that logs outages of the store. When absent, the worker creates its own. */
  alarm?: StoreAlarm
  /** Time in ms in which a run must end after the worker has stopped it. When it does not end,
   *  the worker frees its slot anyway. Default 60 s, longer than every step of a proper stop
   *  takes. */
  stopWithinMs?: number
}

export interface WorkerLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
