import type { FamilyEntry } from '../contract/family.ts'
import type { Access } from '../core/access.ts'
import type { LinkSigner } from '../core/artifacts.ts'
import type { Calls } from '../core/calls.ts'
import type { Catalogue } from '../core/catalogue.ts'
import type { RateLimiter } from '../core/limits.ts'
import type { BlobStore, Clock, EndedHold, RaisedHold, TaskStore } from '../core/ports.ts'
import type { StoredResponses } from '../core/responses.ts'
import type { Router } from '../core/router.ts'
import type { StoreTrouble } from '../core/store-trouble.ts'
import type { TargetHealth } from '../core/target-health.ts'
import type { Tasks } from '../core/tasks.ts'
import type { WorkerLog } from '../core/worker.ts'
import type { RecordedCall } from './call-record.ts'
import type { Connections } from './connections.ts'
import type { Metrics } from './metrics.ts'
import type { RequestLog } from './request-log.ts'
import type { TaskFeed } from './task-events.ts'
import type { Underway } from './underway.ts'
import type { WrongKeys } from './wrong-keys.ts'

/** Fetches a URL a caller gave into a file, through the URL guard. */
export type Download = (url: string, options: { toFile: string; maxBytes: number; field: string }) => Promise<{ bytes: number }>

/** What the HTTP layer is made of; `main.ts` joins it. */
export interface HttpDeps {
  families: readonly FamilyEntry[]
  catalogue: () => Catalogue
  /** Of prices and budgets. */
  currency: () => string
  store: TaskStore
  blobs: BlobStore
  tasks: Tasks
  router: Router
  health: TargetHealth
  calls: Calls
  responses: StoredResponses
  /** Keeps the record of an answered call; never throws. `status` as the caller got it. */
  recordCall(call: RecordedCall, status: number): void
  /** Puts on record what a call under way has come to; never throws. */
  raiseHold(raise: RaisedHold): void
  /** Calls that a stop has to end. */
  underway: Underway
  /** Ends the hold of a call without a record; never throws. */
  endHold(end: EndedHold): void
  access: Access
  connections: Connections
  wrongKeys: WrongKeys
  limiter: RateLimiter
  links: LinkSigner
  clock: Clock
  /** Unix milliseconds. */
  startedAt: number
  log: WorkerLog
  trouble: StoreTrouble
  requestLog: RequestLog
  metrics: Metrics
  feed: TaskFeed
  download: Download
  /** Checks the form of a URL a caller gave for later use (webhooks). Throws `invalid_request`. */
  checkUrl(url: string, field: string): void
  settings: {
    publicUrl: string | undefined
    trustProxy: boolean
    keepMs: number
    corsOrigins: readonly string[]
  }
  /** A look at the task is due: its upstream says that there is news. */
  wake(taskId: string): void
  /** Throws `draining` or `disk_full` when nothing new may be accepted. */
  assertAccepting(): void
}
