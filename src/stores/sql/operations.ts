import type { HoldEnd, HoldRaise, QuotaCount, Recount, SubmitOutcome } from '../../core/ports/store.ts'
import type { CallRecord, UsageLine } from '../../core/ports/usage.ts'
import type { FileCandidate, FileStanding } from '../../core/records/file-generation.ts'
import type { Hold, PricedUnits, QuotaRefusal, QuotaShare } from '../../core/records/ledger.ts'
import type { NodeOrder } from '../../core/records/node.ts'
import type { TaskState } from '../../core/records/task.ts'
import type { CallBatch } from './call-batch.ts'
import type { Steps } from './steps.ts'
import type { Cell } from './values.ts'

/** The writes of the store, as messages to its writer. Inputs are plain values: structures are
 *  already encoded as JSON, and secrets are already encrypted. */
export interface Operations {
  submit: { input: SubmitRow; output: SubmitOutcome }
  claim: {
    input: { queue: string; nodeId: string; limit: number; now: number; accountLimit?: number | undefined; isPinned: boolean }
    output: ClaimRow[]
  }
  sent: { input: LeaseReference & SentCells & { now: number }; output: boolean }
  forgetSent: { input: LeaseReference; output: boolean }
  progress: { input: LeaseReference & { progress: number; now: number }; output: boolean }
  growHold: { input: LeaseReference & { lines: PricedUnits[] }; output: 'held' | 'lost' | QuotaRefusal }
  addOutputs: { input: LeaseReference & { outputs: string | null; blobs: BlobRow[]; now: number }; output: boolean }
  reschedule: { input: LeaseReference & { runAt: number; reason: string; now: number; unknown: boolean }; output: boolean }
  postpone: { input: LeaseReference & { runAt: number; reason: string; now: number }; output: boolean }
  settle: { input: LeaseReference & SettleRow; output: boolean }
  cancel: { input: { taskId: string; now: number }; output: 'cancelled' | 'cancelling' | 'final' | 'missing' }
  remove: { input: { taskId: string; now: number }; output: boolean }
  /** `facts` is the JSON of a `NodeFacts`; with null, the stored facts stay unchanged. */
  heartbeat: { input: { nodeId: string; now: number; ttlMs: number; session: string; name: string; facts: string | null }; output: boolean }
  orderNode: { input: { name: string; order: NodeOrder; now: number }; output: number }
  release: { input: { nodeId: string; now: number }; output: number }
  /** Requeues the jobs and webhook deliveries of dead nodes, or with `allNodes` also those of nodes
   *  with a current heartbeat. It also records the calls that other sessions left unfinished when
   *  all their nodes died, with the held amounts as usage. `session` is that of the caller. */
  requeueDead: { input: { now: number; allNodes: boolean; session: string }; output: number }
  expireOverdue: { input: { now: number; limit: number }; output: string[] }
  sweep: { input: { now: number; limit: number }; output: { tasks: number; blobKeys: string[] } }
  reserve: { input: { record: CallRecord; hold: Hold; session: string }; output: QuotaRefusal | undefined }
  raiseHolds: { input: { raises: HoldRaise[]; session: string }; output: undefined }
  endHolds: { input: { ends: HoldEnd[] }; output: undefined }
  adjustQuota: { input: { quota: QuotaShare; used: number }; output: { before: QuotaCount; after: QuotaCount } }
  recountUsage: { input: Recount; output: undefined }
  settleOpenLine: { input: { taskId: string; outcome: 'charge' | 'release'; now: number }; output: boolean }
  recordUsage: { input: { lines: UsageLine[] }; output: undefined }
  recordCalls: { input: CallBatch; output: undefined }
  /** Deletes at most `limit` records of calls that are older than `before`; returns their
   *  number. */
  sweepCalls: { input: { before: number; limit: number }; output: number }
  /** Writes nothing in two cases. `taken`: the id belongs to another account or endpoint.
   *  `deleted`: the response was deleted in the meantime. */
  putResponse: { input: ResponseRow; output: 'written' | 'taken' | 'deleted' }
  noteResponse: { input: { id: string; accountId: string; endpoint: string; items: string[]; content: string }; output: undefined }
  removeResponse: { input: { id: string; now: number }; output: boolean }
  sweepResponses: { input: { now: number; limit: number }; output: number }
  /** `cells` are the columns account_id, family, id, endpoint, purpose, key, sha256, facts,
   *  name, detail, created_at, expires_at. Returns false when the id is taken. */
  putFile: { input: { cells: Cell[] }; output: boolean }
  removeFile: { input: { accountId: string; family: string; id: string; now: number }; output: boolean }
  claimWebhooks: { input: { nodeId: string; limit: number; now: number; accountLimit: number | undefined }; output: WebhookRow[] }
  webhookDelivered: { input: { id: string; token: number; now: number }; output: boolean }
  webhookFailed: {
    input: { id: string; token: number; status: Cell; error: Cell; retryAt: Cell; isPostponed: boolean; now: number }
    output: boolean
  }
  resendWebhook: { input: { id: string; now: number }; output: boolean }
  putRow: { input: { table: AdminTable; cells: Cell[] }; output: undefined }
  /** Null leaves a column of an existing account unchanged. `limits` is JSON; it replaces the
   *  limits that it has, and no others. */
  changeAccount: { input: { id: string; name: string | null; secret: Cell; limits: string | null; at: number }; output: undefined }
  /** `limits` is JSON; null removes all limits of the account or key. */
  limitAccount: { input: { id: string; limits: string | null }; output: undefined }
  limitKey: { input: { id: string; limits: string | null }; output: undefined }
  /** Replaces encrypted texts. A row whose text is no longer the first one stays unchanged. */
  reencrypt: { input: { table: SealedTable; rows: ReencryptedCells[] }; output: undefined }
  /** Stores `word` as the check word of the store in place of those in the rows `others`. */
  reencrypted: { input: { word: string; others: string[] }; output: undefined }
  revokeKey: { input: { id: string; at: number }; output: boolean }
  removeTokenSecret: { input: { keyId: string }; output: boolean }
  removeEndpoint: { input: { accountId: string; name: string }; output: boolean }
  /** Applies the entries of a configuration file, whose rows have the source `yaml`. */
  applyFile: {
    input: { rows: Record<FileTable, Cell[][]>; candidate: FileCandidate; planned: number }
    output: FileStanding | 'stale'
  }
}

