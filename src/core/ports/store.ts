/** The ports: the interfaces through which the core uses the stores. Each has a test suite in
 *  `src/stores/` that every implementation passes. All times are Unix milliseconds, by the clock of
 *  this machine (embedded store) or of the database (store of several nodes). */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Hold, PricedUnits, QuotaRefusal, QuotaShare } from '../records/ledger.ts'
import type { NodeFacts, NodeOrder } from '../records/node.ts'
import type { Task, TaskEvent, TaskFailure, TaskState, WebhookTarget } from '../records/task.ts'
import type { AccountStore, KeyScopes, SecretStore } from './accounts.ts'
import type { NewBlob, StoredBlob } from './blobs.ts'
import type { Nodes } from './nodes.ts'
import type { WebhookOutbox } from './outbox.ts'
import type { CallRecord, HoldEnd, HoldRaise, OpenLine, QuotaCount, Recount, UsageFilter, UsageLine, UsageTotal } from './usage.ts'

export type {
  AccessKey,
  Account,
  AccountChanges,
  AccountOverlay,
  AccountStore,
  Endpoint,
  EndpointRoute,
  FileEntries,
  KeyScopes,
  Limits,
  Overlay,
  SecretStore,
  StoredAccounts,
} from './accounts.ts'
export type { DeadWebhook, WebhookDelivery, WebhookFailure, WebhookOutbox } from './outbox.ts'
export type { ResponseRecord, ResponseStore } from './responses.ts'
export type { HoldEnd, HoldRaise, OpenLine, QuotaCount, Recount, UsageFilter, UsageTotal } from './usage.ts'

export interface Clock {
  now(): number
}

/** Everything that a submit writes in one commit: the task, its job, its first event, its inputs
 *  and the row of its idempotency key. */
export interface NewTask {
  id: string
  accountId: string
  keyId: string
  endpoint: string
  family: string
  capability: Capability
  model: string
  /** Queue in which the job waits: the queue of its engine, or that of the target to which it
   *  will be sent (`queueOfRoute`). */
  queue: string
  /** Id of the only node that may claim the job, until this node is declared dead or releases its
   *  jobs; from then on any node may claim it. */
  pin?: string
  /** True when a caller waits for the result: the task then has one try, and its error is sent
   *  to the caller. When the job is handed back or its pin is removed, the caller no longer
   *  waits, and the task runs like any other. */
  isInline?: true
  /** The request as JSON, or the blob that contains it when it is large. That blob is not an input
   *  of the task and is deleted with the task. */
  request: { inline: JsonObject } | { blob: NewBlob }
  shown?: JsonObject
  inputs: NewBlob[]
  /** Set for a task that has failed before it could run: it is written in its final state in the
   *  same commit, without a job. */
  failure?: TaskFailure
  webhook?: WebhookTarget
  publicUrl: string
  clientReference?: string
  traceparent?: string
  /** The caller's `Idempotency-Key` (`key`), and the SHA-256 of the body in hex, by which a repeat
   *  of the same request is recognised. */
  idempotency?: { key: string; bodySha256: string; expiresAt: number }
  /** Largest number of unfinished tasks of the key (or of the account, in the next field). The jobs
   *  of further tasks are parked until one of these tasks ends. No limit by default. */
  concurrencyLimit?: number
  accountConcurrencyLimit?: number
  /** Amounts that the task may use. They are reserved in the same commit. When a quota of the key
   *  or the account has too little left, the submit is refused. By default, nothing is reserved. */
  hold?: Hold
  createdAt: number
  deadlineAt: number
  expiresAt: number
}

export type SubmitOutcome =
  | { outcome: 'created'; taskId: string }
  /** An earlier submit had the same idempotency key and the same body; nothing was written. */
  | { outcome: 'replayed'; taskId: string }
  /** An earlier submit had the same idempotency key and another body; nothing was written. */
  | { outcome: 'conflict'; taskId: string }
  /** Another task of the account has the same client reference. */
  | { outcome: 'reference-taken'; taskId: string }
  /** A quota has too little left for the task; nothing was written. */
  | { outcome: 'over-quota'; refusal: QuotaRefusal }

/** The stored neutral request: its JSON, or the id of a blob that contains a large one. */
export type StoredRequest = { inline: JsonObject } | { blobId: string }

