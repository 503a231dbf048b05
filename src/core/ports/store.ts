/** The ports: interfaces the core needs from the outside. Each has a suite in `src/stores/` that
 *  every implementation passes. All times are Unix milliseconds, taken from the caller's clock on
 *  the embedded store. */

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

/** Everything a submit writes in one commit: task, job, first event, inputs and the idempotency
 *  row. */
export interface NewTask {
  id: string
  accountId: string
  keyId: string
  endpoint: string
  family: string
  capability: Capability
  model: string
  /** Queue the job waits in; one per engine pool, `upstream` for the rest. */
  queue: string
  /** Only this node may claim the job, until the node is declared dead or releases its jobs; then
   *  any node may. */
  pin?: string
  /** A caller waits for the result: the task has one try, and its error is the answer. Once the job
   *  is handed back or its pin is removed, the caller is gone, and the task runs like any other. */
  isInline?: true
  /** The request as JSON, or for a large one the blob that holds it; that blob is not an input of
   *  the task and is deleted with it. */
  request: { inline: JsonObject } | { blob: NewBlob }
  shown?: JsonObject
  inputs: NewBlob[]
  /** The task has failed already: it is written in its final state in the same commit, without a
   *  job. */
  failure?: TaskFailure
  webhook?: WebhookTarget
  publicUrl: string
  clientReference?: string
  traceparent?: string
  /** `key` is the caller's `Idempotency-Key`; `bodySha256` (hex) shows if a repeat is the same
   *  request. */
  idempotency?: { key: string; bodySha256: string; expiresAt: number }
  /** At most this many unfinished tasks of the key, and of the account, are runnable; further ones
   *  are parked. Absent: no limit. */
  concurrencyLimit?: number
  accountConcurrencyLimit?: number
  /** Amounts the task may use: held in the same commit, or refused when one of its quotas has no
   *  room. Absent: nothing. */
  hold?: Hold
  createdAt: number
  deadlineAt: number
  expiresAt: number
}

export type SubmitOutcome =
  | { outcome: 'created'; taskId: string }
  /** The same key and body were submitted before: nothing was written. */
  | { outcome: 'replayed'; taskId: string }
  /** The idempotency key was used with another body. */
  | { outcome: 'conflict'; taskId: string }
  /** Another task of the account has the client reference. */
  | { outcome: 'reference-taken'; taskId: string }
  /** A quota has no room for it: nothing was written. */
  | { outcome: 'over-quota'; refusal: QuotaRefusal }

/** The stored neutral request: its JSON, or for a large one the id of the blob that holds it. */
export type StoredRequest = { inline: JsonObject } | { blobId: string }

/** A claimed job: the task and the lease that every later write must carry. */
export interface Claim {
  task: Task
  request: StoredRequest
  /** Fencing token: grows with every claim of this job. A write with an older token changes
   *  nothing. */
  token: number
  /** 1 for the first try. */
  attempt: number
  /** The mark that `sent` saved last; present when an earlier holder of the job had sent the
   *  generation. */
  sent?: SentMark
  hold?: Hold
  /** As submitted; absent once no caller can wait for the task. */
  isInline?: true
  /** The node that ran it last ended without releasing it: it was killed, or ran out of memory or
   *  power. */
  wasLost?: true
}

/** The target a generation was sent to, with model and settings: saved before a paid generation is
 *  sent, and again with its handle before the first poll, so that a restart resumes it and never
 *  sends it twice. */
export interface SentMark {
  driver: string
  target: string
  /** The upstream's name of the model, and the settings of the target: the run resumes with these,
   *  even if the configuration has changed. Stores keep the settings encrypted. */
  model: string
  settings: JsonObject
  /** Absent while it is not known if the upstream has accepted the generation. */
  handle?: JsonObject
}

export interface Settlement {
  state: Extract<TaskState, 'succeeded' | 'failed' | 'cancelled' | 'expired'>
  result?: JsonObject
  /** Large facts stored beside the result and not read by polls (a scene graph); returned by
   *  `origin` and `detail`. */
  detail?: JsonObject
  failure?: TaskFailure
  outputs: NewBlob[]
  usage: UsageLine[]
  /** The upstream may charge for more than the usage, and the amount is not known yet: the rest of
   *  the hold stays held as an open line, unless nothing is left. Otherwise the hold ends. The
   *  usage counts in both cases. */
  isOpen?: boolean
  at: number
}

