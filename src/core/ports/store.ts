/** The ports: what the core needs from the outside. Each has a suite in `src/stores/` that every implementation passes.
 *  All times are Unix milliseconds, taken from the caller's clock on the embedded store. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Hold, PricedUnits, QuotaRefusal, QuotaShare } from '../records/ledger.ts'
import type { Task, TaskEvent, TaskFailure, TaskState, WebhookTarget } from '../records/task.ts'
import type { AccountStore, KeyScopes } from './accounts.ts'
import type { NewBlob, StoredBlob } from './blobs.ts'
import type { CallRecord, EndedHold, OpenLine, QuotaCount, RaisedHold, Recount, UsageFilter, UsageLine, UsageTotal } from './usage.ts'

export type {
  AccessKey,
  Account,
  AccountOverlay,
  AccountStore,
  Endpoint,
  EndpointRoute,
  KeyScopes,
  Limits,
  Overlay,
  StoredAccounts,
} from './accounts.ts'
export type { ResponseRecord, ResponseStore } from './responses.ts'
export type { EndedHold, OpenLine, QuotaCount, RaisedHold, Recount, UsageFilter, UsageTotal } from './usage.ts'

export interface Clock {
  now(): number
}

/** What a submit writes in one commit: task, job, first event, inputs and the idempotency row. */
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
  /** Only this node may claim the job, until it is declared dead or releases its jobs: then any may. */
  pin?: string
  /** Its caller waits for it: one try, whose error is the answer. Once the job has been given back, or its pin taken away, nobody waits, and it is a task like any other. */
  isInline?: true
  /** Its JSON, or for a large one the blob that holds it; that is no input of the task, and goes with it. */
  request: { inline: JsonObject } | { blob: NewBlob }
  /** Given back as `Task.shown`. */
  shown?: JsonObject
  inputs: NewBlob[]
  /** It has failed already: written with its end in the same commit, and without a job. */
  failure?: TaskFailure
  webhook?: WebhookTarget
  publicUrl: string
  clientReference?: string
  traceparent?: string
  /** `key` is the caller's `Idempotency-Key`; `bodySha256` (hex) tells whether a repeat is the same request. */
  idempotency?: { key: string; bodySha256: string; expiresAt: number }
  /** At most this many unfinished tasks of the key, and of the account, are runnable; more wait as parked. Absent: no limit. */
  concurrencyLimit?: number
  accountConcurrencyLimit?: number
  /** What it may use up: noted in the same commit, or refused when a quota of it has no room. Absent: nothing. */
  hold?: Hold
  createdAt: number
  deadlineAt: number
  expiresAt: number
}

export type SubmitOutcome =
  | { outcome: 'created'; taskId: string }
  /** The same key and body came before: nothing was written. */
  | { outcome: 'replayed'; taskId: string }
  /** The idempotency key was used with another body. */
  | { outcome: 'conflict'; taskId: string }
  /** The client reference is taken by another task of the account. */
  | { outcome: 'reference-taken'; taskId: string }
  /** A quota has no room for it: nothing was written. */
  | { outcome: 'over-quota'; refusal: QuotaRefusal }

/** What is kept of the neutral request: its JSON, or for a large one the id of the blob that holds it. */
export type StoredRequest = { inline: JsonObject } | { blobId: string }

/** A claimed job: the task and the lease that every later write must carry. */
export interface Claim {
  task: Task
  request: StoredRequest
  /** Fencing token: grows with every claim of this job. A write with an older one changes nothing. */
  token: number
  /** 1 for the first try. */
  attempt: number
  /** What `sent` saved last: present when an earlier holder of the job had sent it. */
  sent?: SentMark
  /** As it was submitted with. */
  hold?: Hold
  /** As it was submitted, as long as somebody may wait for it. */
  isInline?: true
  /** The node that ran it last ended without a word: it was killed, or there was no memory or power. */
  wasLost?: true
}

/** Where a generation was sent, with what it was sent: saved before a paid one is sent, and again with its handle before the first look, so that a restart goes on from there and never sends it twice. */
export interface SentMark {
  driver: string
  target: string
  /** The upstream's name of the model, and the settings of the target: with these it goes on, whatever the configuration says by then. Stores keep the settings encrypted. */
  model: string
  settings: JsonObject
  /** Absent while it is not known whether the upstream has taken it. */
  handle?: JsonObject
}

export interface Settlement {
  state: Extract<TaskState, 'succeeded' | 'failed' | 'cancelled' | 'expired'>
  result?: JsonObject
  /** Large facts kept beside the result and not read by polls (a scene graph); given back by `origin` and `detail`. */
  detail?: JsonObject
  failure?: TaskFailure
  outputs: NewBlob[]
  usage: UsageLine[]
  /** The upstream may charge for more than the usage, and nobody can say so now: the rest of what was held stays held, as an open line, unless there is none. Otherwise the hold ends. The usage counts. */
  isOpen?: boolean
  at: number
}

