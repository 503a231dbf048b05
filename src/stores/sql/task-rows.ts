import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { StoredBlob } from '../../core/ports/blobs.ts'
import type { StoredRequest } from '../../core/ports/store.ts'
import type { Artifact, Task, TaskEvent, WebhookTarget } from '../../core/records/task.ts'
import type { SealBox } from './seal.ts'
import { number, optionalNumber, optionalText, type Row, taskState, text } from './values.ts'

export const taskColumns = `id, account_id, key_id, endpoint, family, capability, model, state, progress, shown, inputs, outputs, result, failure,
  webhook_url, webhook_secret, public_url, client_reference, traceparent, created_at, started_at, finished_at, deadline_at, expires_at`

/** Columns that `toStoredRequest` reads. */
export const requestColumns = 'request, request_blob'

export const blobColumns = 'id, key, account_id, task_id, media_type, bytes, sha256, expires_at'

/** Returns the context under which a task's webhook secret is sealed. */
export function webhookContext(taskId: string): string {
  return `webhook of task ${taskId}`
}

/** Returns the task in a row of `taskColumns`. The members are written out by hand, because this
 *  is the fastest form, and every poll runs this function. */
export function toTask(row: Row, box: SealBox): Task {
  const id = text(row, 'id')
  const task: Task = {
    id,
    accountId: text(row, 'account_id'),
    keyId: text(row, 'key_id'),
    endpoint: text(row, 'endpoint'),
    family: text(row, 'family'),
    // The cast is safe: only submits write this column.
    capability: text(row, 'capability') as Capability,
    model: text(row, 'model'),
    state: taskState(row, 'state'),
    progress: number(row, 'progress'),
    artifacts: toArtifacts(row),
    publicUrl: text(row, 'public_url'),
    createdAt: number(row, 'created_at'),
    deadlineAt: number(row, 'deadline_at'),
    expiresAt: number(row, 'expires_at'),
  }
  const shown = optionalText(row, 'shown')
  if (shown !== null) task.shown = JSON.parse(shown)
  const result = optionalText(row, 'result')
  if (result !== null) task.result = JSON.parse(result)
  const failure = optionalText(row, 'failure')
  if (failure !== null) task.failure = JSON.parse(failure)
  const webhook = toWebhook(row, id, box)
  if (webhook !== undefined) task.webhook = webhook
  const clientReference = optionalText(row, 'client_reference')
  if (clientReference !== null) task.clientReference = clientReference
  const traceparent = optionalText(row, 'traceparent')
  if (traceparent !== null) task.traceparent = traceparent
  const startedAt = optionalNumber(row, 'started_at')
  if (startedAt !== null) task.startedAt = startedAt
  const finishedAt = optionalNumber(row, 'finished_at')
  if (finishedAt !== null) task.finishedAt = finishedAt
  return task
}

export function toStoredRequest(row: Row): StoredRequest {
  const blobId = optionalText(row, 'request_blob')
  return blobId === null ? { inline: JSON.parse(text(row, 'request')) } : { blobId }
}

export function toEvent(row: Row): TaskEvent {
  return {
    taskId: text(row, 'task_id'),
    sequence: number(row, 'sequence'),
    at: number(row, 'at'),
    type: text(row, 'type'),
    data: JSON.parse(text(row, 'data')),
  }
}

export function toStoredBlob(row: Row): StoredBlob {
  return {
    id: text(row, 'id'),
    key: text(row, 'key'),
    accountId: text(row, 'account_id'),
    taskId: text(row, 'task_id'),
    mediaType: text(row, 'media_type'),
    bytes: number(row, 'bytes'),
    sha256: text(row, 'sha256'),
    expiresAt: number(row, 'expires_at'),
  }
}

function toArtifacts(row: Row): Artifact[] {
  const inputs = optionalText(row, 'inputs')
  const outputs = optionalText(row, 'outputs')
  const artifacts: Artifact[] = inputs === null ? [] : JSON.parse(inputs)
  return outputs === null ? artifacts : artifacts.concat(JSON.parse(outputs))
}

function toWebhook(row: Row, taskId: string, box: SealBox): WebhookTarget | undefined {
  const url = optionalText(row, 'webhook_url')
  if (url === null) return undefined
  const sealed = optionalText(row, 'webhook_secret')
  return sealed === null ? { url } : { url, secret: box.open(sealed, webhookContext(taskId)).toString() }
}
