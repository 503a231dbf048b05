import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability, RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import { expectedUnits } from '@generation-gateway/kit/requests/capabilities.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import { quotaExceeded } from '../ledger/quota-error.ts'
import type { BlobStore, NewBlob } from '../ports/blobs.ts'
import type { StoredFile } from '../ports/files.ts'
import type { Clock, NewTask, SubmitOutcome, TaskStore } from '../ports/store.ts'
import { newId } from '../records/id.ts'
import { amountOf, holdOf, type QuotaShare, refusalOf } from '../records/ledger.ts'
import type { Task, TaskFailure, WebhookTarget } from '../records/task.ts'
import type { CatalogueModel } from '../routing/catalogue.ts'
import type { Router } from '../routing/router.ts'
import { isPrivate, type PrivateRequests, privateMark } from './private-requests.ts'
import { requestOfTask, storeRequest } from './stored-request.ts'

/** An input file of the task. It is either an uploaded file, which is moved into the store, or a
 *  file of the account; the task and that file then refer to the same bytes. */
export type InputUpload = (InputFacts & { path: string }) | (Pick<InputFacts, 'role' | 'lengthLimits'> & { stored: StoredFile })

export interface TaskSubmission<C extends Capability = Capability> {
  /** Id from `newId`, for a caller that must know it before the submit; by default, a new id. */
  id?: string
  accountId: string
  keyId: string
  endpoint: string
  family: string
  capability: C
  model: CatalogueModel
  request: RequestOf<C>
  /** The parts of the request that callers see later (`Task.shown`), at most 64 KiB as JSON. */
  shown?: JsonObject
  inputs: readonly InputUpload[]
  webhook?: WebhookTarget
  clientReference?: string
  /** The reason why the task has failed before it could run. Such a task is stored in the state
   *  `failed` and never runs. */
  failure?: TaskFailure
  publicUrl: string
  traceparent?: string
  idempotency?: { key: string; bodySha256: string }
  /** The models in the scopes of the caller's key. A task of another model is not returned for an
   *  idempotency key. All models when it is absent or empty. */
  models?: readonly string[]
  concurrencyLimit?: number
  accountConcurrencyLimit?: number
  /** Id of the only node that may run the task while this node is alive. With `isInline`, the
   *  caller of the task waits at this node (`NewTask`). */
  pin?: string
  isInline?: true
  /** Quotas of the key and the account. */
  quotas: QuotaShare[]
  deadlineMs: number
  keepMs: number
}

export interface Tasks {
  /** Stores the task durably, or returns the task of an earlier submit that was the same. Throws
   *  `invalid_request` when every target refuses the request, `capability_unavailable`,
   *  `quota_exceeded`, `idempotency_conflict`, `conflict` (client reference), `gone` (a stored file
   *  was swept), `store_unavailable`, `disk_full`. Throws a TypeError for a `shown` that is too
   *  large. */
  submit<C extends Capability>(submission: TaskSubmission<C>): Promise<Task>
  get(id: string): Promise<Task | undefined>
  /** Returns the whole neutral request of a task, when `Task.shown` is not enough. Throws
   *  `task_not_found` and `gone`. */
  request(id: string): Promise<JsonObject>
  cancel(id: string): Promise<'cancelled' | 'cancelling' | 'final' | 'missing'>
  /** Cancels the task if it has not ended, and deletes it. False when there is no such task. */
  remove(id: string): Promise<boolean>
}

const idempotencyKeptMs = 24 * 3_600_000
/** Largest size of `shown` as JSON, in bytes. The longest text that a family returns has 8192
 *  characters (docs/interface/pictures.md#f4), which take up to 48 KiB as JSON; the limit leaves
 *  room for the other fields. */
const shownBytes = 64 * 1024