export interface TaskFilter {
  accountId?: string
  state?: TaskState
  family?: string
  model?: string
  endpoint?: string
  /** Only the task that the account (which has to be given) submitted with this key, while a repeat of it is known. */
  idempotencyKey?: string
  /** Only tasks that a key with these scopes may see. */
  scopes?: KeyScopes
  /** Only tasks with an id below this one: pages run from new to old. */
  before?: string
  /** Only tasks with an id above this one. */
  after?: string
  /** Pages run from old to new. */
  oldestFirst?: true
  /** 1 to 200. */
  limit: number
}

export interface TaskStore {
  /** Writes a new task, or finds the one an earlier equal submit made. Resolves after the commit is on disk. Throws `store_unavailable`. */
  submit(task: NewTask): Promise<SubmitOutcome>
  /** What an earlier submit with the same idempotency key or client reference makes of this one; undefined when there was none. A look ahead: `submit` decides. */
  earlier(task: Pick<NewTask, 'accountId' | 'clientReference' | 'idempotency' | 'createdAt'>): Promise<SubmitOutcome | undefined>
  get(id: string): Promise<Task | undefined>
  /** The neutral request of the capability, as the worker runs it; families show `Task.shown`. Undefined when there is no such task. */
  request(taskId: string): Promise<StoredRequest | undefined>
  /** What was counted when the task ended; empty before. */
  taskUsage(id: string): Promise<UsageLine[]>
  getByReference(accountId: string, clientReference: string): Promise<Task | undefined>
  /** Newest first. */
  list(filter: TaskFilter): Promise<Task[]>
  /** History after `afterSequence`, in order. */
  events(taskId: string, afterSequence: number): Promise<TaskEvent[]>

  /** Claims up to `limit` due jobs of the queue for this node: begun ones first, then in turn between accounts, oldest due first within one (docs/decisions/0008); empty when none is due. With `accountLimit`, waiting jobs of an account of which this node holds that many in the queue are passed over. The lease is the node's: it ends when the node's heartbeat does.
   *  Moves a queued task to `running`; one that was started, is being cancelled or is of unknown fate keeps its state, for the claimer to go on from.
   *  Only for a node with a live heartbeat: empty for one that never sent any or is past its lease. Jobs pinned to another node are not for it. Safe to call from many nodes.
   *  A job that cannot be read is not among them and harms no other: subscribers are told of it (`unreadable`). */
  claim(queue: string, nodeId: string, limit: number, now: number, accountLimit?: number): Promise<Claim[]>
  /** Names of the queues that have a job, whatever its state. */
  queues(): Promise<string[]>
  /** Saves where the generation was sent, in place of an earlier mark; with a handle, a task of unknown fate is `running` again. False when the lease is lost. */
  sent(taskId: string, token: number, mark: SentMark, now: number): Promise<boolean>
  /** Takes the mark away: what was sent has ended there. False when the lease is lost. */
  forgetSent(taskId: string, token: number): Promise<boolean>
  /** 0 to 100, rounded down; lower values than stored are ignored. False when the lease is lost or the task is being cancelled. */
  progress(taskId: string, token: number, progress: number, now: number): Promise<boolean>
  /** Adds files that the run has given while it goes on, behind those it gave before, each with an event `task.output` (`role`, `index`). They stay outputs of the task however it ends, until the job begins anew: a claim that
   *  moves a queued task to `running` drops what an earlier run has left. False when the lease is lost. */
  addOutputs(taskId: string, token: number, outputs: readonly NewBlob[], now: number): Promise<boolean>
  /** Puts `lines` in the place of what the task holds, which is less. A quota without room refuses it, and changes nothing; `lost` when the lease is. Throws for amounts that are negative or no numbers. */
  growHold(taskId: string, token: number, lines: PricedUnits[]): Promise<'held' | 'lost' | QuotaRefusal>
  /** Gives the job back to run again at `runAt`; the task becomes `queued` again unless it has a handle (then it stays `running`) or is being cancelled (then it is due at once, to be ended). A mark without a handle is taken away: the caller knows that nothing was taken.
   *  `reason` is a word or sentence for the history, which callers see. False when the lease is lost. */
  reschedule(taskId: string, token: number, runAt: number, reason: string, now: number): Promise<boolean>
  /** Gives the job back as it was claimed, to be claimed again at `runAt`: the claim counts no try, a mark stays, and a task without one is `queued` again. For a run that nobody could begin. False when the lease is lost. */
  postpone(taskId: string, token: number, runAt: number, reason: string, now: number): Promise<boolean>
  /** Like `reschedule` for a paid submit whose fate is not known: it keeps its mark, the task becomes `unknown`, and whoever claims it looks it up before anything else. */
  markUnknown(taskId: string, token: number, runAt: number, reason: string, now: number): Promise<boolean>
  /** Finishes the task, deletes the job, writes usage lines, outputs (behind those of `addOutputs`), the event and the webhook row, and unparks the key's next job, all in one commit. False when the lease is lost: then nothing is written. */
  settle(taskId: string, token: number, settlement: Settlement): Promise<boolean>
  /** Asks for an end: waiting jobs are cancelled at once (`cancelled`, with failure code `cancelled`), running ones become `cancelling` and their holder is told by a `cancel` signal.
   *  A started task that waits for its next claim becomes `cancelling` and due at once, so that its claimer stops it upstream; one of unknown fate is cancelled at once. Final tasks stay as they are (`final`). */
  cancel(taskId: string, now: number): Promise<'cancelled' | 'cancelling' | 'final' | 'missing'>
  /** Asks for an end as `cancel` does, and gives the task up (`isRemoved`): lists leave it out from now on, and the first sweep after its end takes it with its files. What was counted stays. False when there is none of this id, or it was given up before. */
  remove(taskId: string, now: number): Promise<boolean>

