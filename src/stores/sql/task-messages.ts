import type { NewBlob } from '../../core/ports/blobs.ts'
import type { NewTask, SentMark, Settlement } from '../../core/ports/store.ts'
import type { BlobRow, SentCells, SettleRow, SubmitRow } from './operations.ts'
import type { SealBox } from './seal.ts'
import { webhookContext } from './task-rows.ts'

/** Returns the rows of a submit, in the form in which the writer takes them. */
export function toSubmitRow(task: NewTask, box: SealBox): SubmitRow {
  const secret = task.webhook?.secret
  const { request, shown } = task
  const requestBlobs = 'blob' in request ? [request.blob] : []
  return {
    id: task.id,
    accountId: task.accountId,
    keyId: task.keyId,
    endpoint: task.endpoint,
    family: task.family,
    capability: task.capability,
    model: task.model,
    queue: task.queue,
    request: 'inline' in request ? JSON.stringify(request.inline) : '',
    requestBlob: requestBlobs[0]?.artifact.id ?? null,
    shown: shown === undefined ? null : JSON.stringify(shown),
    inputs: encodeArtifacts(task.inputs),
    webhookUrl: task.webhook?.url ?? null,
    webhookSecret: secret === undefined ? null : box.seal(secret, webhookContext(task.id)),
    publicUrl: task.publicUrl,
    clientReference: task.clientReference ?? null,
    traceparent: task.traceparent ?? null,
    concurrencyLimit: task.concurrencyLimit ?? null,
    accountLimit: task.accountConcurrencyLimit ?? null,
    hold: task.hold ?? null,
    failure: task.failure === undefined ? null : JSON.stringify(task.failure),
    pin: task.pin ?? null,
    isInline: task.isInline === true,
    createdAt: task.createdAt,
    deadlineAt: task.deadlineAt,
    expiresAt: task.expiresAt,
    blobs: [...task.inputs, ...requestBlobs].map(toBlobRow),
    idempotency: task.idempotency ?? null,
  }
}

/** Returns the end of a task (state, result, outputs and usage) in the form in which the writer
 *  stores it. */
export function toSettleRow(settlement: Settlement): SettleRow {
  const { state, result, detail, failure, outputs, usage, isOpen = false, at } = settlement
  return {
    state,
    result: result === undefined ? null : JSON.stringify(result),
    detail: detail === undefined ? null : JSON.stringify(detail),
    failure: failure === undefined ? null : JSON.stringify(failure),
    outputs: encodeArtifacts(outputs),
    eventData: failure === undefined ? null : JSON.stringify({ code: failure.code, message: failure.message }),
    blobs: outputs.map(toBlobRow),
    usage,
    isOpen,
    at,
  }
}

/** Returns the artifacts of these blobs as JSON; null for an empty list. */
export function encodeArtifacts(blobs: readonly NewBlob[]): string | null {
  return blobs.length === 0 ? null : JSON.stringify(blobs.map(blob => blob.artifact))
}

export function toBlobRow({ artifact, key, expiresAt }: NewBlob): BlobRow {
  const { id, kind, mediaType, bytes, sha256 } = artifact
  return { id, key, kind, mediaType, bytes, sha256, expiresAt }
}

/** Returns the columns of a mark: the note, stored before a job is sent, of the target and settings
 *  with which it is sent. The settings are encrypted, because they contain the upstream's
 *  credential. */
export function toSentCells(taskId: string, { driver, target, model, settings, handle }: SentMark, box: SealBox): SentCells {
  const sealed = box.seal(JSON.stringify(settings), settingsContext(taskId))
  return { driver, target, model, settings: sealed, handle: handle === undefined ? null : JSON.stringify(handle) }
}

/** Returns the mark that `toSentCells` wrote into these columns. Throws `store_unavailable` when
 *  its settings cannot be decrypted. */
export function toSentMark(taskId: string, { driver, target, model, settings, handle }: SentCells, box: SealBox): SentMark {
  // A job that an older version of the program has sent has no stored settings.
  const opened = settings === '' ? {} : JSON.parse(box.open(settings, settingsContext(taskId)).toString())
  const mark: SentMark = { driver, target, model, settings: opened }
  return handle === null ? mark : { ...mark, handle: JSON.parse(handle) }
}

export function settingsContext(taskId: string): string {
  return `target of task ${taskId}`
}