export type OperationName = keyof Operations
export type FileTable = 'accounts' | 'access_keys' | 'endpoints'
export type AdminTable = FileTable | 'signing_keys' | 'token_secrets' | 'meta'

/** The tables with a column of encrypted texts. */
export type SealedTable = 'accounts' | 'tasks' | 'jobs' | 'token_secrets' | 'signing_keys'
/** The primary key of a row, its encrypted text, and the text that replaces it. */
export type ReencryptedCells = [id: string, before: string, after: string]

/** Identifies the lease of a job. Every write of a worker contains it. */
export interface LeaseReference {
  taskId: string
  token: number
}

/** The columns of a mark, which is stored before a paid job is sent: `settings` are encrypted,
 *  `handle` is JSON. */
export interface SentCells {
  driver: string
  target: string
  model: string
  settings: string
  handle: string | null
}

export interface SubmitRow {
  id: string
  accountId: string
  keyId: string
  endpoint: string
  family: string
  capability: string
  model: string
  queue: string
  request: string
  requestBlob: string | null
  shown: string | null
  inputs: string | null
  webhookUrl: string | null
  webhookSecret: string | null
  publicUrl: string
  clientReference: string | null
  traceparent: string | null
  concurrencyLimit: number | null
  accountLimit: number | null
  hold: Hold | null
  /** JSON of the failure of a task that is stored as failed from the beginning; null for every
   *  other task. */
  failure: string | null
  pin: string | null
  isInline: boolean
  createdAt: number
  deadlineAt: number
  expiresAt: number
  blobs: BlobRow[]
  idempotency: { key: string; bodySha256: string; expiresAt: number } | null
}

export interface BlobRow {
  id: string
  key: string
  kind: 'input' | 'output'
  mediaType: string
  bytes: number
  sha256: string
  expiresAt: number
}

export interface ClaimRow {
  taskId: string
  token: number
  attempt: number
  /** The mark of the job; null when the job was not sent to an upstream. */
  sent: SentCells | null
  hold: string | null
  isInline: boolean
  wasLost: boolean
}

export interface SettleRow {
  state: Extract<TaskState, 'succeeded' | 'failed' | 'cancelled' | 'expired'>
  result: string | null
  detail: string | null
  failure: string | null
  outputs: string | null
  /** Data of the final event as JSON; when null, the event contains the number of outputs. */
  eventData: string | null
  blobs: BlobRow[]
  usage: UsageLine[]
  isOpen: boolean
  at: number
}

export interface ResponseRow {
  id: string
  accountId: string
  endpoint: string
  /** The columns parent_id, model, target, task_id, content, content_blob, created_at,
   *  expires_at, deleted, kind, metadata. */
  cells: Cell[]
  /** The blob to which the column `content_blob` refers, if any. */
  blobs: BlobRow[]
}

export interface WebhookRow {
  id: string
  taskId: string
  accountId: string
  url: string
  /** Encrypted (`SealBox`). */
  secret: string | null
  attempt: number
  token: number
}

/** One write, as it is sent to the writer. */
export type Call<Name extends OperationName = OperationName> = { [N in Name]: { name: N; input: Operations[N]['input'] } }[Name]

/** The writes that are run as a group when several wait. A group reads the rows that all its
 *  writes need in a few statements, and each write still takes the changes of those before it
 *  into account. */
export type GroupName = 'submit' | 'settle' | 'reserve'
export type GroupHandlers = {
  [N in GroupName]: (inputs: readonly Operations[N]['input'][]) => Steps<Operations[N]['output'][]>
}

/** The functions for writes that do not run in groups. Each runs one write inside the writer's
 *  transaction. */
export type Handlers = {
  [N in Exclude<OperationName, GroupName>]: (input: Operations[N]['input']) => Steps<Operations[N]['output']>
}

/** The outcome of one write. */
export type Answer = { value: Operations[OperationName]['output'] } | { error: string }