export function createTasks(deps: { store: TaskStore; blobs: BlobStore; router: Router; clock: Clock; privates?: PrivateRequests }): Tasks {
  const { store, blobs, router, clock, privates } = deps
  return {
    submit: async submission => {
      assertSmall(submission)
      // When no target could run the task, it is refused before anything is written.
      const requested = submission.failure ? undefined : { request: submission.request, inputs: submission.inputs.map(factsOf) }
      const queue = router.queueOf(submission.model, submission.capability, requested)
      const now = clock.now()
      const times = { now, expiresAt: now + submission.deadlineMs + submission.keepMs }
      const task = newTask(submission, { queue, ...times })
      // The files of a submit that the store will refuse are not stored: nothing would refer to
      // them, and they would stay until a sweep finds them.
      const foreseen = await outcomeBefore(store, task)
      if (foreseen) return taskOf(store, foreseen, { task, submission })
      task.inputs = await inputsOf(blobs, submission, times)
      task.request = isPrivate(submission.request)
        ? hidden(submission, task.id, privates)
        : await storeRequest(blobs, submission.request, times)
      return taskOf(store, await store.submit(task), { task, submission })
    },
    get: id => store.get(id),
    request: id => requestOfTask(deps, id),
    cancel: id => store.cancel(id, clock.now()),
    remove: id => store.remove(id, clock.now()),
  }
}

/** Returns the mark to store instead of a private request, and keeps the request in the memory of
 *  this process for its run. */
function hidden(
  { family, isInline, request, shown, idempotency }: TaskSubmission,
  taskId: string,
  privates: PrivateRequests | undefined,
): NewTask['request'] {
  if (!privates || !isInline || shown || idempotency) throw new TypeError(`${family} wants to keep something of a private request`)
  privates.set(taskId, request)
  return { inline: privateMark }
}

/** Throws a TypeError for a `shown` that is too large. It is part of the row that every poll
 *  reads. Its size depends only on the code of the family, so this error is a bug there. */
function assertSmall({ family, shown }: Pick<TaskSubmission, 'family' | 'shown'>): void {
  const bytes = shown === undefined ? 0 : Buffer.byteLength(JSON.stringify(shown))
  if (bytes > shownBytes) throw new TypeError(`${family} wants to show ${bytes} bytes of a request; at most ${shownBytes}`)
}

/** Returns the outcome of a submit that the store would not accept as a new task: a refusal, or
 *  an earlier submit that was the same. Undefined when the store would accept it. */
async function outcomeBefore(store: TaskStore, task: NewTask): Promise<SubmitOutcome | undefined> {
  const isNamed = task.idempotency !== undefined || task.clientReference !== undefined
  const earlier = isNamed ? await store.earlier(task) : undefined
  const { quotas = [], lines = [] } = task.hold ?? {}
  if (earlier || quotas.length === 0) return earlier
  const counts = await store.quotaCounts(quotas)
  for (const [index, quota] of quotas.entries()) {
    const refusal = refusalOf(quota, counts[index] ?? { used: 0, held: 0 }, amountOf(quota.unit, lines))
    if (refusal) return { outcome: 'over-quota', refusal }
  }
  return undefined
}

async function taskOf(
  store: TaskStore,
  submitted: SubmitOutcome,
  { task, submission }: { task: NewTask; submission: Pick<TaskSubmission, 'models'> },
): Promise<Task> {
  switch (submitted.outcome) {
    case 'created':
      return asTask(task)
    case 'replayed':
      return existing(store, submitted.taskId, submission)
    case 'conflict':
      throw new GatewayError('idempotency_conflict', 'The Idempotency-Key was used before with another body.', {
        field: 'Idempotency-Key',
      })
    case 'reference-taken':
      throw new GatewayError('conflict', `The client reference is taken by task ${submitted.taskId}.`)
    case 'over-quota':
      throw quotaExceeded(submitted.refusal, task.createdAt)
  }
}