/** A claimed job: its task, and the lease that every later write must name. */
export interface Claim {
  task: Task
  request: StoredRequest
  /** Fencing token of the lease. It grows with every claim of this job; a write with an older
   *  token changes nothing, because another node has claimed the job since. */
  token: number
  /** Number of the try, from 1. */
  attempt: number
  /** The mark that `sent` saved last; present when an earlier holder of the job has sent its
   *  generation to an upstream. */
  sent?: SentMark
  hold?: Hold
  /** Set while a caller waits for the task (`NewTask.isInline`). */
  isInline?: true
  /** True when the node that ran the job last lost it without releasing it: its process was
   *  killed, the machine lost memory or power, or its heartbeats came too late. */
  wasLost?: true
}

/** The mark of a job: the target to which its generation was sent, with the target's model and
 *  settings. The mark is saved before a paid generation is sent, and again with the handle before
 *  the first poll. After a restart, the generation is therefore resumed and never sent twice. */
export interface SentMark {
  driver: string
  target: string
  /** The upstream's name of the model. The model and the settings of the target are those at the
   *  time of the send, and a resumed run uses them even when the configuration has changed. Stores
   *  encrypt the settings. */
  model: string
  settings: JsonObject
  /** The handle by which the upstream knows the generation; absent while it is unknown whether
   *  the upstream has accepted the generation. */
  handle?: JsonObject
}

export interface Settlement {
  state: Extract<TaskState, 'succeeded' | 'failed' | 'cancelled' | 'expired'>
  result?: JsonObject
  /** Large facts that are stored with the result, such as a scene graph. They are not read for
   *  polls; `detail` and `origin` return them. */
  detail?: JsonObject
  failure?: TaskFailure
  outputs: NewBlob[]
  usage: UsageLine[]
  /** True when the upstream may charge for more than the usage, by an unknown amount: the part
   *  of the hold that the usage does not cover then stays held as an open line. When false, or
   *  when nothing is left, the hold ends. The usage is charged in both cases. */
  isOpen?: boolean
  at: number
}

export interface TaskFilter {
  accountId?: string
  state?: TaskState
  family?: string
  model?: string
  endpoint?: string
  /** Only the task that was submitted with this idempotency key is returned, and only until the key
   *  expires. Requires `accountId`. */
  idempotencyKey?: string
  /** Only tasks that a key with these scopes may see are returned. */
  scopes?: KeyScopes
  /** Only tasks with a lower id than this one are returned: pages go from the newest task to the
   *  oldest. */
  before?: string
  after?: string
  oldestFirst?: true
  /** Largest number of tasks to return, 1 to 200. */
  limit: number
}

/** The port of tasks, jobs, usage and quotas. Writes with a fencing token return false when the
 *  lease is lost. */
export interface TaskStore {
  /** Writes a new task, or finds the task of an earlier submit that was the same. Resolves after
   *  the commit is on disk. Throws `store_unavailable`. */
  submit(task: NewTask): Promise<SubmitOutcome>
  /** Returns the outcome of this submit when an earlier submit has the same idempotency key or
   *  client reference; otherwise undefined. Writes nothing. */
  earlier(task: Pick<NewTask, 'accountId' | 'clientReference' | 'idempotency' | 'createdAt'>): Promise<SubmitOutcome | undefined>
  get(id: string): Promise<Task | undefined>
  /** Returns the request of a task in the gateway's neutral form, as the worker needs it.
   *  Callers see only the part in `Task.shown`. Undefined when there is no such task. */
  request(taskId: string): Promise<StoredRequest | undefined>
  /** Returns the usage that was counted when the task ended; empty before its end. */
  taskUsage(id: string): Promise<UsageLine[]>
  getByReference(accountId: string, clientReference: string): Promise<Task | undefined>
  /** Returns the tasks that match the filter, newest first unless the filter says `oldestFirst`. */
  list(filter: TaskFilter): Promise<Task[]>
  /** Returns the events of a task after `afterSequence`, in order. */
  events(taskId: string, afterSequence: number): Promise<TaskEvent[]>

