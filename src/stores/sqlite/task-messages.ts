import type { NewBlob, NewTask, Settlement } from '../../core/ports.ts'
import type { JsonObject } from '../../core/task.ts'
import type { BlobRow, SettleRow, SubmitRow } from './operations.ts'
import type { SealBox } from './seal.ts'
import { webhookContext } from './task-rows.ts'

/** What a submit writes, ready for the writer thread. */
export function toSubmitRow(task: NewTask, box: SealBox): SubmitRow {
  const secret = task.webhook?.secret
  return {
    id: task.id,
    accountId: task.accountId,
    keyId: task.keyId,
    endpoint: task.endpoint,
    family: task.family,
    capability: task.capability,
    model: task.model,
    queue: task.queue,
    request: JSON.stringify(task.request),
    inputs: encodeArtifacts(task.inputs),
    webhookUrl: task.webhook?.url ?? null,
    webhookSecret: secret === undefined ? null : box.seal(secret, webhookContext(task.id)),
    publicUrl: task.publicUrl,
    clientReference: task.clientReference ?? null,
    traceparent: task.traceparent ?? null,
    concurrencyLimit: task.concurrencyLimit ?? null,
    createdAt: task.createdAt,
    deadlineAt: task.deadlineAt,
    expiresAt: task.expiresAt,
    blobs: task.inputs.map(toBlobRow),
    idempotency: task.idempotency ?? null,
  }
}

/** What a settlement writes, ready for the writer thread. */
export function toSettleRow(settlement: Settlement): SettleRow {
  const { state, result, detail, failure, outputs, usage, at } = settlement
  const eventData: JsonObject = failure === undefined ? { outputs: outputs.length } : { code: failure.code, message: failure.message }
  return {
    state,
    result: result === undefined ? null : JSON.stringify(result),
    detail: detail === undefined ? null : JSON.stringify(detail),
    failure: failure === undefined ? null : JSON.stringify(failure),
    outputs: encodeArtifacts(outputs),
    eventData: JSON.stringify(eventData),
    blobs: outputs.map(toBlobRow),
    usage,
    at,
  }
}

function encodeArtifacts(blobs: NewBlob[]): string | null {
  return blobs.length === 0 ? null : JSON.stringify(blobs.map(blob => blob.artifact))
}

export function toBlobRow({ artifact, key, expiresAt }: NewBlob): BlobRow {
  const { id, role, mediaType, bytes, sha256 } = artifact
  return { id, key, role, mediaType, bytes, sha256, expiresAt }
}