  /** Keeps the node's leases until `now + ttlMs`. False when the node had already been declared dead: it must drop its work and register anew. */
  heartbeat(nodeId: string, now: number, ttlMs: number): Promise<boolean>
  /** Hands back all jobs of the node, ready to run, and takes its pins away (graceful stop). Returns how many it handed back. */
  release(nodeId: string, now: number): Promise<number>
  /** Declares nodes past their lease dead and makes their jobs and webhook deliveries ready again, at their old place in the queue; unstarted tasks are `queued` again. Pins to nodes that are not alive are taken away. Returns how many jobs it made ready. */
  requeueDead(now: number): Promise<number>
  /** Ends tasks past their deadline as `expired` (failure code `deadline_exceeded`, with event and webhook), repairs parked jobs, and forgets idempotency rows that are due. At most `limit` of each.
   *  Those that a node holds or that run upstream are left to a worker for a minute, which stops them there; the ones nobody holds become due for that.
   *  Returns ids of tasks that are to be stopped: overdue ones that a node holds, and those it ended that a node held or that run upstream; holders of ended ones also get a `cancel` signal. */
  expireOverdue(now: number, limit: number): Promise<string[]>
  /** Deletes finished tasks past `expiresAt` with events and dead webhooks, blobs of finished tasks past their own `expiresAt`, and files of accounts past theirs; a task whose webhook is still to be delivered is kept.
   *  Returns blob keys no row points to any more, for deletion in the blob store. Idempotency rows live until their own end. */
  sweep(now: number, limit: number): Promise<{ tasks: number; blobKeys: string[] }>

  /** Notes what a call may use up; undefined when there was room for all of it. It ends with the call's record (`holdId` of `record`) or by `endHolds`. When the process dies before, the next opening of the store
   *  writes `record` with the held amounts as its counts. Throws for amounts that are negative or no numbers. */
  reserve(record: CallRecord, hold: Hold): Promise<QuotaRefusal | undefined>
  /** Raises holds to these amounts, whether or not there is room: it was delivered. Resolves after the commit. */
  raiseHolds(raises: RaisedHold[]): Promise<void>
  /** Ends reservations of calls that have no record. Unknown ones are ended already. Resolves after the commit. */
  endHolds(ends: EndedHold[]): Promise<void>
  /** The counters of quotas as they stand. */
  quotaCounts(quotas: readonly QuotaShare[]): Promise<QuotaCount[]>
  /** Sets what is used of a quota, and what is held to what work under way and open lines hold of it. Gives the counter as it was and as it is. */
  adjustQuota(quota: QuotaShare, used: number): Promise<{ before: QuotaCount; after: QuotaCount }>
  /** Newest first. */
  openLines(filter: { accountId?: string; limit: number }): Promise<OpenLine[]>
  /** Ends an open line: `charge` adds what was held to what was used, `release` forgets it. False when the task has none. */
  settleOpenLine(taskId: string, outcome: 'charge' | 'release', now: number): Promise<boolean>

