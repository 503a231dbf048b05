import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import { expectedUnits } from '@generation-gateway/kit/requests/capabilities.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import { newId } from '../id.ts'
import { amountOf, holdOf, type QuotaShare, refusalOf } from '../ledger/ledger.ts'
import { quotaExceeded } from '../ledger/quota-error.ts'
import type { BlobStore, NewBlob } from '../ports/blobs.ts'
import type { Clock, NewTask, SubmitOutcome, TaskStore } from '../ports/store.ts'
import type { CatalogueModel } from '../routing/catalogue.ts'
import type { Router } from '../routing/router.ts'
import type { Task, WebhookTarget } from '../task.ts'
import { inlineRequestBytes, requestReference } from './payload.ts'

/** An input file that becomes an artifact of the task. The file is moved away. */
export interface InputUpload extends InputFacts {
  path: string
}

export interface TaskSubmission {
  accountId: string
  keyId: string
  endpoint: string
  family: string
  capability: Capability
  model: CatalogueModel
  request: JsonObject
  inputs: readonly InputUpload[]
  webhook?: WebhookTarget
  clientReference?: string
  publicUrl: string
  traceparent?: string
  idempotency?: { key: string; bodySha256: string }
  concurrencyLimit?: number
  accountConcurrencyLimit?: number
  /** Quotas of the key and the account. */
  quotas: QuotaShare[]
  deadlineMs: number
  keepMs: number
}

export interface Tasks {
  /** Writes the task durably, or gives the one an equal submit made before. Throws `invalid_request` when every target refuses what is asked, `capability_unavailable`, `quota_exceeded`, `idempotency_conflict`,
   *  `conflict` (client reference), `store_unavailable`, `disk_full`. */
  submit(submission: TaskSubmission): Promise<Task>
  get(id: string): Promise<Task | undefined>
  cancel(id: string): Promise<'cancelled' | 'cancelling' | 'final' | 'missing'>
}

const idempotencyKeptMs = 24 * 3_600_000

export function createTasks(deps: { store: TaskStore; blobs: BlobStore; router: Router; clock: Clock }): Tasks {
  const { store, blobs, router, clock } = deps
  return {
    submit: async submission => {
      // Refuse before anything is written when nothing could run it.
      const queue = router.queueOf(submission.model, submission.capability, submission)
      const now = clock.now()
      const times = { now, expiresAt: now + submission.deadlineMs + submission.keepMs }
      const task = newTask(submission, { queue, ...times })
      // What will be refused stores no files: they would stay until a sweep finds that nothing points to them.
      const foreseen = await outcomeBefore(store, task)
      if (foreseen) return taskOf(store, foreseen, task)
      task.inputs = await adoptInputs(blobs, submission.inputs, times)
      task.request = await storedRequest(blobs, submission.request, task.inputs, times)
      return taskOf(store, await store.submit(task), task)
    },
    get: id => store.get(id),
    cancel: id => store.cancel(id, clock.now()),
  }
}

/** What the store would say to the submit as it stands now; undefined when it would take it. */
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

async function taskOf(store: TaskStore, submitted: SubmitOutcome, task: NewTask): Promise<Task> {
  switch (submitted.outcome) {
    case 'created':
      return asTask(task)
    case 'replayed':
      return existing(store, submitted.taskId)
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

async function existing(store: TaskStore, id: string): Promise<Task> {
  const task = await store.get(id)
  if (!task) throw new GatewayError('gone', 'The task of this Idempotency-Key was swept.')
  return task
}

interface Times {
  now: number
  expiresAt: number
}

async function adoptInputs(blobs: BlobStore, uploads: readonly InputUpload[], { now, expiresAt }: Times): Promise<NewBlob[]> {
  const inputs: NewBlob[] = []
  for (const [index, upload] of uploads.entries()) {
    const { path, ...facts } = upload
    const { key, bytes, sha256 } = await blobs.adopt(path)
    inputs.push({ key, expiresAt, artifact: { ...facts, id: newId(now), kind: 'input', index, bytes, sha256 } })
  }
  return inputs
}

/** The request as the row keeps it; a large one moves into a blob that is added to `inputs`. */
async function storedRequest(blobs: BlobStore, request: JsonObject, inputs: NewBlob[], { now, expiresAt }: Times): Promise<JsonObject> {
  const text = JSON.stringify(request)
  if (text.length <= inlineRequestBytes && Buffer.byteLength(text) <= inlineRequestBytes) return request
  const id = newId(now)
  const folder = await blobs.scratch(`request-${id}`)
  try {
    const file = join(folder, 'request.json')
    await writeFile(file, text, { mode: 0o600 })
    const { key, bytes, sha256 } = await blobs.adopt(file)
    inputs.push({
      key,
      expiresAt,
      artifact: { id, kind: 'input', role: 'request', index: inputs.length, mediaType: 'application/json', bytes, sha256 },
    })
    return requestReference(id)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The task without its files: they come once it is known that they are wanted. */
function newTask(submission: TaskSubmission, { queue, now, expiresAt }: Times & { queue: string }): NewTask {
  const { accountId, keyId, endpoint, family, capability, publicUrl, request } = submission
  const task: NewTask = {
    id: newId(now),
    accountId,
    keyId,
    endpoint,
    family,
    capability,
    model: submission.model.id,
    queue,
    request,
    inputs: [],
    publicUrl,
    hold: holdOf(
      submission.model.price,
      expectedUnits(submission.capability, submission.request as never, submission.inputs),
      submission.quotas,
    ),
    createdAt: now,
    deadlineAt: now + submission.deadlineMs,
    expiresAt,
  }
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
    idempotency: _idempotency,
    concurrencyLimit: _key,
    accountConcurrencyLimit: _account,
    hold: _hold,
    inputs,
    ...task
  } = submitted
  return { ...task, state: 'queued', progress: 0, artifacts: inputs.map(input => input.artifact) }
}
