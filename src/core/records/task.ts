import type { ErrorCode } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability, EventOf, ResultOf, StreamedCapability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FileFacts, InputFacts } from '@generation-gateway/kit/requests/capability.ts'

export const taskStates = ['queued', 'running', 'cancelling', 'unknown', 'succeeded', 'failed', 'cancelled', 'expired'] as const
export type TaskState = (typeof taskStates)[number]

/** Allowed changes of the state of a task; a state with an empty list is final. `unknown` means
 *  that a paid submit may have been accepted, and the gateway is looking it up. */
export const legalMoves: Record<TaskState, readonly TaskState[]> = {
  queued: ['running', 'succeeded', 'failed', 'cancelled', 'expired'],
  running: ['queued', 'cancelling', 'unknown', 'succeeded', 'failed', 'cancelled', 'expired'],
  cancelling: ['unknown', 'succeeded', 'failed', 'cancelled', 'expired'],
  unknown: ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'],
  succeeded: [],
  failed: [],
  cancelled: [],
  expired: [],
}

export function isFinal(state: TaskState): boolean {
  return legalMoves[state].length === 0
}

/** The reason why a task failed, as stored: a code of the error catalogue, a sentence for the
 *  caller, and the moderation reasons if there are any. */
export interface TaskFailure {
  code: ErrorCode
  message: string
  /** Name of the field that caused the error, as in the gateway's neutral request; the message
   *  begins with this name. */
  field?: string
  reasons?: string[]
  /** Seconds after which the target accepts another request, as the target reported. */
  retryAfterSeconds?: number
}

/** A finished output or a stored input of a task. `id` is its id in signed links. */
export interface Artifact extends FileFacts, Pick<InputFacts, 'lengthLimits'> {
  id: string
  kind: 'input' | 'output'
  /** Role of the file in its capability: `image`, `mask`, `first-frame`; `output`, `video`,
   *  `cover`. */
  role: string
  /** Position among the outputs (or inputs), from 0. */
  index: number
  sha256: string
}

export interface WebhookTarget {
  url: string
  /** The webhook secret as the caller sent it; stores encrypt it. */
  secret?: string
}

/** A durable asynchronous generation. All times are Unix milliseconds. */
export interface Task {
  id: string
  accountId: string
  keyId: string
  /** Name of the endpoint that received the task. */
  endpoint: string
  family: string
  capability: Capability
  model: string
  state: TaskState
  /** Progress, 0 to 100; never decreases. */
  progress: number
  /** The parts of the request that callers see later, in the fields of the family; at most 64 KiB
   *  as JSON. */
  shown?: JsonObject
  /** Facts that the driver reported in addition to the files: the seed, the final prompt, the words
   *  of the prompt that the picture does not show, the scene, ... */
  result?: JsonObject
  failure?: TaskFailure
  artifacts: Artifact[]
  webhook?: WebhookTarget
  /** Base of absolute links in webhooks: `GATEWAY_PUBLIC_URL`, else the URL at which the submit
   *  reached the gateway. */
  publicUrl: string
  /** The caller's own id for the task (`external_task_id` of family K), unique within the
   *  account. */
  clientReference?: string
  traceparent?: string
  createdAt: number
  startedAt?: number
  finishedAt?: number
  deadlineAt: number
  /** Time from which the sweep may delete the task and its blobs. */
  expiresAt: number
}

/** True when the owner has deleted the task: callers no longer see it, although it may still be
 *  running or wait for the sweep. */
export function isRemoved({ expiresAt }: Pick<Task, 'expiresAt'>): boolean {
  return expiresAt === 0
}

/** Returns the result that the driver reported; the task must have succeeded and have one of these
 *  capabilities. */
export function resultOf<C extends Capability>({ id, capability, result }: Task, ...expected: readonly C[]): ResultOf<C> {
  const isExpected = (expected as readonly Capability[]).includes(capability)
  if (!isExpected || result === undefined) throw new TypeError(`task ${id} has no result of ${expected.join(' or ')}`)
  // The cast is safe: the result of a task is what an offer of its capability reported, and offers
  // are typed by capability.
  return result as ResultOf<C>
}

/** Capabilities whose work runs as a task. A conversation is not a task (see `Calls`). */
export type TaskCapability = Exclude<Capability, StreamedCapability>

/** One part of a task's progress, streamed to a caller who waits for the task. */
export type InlinePart<C extends Capability> =
  /** The first part: the task has been stored. */
  | { type: 'start'; taskId: string }
  /** An event of the run, sent immediately. A request that is repeated with the same `Idempotency-Key` after the run gets only the events that can be derived from the result (`CapabilityFacts.keptEvents`), before the outputs. */
  | { type: 'event'; event: EventOf<C> }
  /** A stored output. Each is sent once, at the latest right before the last part. */
  | { type: 'file'; artifact: Artifact }
  /** The last part: the task has succeeded. */
  | { type: 'finish'; task: Task }

/** Reasons in the `task.retrying` event after the node that ran the task was lost. `program-lost`:
 *  the program found at its start that its earlier process had ended without releasing the job.
 *  `node-lost`: the lease of the node expired. This also happens to a node that works but is slow,
 *  so the first time the job becomes due without delay. */
const lostReasons = ['node-lost', 'program-lost'] as const
export type LostReason = (typeof lostReasons)[number]

/** Returns true when the reason says that the node of a run was lost. */
export function isLostReason(reason: unknown): reason is LostReason {
  return lostReasons.some(lost => lost === reason)
}

/** One row of the append-only history of a task. `sequence` counts from 1 within the task. */
export interface TaskEvent {
  taskId: string
  sequence: number
  at: number
  /** Type of the event: `task.queued`, `task.running`, `task.progress`, `task.retrying`,
   *  `task.succeeded`, ... */
  type: string
  data: JsonObject
}