  /** Claims up to `limit` due jobs of the queue for this node; empty when none is due. Jobs that
   *  were started before are claimed first. All others are claimed from the accounts in turn,
   *  the oldest due job of each account first (docs/decisions/0008). With `accountLimit`, no
   *  waiting job of an account is claimed while this node holds that many jobs of the account in
   *  the queue. The lease ends with the heartbeat of the node; a node without a live heartbeat
   *  gets no jobs. A queued task becomes `running`. A task that was started, is being cancelled
   *  or has an unknown outcome keeps its state, from which its new run continues. Jobs that are
   *  pinned to another node are skipped. A job that cannot be read is left out, and subscribers
   *  get an `unreadable` signal. */
  claim(queue: string, nodeId: string, limit: number, now: number, accountLimit?: number): Promise<Claim[]>
  /** Claims like `claim`, but only jobs that are pinned to this node, with the oldest due job
   *  first. A node that takes no other work (one that drains, or lacks the role) claims this
   *  way, because the callers of these jobs wait at this node. */
  claimPinned(queue: string, nodeId: string, limit: number, now: number): Promise<Claim[]>
  /** Returns the names of the queues that contain a job in any state. */
  queues(): Promise<string[]>
  /** Saves a mark: the target to which the generation was sent. It replaces an earlier mark. With a
   *  handle in the mark, a task whose outcome was unknown becomes `running` again. */
  sent(taskId: string, token: number, mark: SentMark, now: number): Promise<boolean>
  /** Removes the mark that `sent` has saved, because the generation at the upstream has ended. */
  forgetSent(taskId: string, token: number): Promise<boolean>
  /** Stores the progress, 0 to 100, rounded down; a value below the stored one is ignored. False
   *  when the lease is lost or the task is being cancelled. */
  progress(taskId: string, token: number, progress: number, now: number): Promise<boolean>
  /** Adds files that the run has delivered before its end, after those delivered earlier, each
   *  with an event `task.output` (`role`, `index`). These files stay outputs of the task however
   *  the task ends. Only when the job starts anew (a claim moves a queued task to `running`) are
   *  the outputs of the earlier run dropped. */
  addOutputs(taskId: string, token: number, outputs: readonly NewBlob[], now: number): Promise<boolean>
  /** Replaces the hold of the task by `lines`, whose amounts are larger. When a quota has too
   *  little left, nothing changes; returns `lost` when the lease is lost. Throws for amounts that
   *  are negative or not numbers. */
  growHold(taskId: string, token: number, lines: PricedUnits[]): Promise<'held' | 'lost' | QuotaRefusal>
  /** Hands the job back, to run again at `runAt`. The task becomes `queued` again. There are two
   *  exceptions: a task with a handle stays `running`, and the job of a task that is being
   *  cancelled becomes due at once, so that a worker ends the task. A mark without a handle is
   *  removed, because the caller knows that the upstream has accepted nothing. */
  reschedule(taskId: string, token: number, runAt: number, reason: string, now: number): Promise<boolean>
  /** Hands the job back unchanged, to be claimed again at `runAt`: this claim does not count as a
   *  try, a mark stays, and a task without a mark becomes `queued` again. */
  postpone(taskId: string, token: number, runAt: number, reason: string, now: number): Promise<boolean>
  /** Hands back a job whose paid submit has an unknown outcome, like `reschedule`, but the mark
   *  stays and the task becomes `unknown`. The node that claims the job next first asks the
   *  upstream whether it has accepted the submit. */
  markUnknown(taskId: string, token: number, runAt: number, reason: string, now: number): Promise<boolean>
  /** Finishes the task in one commit: deletes its job, writes its usage, its outputs (after those
   *  of `addOutputs`), its event and its webhook, and makes the next parked job of the key
   *  claimable. When the lease is lost, writes nothing and returns false. */
  settle(taskId: string, token: number, settlement: Settlement): Promise<boolean>
  /** Cancels a task. A waiting task is `cancelled` at once (failure code `cancelled`). A running
   *  task becomes `cancelling`, and the node that runs it gets a `cancel` signal. A started task
   *  that waits for its next claim becomes `cancelling` and due at once, so that its claimer stops
   *  it at the upstream. A task whose outcome is unknown is `cancelled` at once. A task in a final
   *  state stays as it is (`final`). */
  cancel(taskId: string, now: number): Promise<'cancelled' | 'cancelling' | 'final' | 'missing'>
  /** Cancels the task as `cancel` does, and marks it as removed (`isRemoved`): lists omit it, and
   *  the first sweep after its end deletes it with its files. Its usage stays counted. False for an
   *  unknown task and for one that was removed before. */
  remove(taskId: string, now: number): Promise<boolean>

