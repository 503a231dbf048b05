import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'
import type { NewBlob, StoredBlob } from '../../core/ports/blobs.ts'
import type { FileStore } from '../../core/ports/files.ts'
import type { Membership } from '../../core/ports/membership.ts'
import type { Nodes } from '../../core/ports/nodes.ts'
import type { RateTokens } from '../../core/ports/rates.ts'
import type { Signals } from '../../core/ports/signals.ts'
import type {
  AccountStore,
  Claim,
  Clock,
  HoldEnd,
  HoldRaise,
  NewTask,
  OpenLine,
  QuotaCount,
  Recount,
  ResponseStore,
  SecretStore,
  SentMark,
  Settlement,
  StoreAbout,
  StoredRequest,
  StoreSignal,
  StoreStats,
  SubmitOutcome,
  TaskFilter,
  TaskStore,
  UsageFilter,
  UsageTotal,
  WebhookOutbox,
} from '../../core/ports/store.ts'
import type { CallRecord, UsageLine } from '../../core/ports/usage.ts'
import type { Hold, PricedUnits, QuotaRefusal, QuotaShare } from '../../core/records/ledger.ts'
import type { NodeFacts } from '../../core/records/node.ts'
import { isFinal, type Task, type TaskEvent } from '../../core/records/task.ts'
import { overlaidAccounts } from '../account-overlay.ts'
import type { Listeners } from '../listeners.ts'
import { createAccountStore, createSecretStore, type OtherNodes } from './account-store.ts'
import { encodeCalls } from './call-batch.ts'
import { prepareReadCalls, type ReadCalls } from './call-reader.ts'
import { createFileStore } from './file-store.ts'
import { createLedgerReader, type LedgerReader } from './ledger-reader.ts'
import { createMembership } from './membership.ts'
import { createNodes } from './nodes.ts'
import type { ClaimRow, Operations } from './operations.ts'
import { createOutbox } from './outbox.ts'
import { RecentTasks } from './recent-tasks.ts'
import { createResponseStore } from './response-store.ts'
import type { SealBox } from './seal.ts'
import { type Reencrypted, reencrypt } from './secret-key/reencrypt.ts'
import type { Connection } from './statements.ts'
import { encodeArtifacts, toBlobRow, toSentCells, toSentMark, toSettleRow, toSubmitRow } from './task-messages.ts'
import { TaskReader } from './task-reader.ts'
import type { Row } from './values.ts'
import type { Writer } from './writer.ts'

/** The parts of the store that differ by database. */
export interface SqlStoreParts {
  /** The connection for reads. */
  connection: Connection
  writer: Writer
  box: SealBox
  about: StoreAbout
  /** Id of this opening of the store; rows of this process's nodes and calls contain it. */
  session: string
  listeners: Listeners<StoreSignal>
  /** The clock that gives all times in the store. */
  clock: Clock
  signals: Signals
  /** Counts request rates over all nodes; undefined for a store that only one process uses. */
  rates: RateTokens | undefined
  /** True when every change of a task is signalled in this process before it is acknowledged, so
   *  that tasks may be cached. */
  cachesTasks: boolean
  /** True when the fetch of a row failed but may succeed later; false when the row is damaged. */
  isFault(error: unknown): boolean
  /** The other nodes of the store; undefined for a store that only one process uses. */
  otherNodes: OtherNodes | undefined
  /** Runs work so that no other process on this store runs such work at the same time. */
  exclusively: Membership['exclusively']
  /** Closes the connections. */
  close(): Promise<void>
}

const callsKeptMs = 90 * dayMs
/** Call records that one step of a sweep deletes: few, so that other writes run in between. With
 *  `callSweepSteps` steps a minute, sweeps keep up with thousands of calls a second. */
const callsPerSweepStep = 5_000
const callSweepSteps = 60