async function existing(store: TaskStore, id: string, { models = [] }: Pick<TaskSubmission, 'models'>): Promise<Task> {
  const task = await store.get(id)
  if (!task) throw new GatewayError('gone', 'The task of this Idempotency-Key was swept.')
  if (models.length === 0 || models.includes(task.model)) return task
  // The submit and the earlier one, with another key of the account, named no model, and the
  // gateway chose different models for them.
  throw new GatewayError('idempotency_conflict', 'The Idempotency-Key was used before for a task of another model.', {
    field: 'Idempotency-Key',
  })
}

interface TaskTimes {
  now: number
  expiresAt: number
}

function factsOf(upload: InputUpload): InputFacts {
  if ('stored' in upload) {
    const { stored, ...input } = upload
    return { ...stored.facts, ...input }
  }
  const { path: _path, ...facts } = upload
  return facts
}

async function inputsOf(
  blobs: BlobStore,
  { accountId, inputs: uploads }: Pick<TaskSubmission, 'accountId' | 'inputs'>,
  { now, expiresAt }: TaskTimes,
): Promise<NewBlob[]> {
  const inputs: NewBlob[] = []
  for (const [index, upload] of uploads.entries()) {
    const { key, ...content } = 'stored' in upload ? await sharedBytes(blobs, upload.stored, accountId) : await blobs.adopt(upload.path)
    inputs.push({ key, expiresAt, artifact: { ...factsOf(upload), id: newId(now), kind: 'input', index, ...content } })
  }
  return inputs
}

/** Returns the bytes of a file of the account, and protects them from the sweep until the row of
 *  the task refers to them. Throws `gone` when they were swept before. */
async function sharedBytes(blobs: BlobStore, file: StoredFile, accountId: string): ReturnType<BlobStore['adopt']> {
  if (file.accountId !== accountId) throw new TypeError(`file ${file.id} is another account's`)
  return { key: await blobs.keep(file.key), bytes: file.facts.bytes, sha256: file.sha256 }
}

/** Returns the task without its input files. The files are stored and added only when it is
 *  known that the store will not refuse the submit. */
function newTask<C extends Capability>(submission: TaskSubmission<C>, { queue, now, expiresAt }: TaskTimes & { queue: string }): NewTask {
  const { accountId, keyId, endpoint, family, capability, publicUrl, request } = submission
  const task: NewTask = {
    id: submission.id ?? newId(now),
    accountId,
    keyId,
    endpoint,
    family,
    capability,
    model: submission.model.id,
    queue,
    request: { inline: request },
    inputs: [],
    publicUrl,
    createdAt: now,
    deadlineAt: now + submission.deadlineMs,
    expiresAt,
  }
  if (submission.failure) task.failure = submission.failure
  else
    task.hold = holdOf(
      submission.model.price,
      expectedUnits(submission.capability, submission.request, submission.inputs.map(factsOf)),
      submission.quotas,
    )
  if (submission.shown) task.shown = submission.shown
  if (submission.pin !== undefined) task.pin = submission.pin
  if (submission.isInline) task.isInline = true
  if (submission.webhook) task.webhook = submission.webhook
  if (submission.clientReference !== undefined) task.clientReference = submission.clientReference
  if (submission.traceparent !== undefined) task.traceparent = submission.traceparent
  if (submission.concurrencyLimit !== undefined) task.concurrencyLimit = submission.concurrencyLimit
  if (submission.accountConcurrencyLimit !== undefined) task.accountConcurrencyLimit = submission.accountConcurrencyLimit
  if (submission.idempotency) task.idempotency = { ...submission.idempotency, expiresAt: now + idempotencyKeptMs }
  return task
}

function asTask(submitted: NewTask): Task {
  const {
    queue: _queue,
    pin: _pin,
    isInline: _isInline,
    request: _request,
    idempotency: _idempotency,
    concurrencyLimit: _key,
    accountConcurrencyLimit: _account,
    hold: _hold,
    inputs,
    ...task
  } = submitted
  const begun = { ...task, progress: 0, artifacts: inputs.map(input => input.artifact) }
  return task.failure ? { ...begun, state: 'failed', finishedAt: task.createdAt } : { ...begun, state: 'queued' }
}