  /** Extends the leases of the node until `now + ttlMs`, and stores the facts that the node
   *  reports. False when the node was declared dead before: it must abandon its work and register
   *  again under a new id. */
  heartbeat(nodeId: string, now: number, ttlMs: number, facts?: NodeFacts): Promise<boolean>
  /** Hands back all jobs of the node, and removes the pins that reserve jobs for it. Any node can
   *  then claim these jobs. Returns the number of jobs. */
  release(nodeId: string, now: number): Promise<number>
  /** Declares nodes dead whose leases have ended, and makes their jobs and webhook deliveries
   *  claimable again, at their old place in the queue. A job that was not yet sent to an upstream
   *  is delayed, longer with each try, because the job itself may have crashed its node. The first
   *  try of a job on a lost node is repeated without delay. Tasks that were not started become
   *  `queued` again. Pins to nodes that are not alive are removed. Returns the number of jobs. */
  requeueDead(now: number): Promise<number>
  /** Ends tasks past their deadline as `expired` (failure code `deadline_exceeded`, with event and
   *  webhook), repairs parked jobs, and deletes expired idempotency rows; at most `limit` of each.
   *
   *  A task that a node holds, or that runs at an upstream, gets one more minute in which a worker
   *  can stop it. If no node holds such a task, its job becomes due, so that a worker claims it.
   *  Returns the ids of the tasks that a worker has to stop: overdue tasks that a node still holds,
   *  and tasks that this call has ended although a node held them (this node gets a `cancel`
   *  signal) or an upstream ran them. */
  expireOverdue(now: number, limit: number): Promise<string[]>
  /** Deletes finished tasks past `expiresAt` with their events and dead letters, blobs of finished
   *  tasks past the blobs' own `expiresAt`, and expired files of accounts. A task whose webhook
   *  still has to be delivered stays. Returns the keys of blobs that no row refers to any more, so
   *  that the caller deletes them from the blob store. */
  sweep(now: number, limit: number): Promise<{ tasks: number; blobKeys: string[] }>

  /** Holds the amounts that a call may use, when its quotas have enough left; otherwise holds
   *  nothing and returns the refusal. The hold ends with the record of the call (its `holdId`) or
   *  by `endHolds`. When the process dies before that, `record` is written with the held amounts as
   *  its usage: by the next start on a store of one process, by `requeueDead` of another node on a
   *  shared store. Throws for amounts that are negative or not numbers. */
  reserve(record: CallRecord, hold: Hold): Promise<QuotaRefusal | undefined>
  /** Raises the reserved amounts (holds) of running calls to these amounts, even above the quotas.
   *  Resolves after the commit. */
  raiseHolds(raises: HoldRaise[]): Promise<void>
  /** Ends the holds (reserved amounts) of calls that get no record, and charges what these calls
   *  have used. Resolves after the commit. */
  endHolds(ends: HoldEnd[]): Promise<void>
  quotaCounts(quotas: readonly QuotaShare[]): Promise<QuotaCount[]>
  /** Sets the used amount of a quota, for corrections by an operator. Computes the held amount
   *  again from the work in progress and the open lines. Returns the counters before and after. */
  adjustQuota(quota: QuotaShare, used: number): Promise<{ before: QuotaCount; after: QuotaCount }>
  /** Returns open lines (amounts held for tasks of unknown outcome), newest first; with `taskId`,
   *  only the line of this task. */
  openLines(filter: { accountId?: string; taskId?: string; limit: number }): Promise<OpenLine[]>
  /** Ends an open line: `charge` adds its held amount to the used amount, `release` drops it. False
   *  when the task has no open line. */
  settleOpenLine(taskId: string, outcome: 'charge' | 'release', now: number): Promise<boolean>