export interface TaskFilter {
  accountId?: string
  state?: TaskState
  family?: string
  model?: string
  endpoint?: string
  /** Only the task that the account (required) submitted with this key, as long as a repeat of it
   *  would be recognised. */
  idempotencyKey?: string
  /** Only tasks that a key with these scopes may see. */
  scopes?: KeyScopes
  /** Only tasks with an id below this one: pages run from newest to oldest. */
  before?: string
  after?: string
  oldestFirst?: true
  /** 1 to 200. */
  limit: number
}

/** Tasks, jobs, usage and quotas. Writes with a token return false when the lease is lost. */
export interface TaskStore {
  /** Writes a new task, or finds the one that an earlier equal submit made. Resolves after the
   *  commit is on disk. Throws `store_unavailable`. */
  submit(task: NewTask): Promise<SubmitOutcome>
  /** Returns the outcome this submit would have because of an earlier one with the same idempotency
   *  key or client reference; undefined when there was none. */
  earlier(task: Pick<NewTask, 'accountId' | 'clientReference' | 'idempotency' | 'createdAt'>): Promise<SubmitOutcome | undefined>
  get(id: string): Promise<Task | undefined>
  /** Returns the neutral request of the capability, as the worker runs it; families show
   *  `Task.shown`. Undefined when there is no such task. */
  request(taskId: string): Promise<StoredRequest | undefined>
  /** Usage counted when the task ended; empty before. */
  taskUsage(id: string): Promise<UsageLine[]>
  getByReference(accountId: string, clientReference: string): Promise<Task | undefined>
  /** Newest first. */
  list(filter: TaskFilter): Promise<Task[]>
  /** History after `afterSequence`, in order. */
  events(taskId: string, afterSequence: number): Promise<TaskEvent[]>

  /** Claims up to `limit` due jobs of the queue for this node: started ones first, then in turn
   *  between accounts, oldest due first within one (docs/decisions/0008); empty when none is due.
   *  With `accountLimit`, waiting jobs of an account are skipped while this node holds that many of
   *  its jobs in the queue. The lease belongs to the node: it ends when the node's heartbeat does.
   *  Moves a queued task to `running`; a task that was started, is being cancelled or is of unknown
   *  fate keeps its state, from which the claimer resumes it. Empty for a node without a live
   *  heartbeat. Jobs pinned to another node are skipped. A job that cannot be read is left out:
   *  subscribers get an `unreadable` signal. */
  claim(queue: string, nodeId: string, limit: number, now: number, accountLimit?: number): Promise<Claim[]>
  /** Claims as `claim` does, but only jobs that are pinned to this node, oldest due first: their
   *  callers wait at a node that takes no other work. */
  claimPinned(queue: string, nodeId: string, limit: number, now: number): Promise<Claim[]>
  /** Names of the queues that have a job in any state. */
  queues(): Promise<string[]>
  /** Saves where the generation was sent, replacing an earlier mark; with a handle, a task of
   *  unknown fate becomes `running` again. */
  sent(taskId: string, token: number, mark: SentMark, now: number): Promise<boolean>
  /** Removes the mark, because the generation has ended at the upstream. */
  forgetSent(taskId: string, token: number): Promise<boolean>
  /** 0 to 100, rounded down; lower values than stored are ignored. False when the lease is lost or
   *  the task is being cancelled. */
  progress(taskId: string, token: number, progress: number, now: number): Promise<boolean>
  /** Adds files that the run delivered before its end, behind those delivered earlier, each with an
   *  event `task.output` (`role`, `index`). They stay outputs of the task however it ends, until
   *  the job starts anew: a claim that moves a queued task to `running` drops the outputs of an
   *  earlier run. */
  addOutputs(taskId: string, token: number, outputs: readonly NewBlob[], now: number): Promise<boolean>
  /** Replaces the task's hold with `lines`, which hold more. A quota without room refuses this, and
   *  nothing changes; `lost` when the lease is lost. Throws for amounts that are negative or not
   *  numbers. */
  growHold(taskId: string, token: number, lines: PricedUnits[]): Promise<'held' | 'lost' | QuotaRefusal>
  /** Hands the job back to run again at `runAt`; the task becomes `queued` again unless it has a
   *  handle (then it stays `running`) or is being cancelled (then it is due at once, to be ended).
   *  A mark without a handle is removed: the caller knows that the upstream accepted nothing. */
  reschedule(taskId: string, token: number, runAt: number, reason: string, now: number): Promise<boolean>
  /** Hands the job back as it was claimed, to be claimed again at `runAt`: the claim does not count
   *  as a try, a mark stays, and a task without one is `queued` again. */
  postpone(taskId: string, token: number, runAt: number, reason: string, now: number): Promise<boolean>
  /** Like `reschedule`, for a paid submit of unknown fate: it keeps its mark, the task becomes
   *  `unknown`, and the next claimer looks the submit up before anything else. */
  markUnknown(taskId: string, token: number, runAt: number, reason: string, now: number): Promise<boolean>
  /** Finishes the task, deletes the job, writes usage lines, outputs (behind those of
   *  `addOutputs`), the event and the webhook row, and unparks the key's next job, all in one
   *  commit. False when the lease is lost: then nothing is written. */
  settle(taskId: string, token: number, settlement: Settlement): Promise<boolean>
  /** Cancels a task: waiting jobs are cancelled at once (`cancelled`, with failure code
   *  `cancelled`), running ones become `cancelling` and their holder gets a `cancel` signal. A
   *  started task that waits for its next claim becomes `cancelling` and due at once, so that its
   *  claimer stops it upstream; one of unknown fate is cancelled at once. Tasks in a final state
   *  stay as they are (`final`). */
  cancel(taskId: string, now: number): Promise<'cancelled' | 'cancelling' | 'final' | 'missing'>
  /** Cancels as `cancel` does, and marks the task as removed (`isRemoved`): lists leave it out from
   *  now on, and the first sweep after its end deletes it with its files. Its usage stays counted.
   *  False when there is no task with this id, or it was removed before. */
  remove(taskId: string, now: number): Promise<boolean>

