import type { DiskRoom } from '@generation-gateway/kit/disk-room.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { SlidesTemplate } from '@generation-gateway/kit/requests/slides.ts'
import type { OwnVoice } from '@generation-gateway/kit/requests/voices.ts'
import type { FamilyEntry } from '../contract/family.ts'
import type { Access } from '../core/access.ts'
import type { LinkSigner } from '../core/artifacts.ts'
import type { RateLimiter } from '../core/ledger/limits.ts'
import type { BlobStore } from '../core/ports/blobs.ts'
import type { MappedBuckets } from '../core/ports/buckets.ts'
import type { FileStore } from '../core/ports/files.ts'
import type { Signals } from '../core/ports/signals.ts'
import type { Clock, HoldEnd, HoldRaise, TaskStore } from '../core/ports/store.ts'
import type { StoredResponses } from '../core/responses.ts'
import type { Calls } from '../core/routing/calls.ts'
import type { Catalogue } from '../core/routing/catalogue.ts'
import type { Router } from '../core/routing/router.ts'
import type { TargetHealth } from '../core/routing/target-health.ts'
import type { StoreAlarm } from '../core/store-alarm.ts'
import type { EarlyOutputs } from '../core/work/early-outputs.ts'
import type { InlineRuns } from '../core/work/inline-runs.ts'
import type { TaskFeed } from '../core/work/task-feed.ts'
import type { Tasks } from '../core/work/tasks.ts'
import type { WorkerLog } from '../core/work/worker-deps.ts'
import type { RecordedCall } from './call/call-record.ts'
import type { CallsUnderway } from './connection/calls-underway.ts'
import type { Connections } from './connection/connections.ts'
import type { WrongKeys } from './connection/wrong-keys.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { RequestLog } from './metrics/request-log.ts'

/** Downloads into a file from a URL that a caller of the account sent. The URL guard refuses
 *  URLs of private networks. */
export type Download = (
  url: string,
  options: { account: string; toFile: string; maxBytes: number; field: string; signal: AbortSignal },
) => Promise<{ bytes: number }>

/** Everything that the HTTP layer needs from the rest of the program; `assemble.ts` provides it. */
export interface HttpDeps {
  families: readonly FamilyEntry[]
  catalogue: () => Catalogue
  /** Voices of the engines that this gateway runs. */
  voices: readonly OwnVoice[]
  /** Templates of the engines, by engine id. */
  templates: ReadonlyMap<string, readonly SlidesTemplate[]>
  /** Returns the current content of the section with this name in the configuration file;
   *  families declare such sections. */
  section: (name: string) => unknown
  /** Returns the currency of prices and budgets. */
  currency: () => string
  store: TaskStore
  blobs: BlobStore
  buckets: MappedBuckets
  tasks: Tasks
  runs: InlineRuns
  /** Outputs of the runs on this node, readable while a run is still creating them. */
  early: Pick<EarlyOutputs, 'begun' | 'read'>
  router: Router
  health: TargetHealth
  calls: Calls
  /** Reads the headers of files that callers sent, such as the size of an image. */
  inspection: Pick<Inspection, 'readMedia'>
  responses: StoredResponses
  files: FileStore
  /** Stores the record of an answered call; never throws. `status` is the HTTP status that the
   *  caller got. */
  recordCall(call: RecordedCall, status: number): void
  /** Raises the amount held for a running call to its usage so far; never throws. */
  raiseHold(raise: HoldRaise): void
  /** The running calls, which have to be ended when the gateway stops. */
  underway: CallsUnderway
  /** Releases the amount held for a call for which no record is written; never throws. */
  endHold(end: HoldEnd): void
  access: Access
  connections: Connections
  wrongKeys: WrongKeys
  limiter: RateLimiter
  links: LinkSigner
  clock: Clock
  /** Unix milliseconds. */
  startedAt: number
  log: WorkerLog
  alarm: StoreAlarm
  requestLog: RequestLog
  metrics: Metrics
  feed: TaskFeed
  download: Download
  /** Checks the form of a URL that a caller gave for later use, such as a webhook. Throws
   *  `invalid_request` when the form is not allowed. */
  checkUrl(url: string, field: string): void
  /** Checks a URL that an upstream opens itself. Throws `invalid_request` for everything but a
   *  plain http(s) URL of a host that is public by its name. */
  checkLink(url: string, field: string): void
  settings: {
    publicUrl: string | undefined
    trustProxy: boolean
    keepMs: number
    corsOrigins: readonly string[]
    /** True for a node with the role api. Other nodes do not serve the operations of families. */
    isApi: boolean
  }
  signals: Pick<Signals, 'publish'>
  /** The disk to which bodies and outputs are written, with the space reserved on it. */
  disk: DiskRoom
  /** Throws `draining`, `disk_full` or `store_unavailable` when the gateway cannot accept new
   *  work. */
  assertAccepting(): void
  /** Does the same as `assertAccepting`, for a call that needs the store only for its usage
   *  record. Such a call is accepted without the store, because its record can be written later. */
  assertAcceptingCall(): void
}