  /** Writes the usage of calls and relays (`settle` writes the usage of tasks). Resolves when it is
   *  on disk, together with all usage that waited in a buffer. */
  recordUsage(lines: UsageLine[]): Promise<void>
  /** Replaces the usage lines with the same ids, and changes totals and quotas by the difference
   *  between old and new lines. Writing the same lines a second time therefore changes nothing. */
  recountUsage(recount: Recount): Promise<void>
  /** Writes records of answered calls in one commit, and adds their usage and the unit `requests`
   *  to the daily totals; amounts of 0 are left out. Resolves after the commit. Throws for amounts
   *  that are negative or not numbers. */
  recordCalls(records: CallRecord[]): Promise<void>
  /** Returns records of answered calls, newest first, at most `limit` (1 to 1,000). */
  calls(filter: { accountId?: string; from: number; to: number; limit: number }): Promise<CallRecord[]>
  /** Returns totals by day, for each UTC day of which some part lies between `from` and `to`
   *  (exclusive). Each total covers its whole day. */
  usage(filter: UsageFilter): Promise<UsageTotal[]>

  /** Returns the `detail` of a task's settlement; undefined when there is none. */
  detail(taskId: string): Promise<JsonObject | undefined>
  /** Returns the `detail` of the newest task of the account that has an output with these bytes
   *  (found by their hash), and the index of that output; undefined when there is none. */
  origin(accountId: string, sha256: string): Promise<{ detail: JsonObject; index: number } | undefined>

  /** Returns the metadata of an artifact and the key of its bytes; undefined when the artifact
   *  is unknown or was deleted by a sweep. */
  blob(id: string): Promise<StoredBlob | undefined>

  /** Returns those of the blob keys to which no row refers. A crash may leave such blobs. */
  unreferenced(keys: string[]): Promise<string[]>

  nodes: Nodes
  outbox: WebhookOutbox
  accounts: AccountStore
  secrets: SecretStore

  /** Calls the listener after commits, once the callers of these writes have their results.
   *  Returns an unsubscribe function; listeners must not throw.
   *  Signals: a job became claimable (`job`, at most once per queue and commit), a task changed
   *  (`task`; not when it is created), a held task should stop (`cancel`), a webhook is due
   *  (`webhook`), the nodes of a name got an order (`order`), a job that this node claimed
   *  cannot be read (`unreadable`). Jobs and webhooks that become due by time give no signal. A
   *  task may be cancelled in the same commit that claims it; its state in the `Claim` is then
   *  already `cancelling`.
   *  The embedded store signals within its process. A store of many nodes also forwards the
   *  signals of other nodes' commits within 2 s. While notifications do not arrive, `cancel` is
   *  forwarded within 5 s, and the other kinds may be lost, because their listeners also poll. */
  subscribe(listener: (signal: StoreSignal) => void): () => void
  /** Returns the numbers for metrics and readiness: jobs by queue (ready, leased, parked), due
   *  and dead webhooks, open lines. */
  stats(): Promise<StoreStats>
  /** Throws `store_unavailable` with the reason when a commit or fsync has failed; the store then
   *  refuses all writes until it is restarted. Also throws it, with the time of a retry, while the
   *  database does not answer. */
  assertWritable(): void
  /** True while the database does not answer: writes then fail, and succeed again later. */
  isAway(): boolean
  close(): Promise<void>
}

export type StoreSignal =
  | { kind: 'job'; queue: string }
  | { kind: 'task'; taskId: string; state: TaskState }
  | { kind: 'cancel'; taskId: string }
  | { kind: 'webhook' }
  | { kind: 'order'; node: string; order: NodeOrder }
  | { kind: 'unreadable'; job: UnreadableJob }

/** A claimed job whose rows could not be read. The node that claimed it still has its lease, and
 *  must end or postpone the job. */
export interface UnreadableJob {
  taskId: string
  token: number
  /** True when the job was sent to an upstream, which may have accepted it. */
  wasSent: boolean
  /** True when the cause may be temporary, so that a later read may succeed; false when the stored
   *  rows are damaged. */
  isPassing: boolean
  error: unknown
}

/** Describes the database of the store. */
export interface StoreAbout {
  kind: 'sqlite' | 'postgresql'
  /** Version of SQLite, or of the PostgreSQL server when this process started. */
  version: string
  /** Version of the database schema. When the database has a newer schema than this program knows,
   *  this is the newest version that the program knows. */
  schema: number
}

export interface StoreStats {
  /** Jobs by queue. `oldestReadyAt`: the time at which the longest waiting claimable job became
   *  due; when none is due, the earliest time at which one becomes due. */
  queues: { queue: string; ready: number; leased: number; parked: number; oldestReadyAt?: number }[]
  webhooksDue: number
  webhooksDead: number
  openLines: number
}