  /** Extends the node's leases until `now + ttlMs`, and stores what the node reports of itself.
   *  False when the node had already been declared dead: it must drop its work and register
   *  anew. */
  heartbeat(nodeId: string, now: number, ttlMs: number, facts?: NodeFacts): Promise<boolean>
  /** Hands back all jobs of the node, ready to run, and removes its pins. Returns how many it
   *  handed back. */
  release(nodeId: string, now: number): Promise<number>
  /** Declares nodes past their lease dead and makes their jobs and webhook deliveries ready again,
   *  at their old place in the queue; unstarted tasks are `queued` again. Pins to nodes that are
   *  not alive are removed. Returns how many jobs it made ready. */
  requeueDead(now: number): Promise<number>
  /** Ends tasks past their deadline as `expired` (failure code `deadline_exceeded`, with event and
   *  webhook), repairs parked jobs, and deletes expired idempotency rows. At most `limit` of each.
   *  Tasks that a node holds or that run upstream get one minute in which a worker can stop them
   *  there; those without a holder become due for that. Returns ids of tasks to stop: overdue ones
   *  that a node holds, and ended ones that a node held (it also gets a `cancel` signal) or that
   *  run upstream. */
  expireOverdue(now: number, limit: number): Promise<string[]>
  /** Deletes finished tasks past `expiresAt` with events and dead webhooks, blobs of finished tasks
   *  past their own `expiresAt`, and expired files of accounts; a task whose webhook is still to be
   *  delivered is kept. Returns blob keys that no row points to any more, for deletion in the blob
   *  store. */
  sweep(now: number, limit: number): Promise<{ tasks: number; blobKeys: string[] }>

  /** Holds the amounts a call may use; undefined when there was room for all of them. The hold ends
   *  with the call's record (`holdId` of `record`) or by `endHolds`. When the process dies before
   *  that, `record` is written with the held amounts as its counts: by the next opening of a store
   *  of one process, by `requeueDead` on another node of a shared one.
   *  Throws for amounts that are negative or not numbers. */
  reserve(record: CallRecord, hold: Hold): Promise<QuotaRefusal | undefined>
  /** Raises holds to these amounts even without room in the quotas. Resolves after the commit. */
  raiseHolds(raises: HoldRaise[]): Promise<void>
  /** Ends holds of calls that have no record. Resolves after the commit. */
  endHolds(ends: HoldEnd[]): Promise<void>
  quotaCounts(quotas: readonly QuotaShare[]): Promise<QuotaCount[]>
  /** Sets the used amount of a quota, and recomputes the held amount from work in progress and open
   *  lines. Returns the counter before and after. */
  adjustQuota(quota: QuotaShare, used: number): Promise<{ before: QuotaCount; after: QuotaCount }>
  /** Newest first. */
  openLines(filter: { accountId?: string; limit: number }): Promise<OpenLine[]>
  /** Ends an open line: `charge` adds the held amount to the used amount, `release` drops it. False
   *  when the task has no open line. */
  settleOpenLine(taskId: string, outcome: 'charge' | 'release', now: number): Promise<boolean>