  /** Usage of calls and relays (tasks write theirs in `settle`). Buffered writes are on disk when it resolves. */
  recordUsage(lines: UsageLine[]): Promise<void>
  /** Writes the lines in place of those with their ids, and moves totals and quotas by the difference; the same lines again change nothing. */
  recountUsage(recount: Recount): Promise<void>
  /** Records of answered calls, and what they used in the daily totals, beside the unit `requests`; zeros are left out. Made for batches of hundreds: one commit each. Resolves after it.
   *  Throws for amounts that are negative or no numbers. */
  recordCalls(records: CallRecord[]): Promise<void>
  /** Records of calls, newest first, at most `limit` (1 to 1,000). */
  calls(filter: { accountId?: string; from: number; to: number; limit: number }): Promise<CallRecord[]>
  /** Totals of the whole UTC days that `from` to `to` (exclusive) touch, by day. */
  usage(filter: UsageFilter): Promise<UsageTotal[]>

  /** The `detail` of a task's settlement; undefined when there is none. */
  detail(taskId: string): Promise<JsonObject | undefined>
  /** The detail of the newest task of the account that made an output with these bytes (indexed by hash), and which of its outputs it is: how an uploaded picture is recognised as our own. */
  origin(accountId: string, sha256: string): Promise<{ detail: JsonObject; index: number } | undefined>

  /** Metadata of an artifact with the key of its bytes; undefined when unknown or swept. */
  blob(id: string): Promise<StoredBlob | undefined>

  /** Those of the blob keys that no row points to: left behind by a crash between adopting a file and committing its row. */
  unreferenced(keys: string[]): Promise<string[]>

  outbox: WebhookOutbox
  accounts: AccountStore
  secrets: SecretStore

  /** Called after commits, when the callers of those writes have their answers on the way: a job became ready (`job`, at most once per queue and commit), a task changed (`task`; not for its creation), a held task should stop (`cancel`), a webhook is due (`webhook`).
   *  Jobs and webhooks that come due by time give no signal. A task cancelled in the very commit of its claim is `cancelling` in the `Claim`: look there too. In-process on the embedded store. Listeners must not throw. Returns an unsubscribe function. */
  subscribe(listener: (signal: StoreSignal) => void): () => void
  /** Numbers for metrics and readiness: jobs waiting and leased by queue, webhooks due and dead. */
  stats(): Promise<StoreStats>
  /** Throws `store_unavailable` with the reason once a commit or fsync has failed; the store then refuses all writes until restart. */
  assertWritable(): void
  close(): Promise<void>
}

export type StoreSignal =
  | { kind: 'job'; queue: string }
  | { kind: 'task'; taskId: string; state: TaskState }
  | { kind: 'cancel'; taskId: string }
  | { kind: 'webhook' }
  | { kind: 'unreadable'; job: UnreadableJob }

/** A claimed job whose rows could not be read. Its lease is the claimer's, who ends or postpones it. */
export interface UnreadableJob {
  taskId: string
  token: number
  /** Something was sent for it, which may have been taken. */
  wasSent: boolean
  /** Another reading may work. Otherwise what is stored is damaged. */
  isPassing: boolean
  error: unknown
}

export interface StoreStats {
  queues: { queue: string; ready: number; leased: number; parked: number }[]
  webhooksDue: number
  webhooksDead: number
  openLines: number
}

/** A webhook delivery. The body is presented at delivery time from the task, so that its links are fresh; the id stays the same over all tries. */
export interface WebhookDelivery {
  /** `wh_<task id>`. */
  id: string
  taskId: string
  url: string
  secret?: string
  /** Why it cannot be made: its secret cannot be read. Never to be sent without. */
  fault?: string
  attempt: number
  token: number
}

export interface DeadWebhook {
  id: string
  taskId: string
  accountId: string
  url: string
  attempts: number
  lastStatus?: number
  lastError?: string
}

export interface WebhookFailure {
  status?: number
  error?: string
  /** Absent: it becomes a dead letter. */
  retryAt?: number
  /** The try was not made (the receiver has enough under way): it does not count. */
  isPostponed?: boolean
  now: number
}

export interface WebhookOutbox {
  claim(nodeId: string, limit: number, now: number): Promise<WebhookDelivery[]>
  delivered(id: string, token: number, now: number): Promise<boolean>
  /** `retryAt` absent: dead letter. */
  failed(id: string, token: number, failure: WebhookFailure): Promise<boolean>
  dead(filter: { accountId?: string; limit: number }): Promise<DeadWebhook[]>
  /** Makes a dead letter due again at once, with its tries counted anew. False when there is none of this id. */
  resend(id: string, now: number): Promise<boolean>
}

/** Signing keys of links, encrypted at rest. */
export interface SecretStore {
  putSigningKey(key: { id: string; secret: Buffer; createdAt: number }): Promise<void>
  /** Newest first; links are signed with the first and verified with the first two. */
  signingKeys(): Promise<{ id: string; secret: Buffer; createdAt: number }[]>
}
