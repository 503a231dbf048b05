/** The context that a family's handler gets: facts about the call, functions to create and read
 *  tasks, and the further parts that its operation requests in `needs`. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability, RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { EndpointRoute } from '../core/ports/store.ts'
import type { Artifact, InlinePart, Task, TaskCapability, TaskFailure, WebhookTarget } from '../core/records/task.ts'
import type { AccountFile, CallFile } from './call-file.ts'
import type { FamilyModel } from './model.ts'
import type { NeedName, Needs } from './needs/index.ts'

export interface Submission<C extends Capability = Capability> {
  capability: C
  request: RequestOf<C>
  /** Data that the family's presenter shows later (`Task.shown`), at most 64 KiB as JSON. */
  shown?: JsonObject
  inputs?: readonly (CallFile | AccountFile)[]
  webhook?: WebhookTarget
  /** The field in which the caller sent its webhook URL; `webhook_url` when absent. */
  webhookField?: string
  clientReference?: string
  /** Name of a piece of work that this account needs only once. For a day, a submit or a run with
   *  the same name gets the task of the first one. A run then continues when its caller
   *  disconnects. The name is stored among the account's idempotency keys in place of the caller's
   *  `Idempotency-Key`; it contains a character that a header cannot contain, so that no caller can
   *  send the same name. */
  once?: string
  /** A failure that this dialect reports only when the task is polled. The task is stored as
   *  failed with this reason, and nothing is run. */
  failure?: TaskFailure
  /** Milliseconds from now to the task's deadline, when it differs from the usual one of the
   *  family (`deadlineMs`). */
  deadlineMs?: number
  /** For `run`: true for a caller that uses only the finished files and the final result. `run`
   *  then yields no events. When the run breaks off, only the files that it had stored count as
   *  delivered, whatever events it had produced. */
  isWhole?: true
}

/** The part of the context that is needed to present a task, in the answer to an HTTP request as
 *  well as in a webhook. */
export interface TaskView {
  /** Base of absolute links, without a trailing slash. */
  publicUrl: string
  /** Absolute signed URL of an artifact, valid for `lifetimeMs` from now. */
  link(artifact: Artifact, lifetimeMs: number): string
}

/** The context of an operation's handler: the common core, and the parts that the operation
 *  requests. `CallContext<'templates'>` belongs to an operation with `needs: ['templates']`. */
export type CallContext<Declared extends NeedName = never> = CoreContext & Pick<Needs, Declared>

/** The part of the context that every operation has. */
export interface CoreContext extends TaskView {
  requestId: string
  endpoint: string
  route: EndpointRoute
  /** The chosen model; present for operations that choose one. */
  model: FamilyModel
  /** Returns a fresh random seed: decimal digits, 0 to 2^32 - 1. */
  randomSeed(): string
  /** Writes the task durably; resolves after the commit. With an `Idempotency-Key`, a repeated
   *  request gets the task of the first one. */
  submit<C extends Capability>(submission: Submission<C>): Promise<Task>
  /** Runs a task on this node while the caller waits, and yields its parts as they are produced.
   *  The task has a single try, which may fail over from target to target. Throws the task's
   *  failure. When the caller disconnects, or the iteration is ended early, the task is
   *  cancelled; with an `Idempotency-Key` the task continues, and a repeated request waits for
   *  it. For a private request (`isPrivate`) nothing is stored, and a repeated request runs the
   *  work again. */
  run<C extends TaskCapability>(submission: Submission<C>): AsyncIterable<InlinePart<C>>
  /** Returns a task of this account, endpoint and family; throws `task_not_found`. */
  task(id: string): Promise<Task>
  /** A signal that is aborted when the caller disconnects, or when the gateway stops. */
  signal: AbortSignal
  /** Sets a header of the answer. The operation must declare the header. Call it before the
   *  answer begins. */
  setHeader(name: string, value: string): void
  /** Returns the absolute URL of an operation with `signed` access, in this family and at this
   *  endpoint. The URL is valid for `lifetimeMs` milliseconds from now. */
  signedUrl(operation: string, params: Readonly<Record<string, string>>, lifetimeMs: number): string
  /** Returns the id of a task as callers of this family see it. */
  publicId(task: Pick<Task, 'id' | 'model'>): string
  /** Adds a warning to the answer's header `x-gateway-warning`: a requested feature was left out,
   *  or done in another way. Call it before the answer begins. `field` is the neutral name of the
   *  field that the warning is about; the warning then begins with the family's own name of this
   *  field. */
  warn(says: string, field?: FieldName): void
  /** Unix milliseconds, by the clock that sets the times of tasks. */
  now(): number
}