/** The store on an SQL database. It reads through a connection and writes through a writer. */
export class SqlStore implements TaskStore {
  readonly about: StoreAbout
  readonly nodes: Nodes
  readonly outbox: WebhookOutbox
  readonly accounts: AccountStore
  readonly secrets: SecretStore
  readonly responses: ResponseStore
  readonly files: FileStore
  /** The clock that gives all times of calls to the store; the same for all its nodes. */
  readonly clock: Clock
  /** Signals to and from all nodes of the store. */
  readonly signals: Signals
  /** Undefined for a store that only one process uses: that process counts rates itself. */
  readonly rates: RateTokens | undefined
  readonly membership: Membership
  readonly #parts: SqlStoreParts
  readonly #writer: Writer
  readonly #reader: TaskReader
  readonly #readCalls: ReadCalls
  readonly #ledger: LedgerReader
  readonly #recent = new RecentTasks()
  #closing: Promise<void> | undefined

  constructor(parts: SqlStoreParts) {
    this.#parts = parts
    this.about = parts.about
    this.clock = parts.clock
    this.#writer = parts.writer
    this.#reader = new TaskReader(parts.connection, parts.box)
    this.nodes = createNodes(parts)
    this.outbox = createOutbox(parts.writer, this.#reader, parts.box)
    this.accounts = overlaidAccounts(createAccountStore(parts))
    this.secrets = createSecretStore(parts)
    this.responses = createResponseStore(parts)
    this.files = createFileStore(parts)
    this.signals = parts.signals
    this.rates = parts.rates
    this.membership = createMembership(parts)
    this.#readCalls = prepareReadCalls(parts.connection)
    this.#ledger = createLedgerReader(parts.connection)
    parts.listeners.subscribe(signal => {
      if (signal.kind === 'task') this.#recent.delete(signal.taskId)
    })
  }

  /** Encrypts the secrets that fallback keys have encrypted with the secret key. */
  async reencrypt(onRows: (table: string, rows: number) => void): Promise<Reencrypted> {
    return reencrypt({ ...this.#parts, kind: this.about.kind }, onRows)
  }

  async submit(task: NewTask): Promise<SubmitOutcome> {
    return this.#writer.run('submit', toSubmitRow(task, this.#parts.box))
  }

  async earlier(task: Pick<NewTask, 'accountId' | 'clientReference' | 'idempotency' | 'createdAt'>): Promise<SubmitOutcome | undefined> {
    return this.#reader.earlier(task)
  }

  async get(id: string): Promise<Task | undefined> {
    const recent = this.#recent.get(id)
    if (recent) return recent
    const found = await this.#reader.get(id)
    // The cache is never out of date: every change of a task is signalled after its commit and
    // before the change is acknowledged, and the signal removes the task from the cache.
    if (found && this.#parts.cachesTasks) this.#recent.add(found.task, found.characters)
    return found?.task
  }

  async getByReference(accountId: string, clientReference: string): Promise<Task | undefined> {
    return this.#reader.getByReference(accountId, clientReference)
  }

  async list(filter: TaskFilter): Promise<Task[]> {
    return this.#reader.list(filter, this.clock.now())
  }

  async request(taskId: string): Promise<StoredRequest | undefined> {
    return this.#reader.request(taskId)
  }

  async taskUsage(id: string): Promise<UsageLine[]> {
    return this.#reader.taskUsage(id)
  }

  async events(taskId: string, afterSequence: number): Promise<TaskEvent[]> {
    return this.#reader.events(taskId, afterSequence)
  }

  async queues(): Promise<string[]> {
    return this.#reader.queues()
  }

  claim(queue: string, nodeId: string, limit: number, now: number, accountLimit?: number): Promise<Claim[]> {
    return this.#claim({ queue, nodeId, limit, now, accountLimit, isPinned: false })
  }

  claimPinned(queue: string, nodeId: string, limit: number, now: number): Promise<Claim[]> {
    return this.#claim({ queue, nodeId, limit, now, isPinned: true })
  }

  async #claim(input: Operations['claim']['input']): Promise<Claim[]> {
    // SQLite treats a negative LIMIT as no limit.
    if (input.limit < 1) return []
    const rows = await this.#writer.run('claim', input)
    // The tasks are read after the commit, so a task that was cancelled in between is returned as
    // `cancelling`. When the read fails, each task is read on its own, so that a damaged task does
    // not affect the others.
    const tasks = await this.#reader.claimed(rows.map(({ taskId }) => taskId)).catch(() => undefined)
    const claims = await Promise.all(rows.map(row => this.#toClaim(row, tasks)))
    return claims.filter(claim => claim !== undefined)
  }

  sent(taskId: string, token: number, mark: SentMark, now: number): Promise<boolean> {
    return this.#writer.run('sent', { taskId, token, ...toSentCells(taskId, mark, this.#parts.box), now })
  }

  forgetSent(taskId: string, token: number): Promise<boolean> {
    return this.#writer.run('forgetSent', { taskId, token })
  }

  progress(taskId: string, token: number, progress: number, now: number): Promise<boolean> {
    return this.#writer.run('progress', { taskId, token, progress: Math.floor(progress), now })
  }

  addOutputs(taskId: string, token: number, outputs: readonly NewBlob[], now: number): Promise<boolean> {
    return this.#writer.run('addOutputs', { taskId, token, outputs: encodeArtifacts(outputs), blobs: outputs.map(toBlobRow), now })
  }

  growHold(taskId: string, token: number, lines: PricedUnits[]): Promise<'held' | 'lost' | QuotaRefusal> {
    return this.#writer.run('growHold', { taskId, token, lines })
  }

  reschedule(taskId: string, token: number, runAt: number, reason: string, now: number): Promise<boolean> {
    return this.#writer.run('reschedule', { taskId, token, runAt, reason, now, unknown: false })
  }

  postpone(taskId: string, token: number, runAt: number, reason: string, now: number): Promise<boolean> {
    return this.#writer.run('postpone', { taskId, token, runAt, reason, now })
  }

  markUnknown(taskId: string, token: number, runAt: number, reason: string, now: number): Promise<boolean> {
    return this.#writer.run('reschedule', { taskId, token, runAt, reason, now, unknown: true })
  }

  async settle(taskId: string, token: number, settlement: Settlement): Promise<boolean> {
    return this.#writer.run('settle', { taskId, token, ...toSettleRow(settlement) })
  }

  cancel(taskId: string, now: number): Promise<'cancelled' | 'cancelling' | 'final' | 'missing'> {
    return this.#writer.run('cancel', { taskId, now })
  }

  remove(taskId: string, now: number): Promise<boolean> {
    return this.#writer.run('remove', { taskId, now })
  }

  heartbeat(nodeId: string, now: number, ttlMs: number, facts?: NodeFacts): Promise<boolean> {
    const { session } = this.#parts
    const reported = { name: facts?.name ?? '', facts: facts === undefined ? null : JSON.stringify(facts) }
    return this.#writer.run('heartbeat', { nodeId, now, ttlMs, session, ...reported })
  }

  release(nodeId: string, now: number): Promise<number> {
    return this.#writer.run('release', { nodeId, now })
  }

  requeueDead(now: number): Promise<number> {
    return this.#writer.run('requeueDead', { now, allNodes: false, session: this.#parts.session })
  }

  expireOverdue(now: number, limit: number): Promise<string[]> {
    return this.#writer.run('expireOverdue', { now, limit })
  }

  /** Deletes expired tasks, and records of calls that are older than 90 days, at most 300,000 of
   *  these records in one sweep. */
  async sweep(now: number, limit: number): Promise<{ tasks: number; blobKeys: string[] }> {
    await this.#sweepCalls(now - callsKeptMs)
    this.#recent.clear()
    return this.#writer.run('sweep', { now, limit }).finally(() => this.#recent.clear())
  }

  async #sweepCalls(before: number): Promise<void> {
    for (let step = 0; step < callSweepSteps; step += 1) {
      const swept = await this.#writer.run('sweepCalls', { before, limit: callsPerSweepStep })
      if (swept < callsPerSweepStep) return
    }
  }

  reserve(record: CallRecord, hold: Hold): Promise<QuotaRefusal | undefined> {
    return this.#writer.run('reserve', { record, hold, session: this.#parts.session })
  }

  async raiseHolds(raises: HoldRaise[]): Promise<void> {
    if (raises.length > 0) await this.#writer.run('raiseHolds', { raises, session: this.#parts.session })
  }

  async endHolds(ends: HoldEnd[]): Promise<void> {
    if (ends.length > 0) await this.#writer.run('endHolds', { ends })
  }

  async quotaCounts(quotas: readonly QuotaShare[]): Promise<QuotaCount[]> {
    return this.#ledger.counts(quotas)
  }

  adjustQuota(quota: QuotaShare, used: number): Promise<{ before: QuotaCount; after: QuotaCount }> {
    return this.#writer.run('adjustQuota', { quota, used })
  }

  async openLines(filter: { accountId?: string; taskId?: string; limit: number }): Promise<OpenLine[]> {
    return this.#ledger.openLines(filter)
  }

  settleOpenLine(taskId: string, outcome: 'charge' | 'release', now: number): Promise<boolean> {
    return this.#writer.run('settleOpenLine', { taskId, outcome, now })
  }

  async recordUsage(lines: UsageLine[]): Promise<void> {
    await this.#writer.run('recordUsage', { lines })
  }

  async recountUsage(recount: Recount): Promise<void> {
    await this.#writer.run('recountUsage', recount)
  }

  async recordCalls(records: CallRecord[]): Promise<void> {
    if (records.length > 0) await this.#writer.run('recordCalls', encodeCalls(records))
  }

  async calls(filter: { accountId?: string; from: number; to: number; limit: number }): Promise<CallRecord[]> {
    return this.#readCalls(filter)
  }

  async usage(filter: UsageFilter): Promise<UsageTotal[]> {
    return this.#reader.usage(filter)
  }

  async detail(taskId: string): Promise<JsonObject | undefined> {
    return this.#reader.detail(taskId)
  }

  async origin(accountId: string, sha256: string): ReturnType<TaskStore['origin']> {
    return this.#reader.origin(accountId, sha256)
  }

  async blob(id: string): Promise<StoredBlob | undefined> {
    return this.#reader.blob(id)
  }

  async unreferenced(keys: string[]): Promise<string[]> {
    return this.#reader.unreferenced(keys)
  }

  subscribe(listener: (signal: StoreSignal) => void): () => void {
    return this.#parts.listeners.subscribe(listener)
  }

  async stats(): Promise<StoreStats> {
    return this.#reader.stats()
  }

  assertWritable(): void {
    this.#writer.assertWritable()
  }

  isAway(): boolean {
    return this.#writer.isAway()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#parts.listeners.clear()
    await this.#parts.close()
  }

  /** Returns the claim of a job; undefined when the job cannot be read (the listeners then get a
   *  signal), and when its task has ended in the meantime. */
  async #toClaim(claimed: ClaimRow, tasks: Map<string, Row> | undefined): Promise<Claim | undefined> {
    const { taskId, token, sent } = claimed
    let row: Row | undefined
    try {
      row = (tasks ?? (await this.#reader.claimed([taskId]))).get(taskId)
      return row && this.#readClaim(claimed, row)
    } catch (error) {
      const job = { taskId, token, wasSent: sent !== null, isPassing: row === undefined && this.#parts.isFault(error), error }
      this.#parts.listeners.publish({ kind: 'unreadable', job })
      return undefined
    }
  }

  #readClaim({ taskId, token, attempt, sent, hold, isInline, wasLost }: ClaimRow, task: Row): Claim | undefined {
    const claimed = this.#reader.toClaimed(task)
    if (isFinal(claimed.task.state)) return undefined
    const claim: Claim = { ...claimed, token, attempt }
    if (sent !== null) claim.sent = toSentMark(taskId, sent, this.#parts.box)
    if (hold !== null) claim.hold = JSON.parse(hold)
    if (isInline) claim.isInline = true
    if (wasLost) claim.wasLost = true
    return claim
  }
}