  /** Usage of calls and relays (tasks write theirs in `settle`). Buffered writes are on disk when
   *  it resolves. */
  recordUsage(lines: UsageLine[]): Promise<void>
  /** Replaces the lines with the same ids, and moves totals and quotas by the difference; writing
   *  the same lines again changes nothing. */
  recountUsage(recount: Recount): Promise<void>
  /** Writes records of answered calls, and adds their usage to the daily totals, beside the unit
   *  `requests`; zeros are left out. One commit for the batch; resolves after it. Throws for
   *  amounts that are negative or not numbers. */
  recordCalls(records: CallRecord[]): Promise<void>
  /** Records of calls, newest first, at most `limit` (1 to 1,000). */
  calls(filter: { accountId?: string; from: number; to: number; limit: number }): Promise<CallRecord[]>
  /** Totals of the whole UTC days that `from` to `to` (exclusive) touch, by day. */
  usage(filter: UsageFilter): Promise<UsageTotal[]>

  /** Returns the `detail` of a task's settlement; undefined when there is none. */
  detail(taskId: string): Promise<JsonObject | undefined>
  /** Returns the detail of the newest task of the account that made an output with these bytes
   *  (indexed by hash), and the index of that output. */
  origin(accountId: string, sha256: string): Promise<{ detail: JsonObject; index: number } | undefined>

  /** Returns metadata of an artifact with the key of its bytes; undefined when unknown or swept. */
  blob(id: string): Promise<StoredBlob | undefined>

  /** Returns those of the blob keys that no row points to after a crash. */
  unreferenced(keys: string[]): Promise<string[]>

  nodes: Nodes
  outbox: WebhookOutbox
  accounts: AccountStore
  secrets: SecretStore

  /** Called after commits, once the callers of those writes have their results: a job became
   *  ready (`job`, at most once per queue and commit), a task changed (`task`; not for its
   *  creation), a held task should stop (`cancel`), a webhook is due (`webhook`), the nodes of a
   *  name got an order (`order`). Jobs and webhooks that become due by time give no signal. A
   *  task cancelled in the commit of its claim is `cancelling` in the `Claim`. In-process on the
   *  embedded store. A store of many nodes also passes on the signals of the others' commits,
   *  within 2 s: `cancel` always, within 5 s while notifications do not arrive; the other kinds
   *  may be lost then, as their listeners look for themselves. `unreadable` is for the node that
   *  claimed. Listeners must not throw. Returns an unsubscribe function. */
  subscribe(listener: (signal: StoreSignal) => void): () => void
  /** Numbers for metrics and readiness: jobs waiting and leased by queue, webhooks due and dead. */
  stats(): Promise<StoreStats>
  /** Throws `store_unavailable` with the reason once a commit or fsync has failed; the store then
   *  refuses all writes until restart. Throws it, with a time to retry after, while the database is
   *  away. */
  assertWritable(): void
  /** True while the database does not answer: writes fail, and succeed again once it answers. */
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

/** A claimed job whose rows could not be read. The claimer holds its lease, and ends or postpones
 *  it. */
export interface UnreadableJob {
  taskId: string
  token: number
  /** True when something was sent for it, which the upstream may have accepted. */
  wasSent: boolean
  /** True when another read may succeed; otherwise the stored rows are damaged. */
  isPassing: boolean
  error: unknown
}

/** The database of the store. */
export interface StoreAbout {
  kind: 'sqlite' | 'postgresql'
  /** Version of SQLite, or of the server at the last start of this process. */
  version: string
  /** Version of the schema. */
  schema: number
}

export interface StoreStats {
  /** `oldestReadyAt`: the time at which the longest waiting ready job became due, or the earliest
   *  time at which one becomes due. */
  queues: { queue: string; ready: number; leased: number; parked: number; oldestReadyAt?: number }[]
  webhooksDue: number
  webhooksDead: number
  openLines: number
}
