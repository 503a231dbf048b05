/** What a family's handler may use: the call it serves, its tasks, and what its operation declares as needs. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability, RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { EndpointRoute } from '../core/ports/store.ts'
import type { Artifact, InlinePart, Task, TaskCapability, TaskFailure, WebhookTarget } from '../core/records/task.ts'
import type { CallFile, OwnFile } from './call-file.ts'
import type { FamilyModel } from './model.ts'
import type { NeedName, Needs } from './needs/index.ts'

export interface Submission<C extends Capability = Capability> {
  capability: C
  request: RequestOf<C>
  /** What the family wants to show of it later (`Task.shown`), at most 64 KiB as JSON. */
  shown?: JsonObject
  inputs?: readonly (CallFile | OwnFile)[]
  webhook?: WebhookTarget
  /** What the caller gave its URL in; absent: `webhook_url`. */
  webhookField?: string
  clientReference?: string
  /** What the dialect tells only when it is asked about the task: it is written as failed, for this reason, and nothing runs. */
  failure?: TaskFailure
  /** From now to its end, where that is not the family's. */
  deadlineMs?: number
  /** For `run`: only files and the end are looked at, so that a run that breaks off has given nothing by what it told before. */
  isWhole?: true
}

/** Links and facts a presenter needs, with or without a call. */
export interface TaskView {
  /** Origin of absolute links, without a trailing slash. */
  publicUrl: string
  /** Absolute signed URL of an artifact, valid for `lifetimeMs` from now. */
  link(artifact: Artifact, lifetimeMs: number): string
}

/** What a handler may use within its call: `CallContext<'templates'>` is that of an operation that
 *  declares `needs: ['templates']`. */
export type CallContext<Declared extends NeedName = never> = CoreContext & Pick<Needs, Declared>

/** What every operation has. */
export interface CoreContext extends TaskView {
  requestId: string
  endpoint: string
  route: EndpointRoute
  /** The chosen model; present for operations that choose one. */
  model: FamilyModel
  /** A fresh random seed: decimal digits, 0 to 2^32 - 1. */
  randomSeed(): string
  /** Writes the task durably; resolves after the commit. With an `Idempotency-Key` a repeat gives the first task. */
  submit<C extends Capability>(submission: Submission<C>): Promise<Task>
  /** Runs a task here while the caller waits, with one try over all targets, and yields what it makes as it comes. Throws why it failed. When the caller leaves, or the iteration is abandoned, it is cancelled;
   *  with an `Idempotency-Key` it goes on, and a repeat waits for it. Of a private request (`isPrivate`) nothing is stored, and a repeat runs anew. */
  run<C extends TaskCapability>(submission: Submission<C>): AsyncIterable<InlinePart<C>>
  /** A task of this account, endpoint and family; throws `task_not_found`. */
  task(id: string): Promise<Task>
  /** Aborted when the caller leaves. */
  signal: AbortSignal
  /** A header of the answer that its declaration names; before the answer begins. */
  setHeader(name: string, value: string): void
  /** Absolute URL of an operation of this family whose access is `signed`, for this endpoint, valid for `lifetimeMs` from now. */
  signedUrl(operation: string, params: Readonly<Record<string, string>>, lifetimeMs: number): string
  /** The id of a task as callers of this family know it. */
  publicId(task: Pick<Task, 'id' | 'model'>): string
  /** Tells the caller, in the header `x-gateway-warning` of the answer, of something he asked for that is left out, or done in another way. Before the answer begins. With a `field` of the neutral request the sentence begins with the caller's word for it. */
  warn(says: string, field?: FieldName): void
  /** Unix milliseconds, by the clock that tasks are made by. */
  now(): number
}
