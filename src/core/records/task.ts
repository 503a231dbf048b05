import type { ErrorCode } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability, EventOf, ResultOf, StreamedCapability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FileFacts, InputFacts } from '@generation-gateway/kit/requests/capability.ts'

export const taskStates = ['queued', 'running', 'cancelling', 'unknown', 'succeeded', 'failed', 'cancelled', 'expired'] as const
export type TaskState = (typeof taskStates)[number]

/** Allowed moves between states; a state with an empty list is final. `unknown` is a paid submit
 *  whose fate is being looked up. */
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

/** Why a task failed, as stored: a code of the catalogue, a sentence for the caller, and
 *  moderation reasons if there are any. */
export interface TaskFailure {
  code: ErrorCode
  message: string
  /** The field at fault, by its neutral name; the message begins with this name. */
  field?: string
  reasons?: string[]
  /** Seconds after which its target accepts another request, as the target reported. */
  retryAfterSeconds?: number
}

/** A finished output or a kept input. `id` is the blob id that signed links carry. */
export interface Artifact extends FileFacts, Pick<InputFacts, 'lengthLimits'> {
  id: string
  kind: 'input' | 'output'
  /** Its purpose in the capability: `image`, `mask`, `first-frame`; `output`, `video`, `cover`. */
  role: string
  /** Position among the outputs (or inputs), from 0. */
  index: number
  sha256: string
}

export interface WebhookTarget {
  url: string
  /** The secret as the caller sent it; stores keep it encrypted. */
  secret?: string
}

/** A durable asynchronous generation. Times are Unix milliseconds. */
export interface Task {
  id: string
  accountId: string
  keyId: string
  /** Name of the endpoint it was submitted through. */
  endpoint: string
  family: string
  capability: Capability
  model: string
  state: TaskState
  /** 0 to 100; never falls. */
  progress: number
  /** The parts of the request that the family shows later, in the family's own fields; at most 64
   *  KiB as JSON. */
  shown?: JsonObject
  /** Facts the driver reported beside the files (seed, final prompt, words not drawn, scene,
   *  ...). */
  result?: JsonObject
  failure?: TaskFailure
  artifacts: Artifact[]
  webhook?: WebhookTarget
  /** Origin of absolute links in webhooks: `GATEWAY_PUBLIC_URL`, else the Host of the submit. */
  publicUrl: string
  /** The caller's own id for the task (family K `external_task_id`), unique per account. */
  clientReference?: string
  traceparent?: string
  createdAt: number
  startedAt?: number
  finishedAt?: number
  deadlineAt: number
  /** When the task and its blobs may be swept. */
  expiresAt: number
}

/** True when the owner has deleted the task: callers no longer see it, though it may still be
 *  running or wait for the sweep. */
export function isRemoved({ expiresAt }: Pick<Task, 'expiresAt'>): boolean {
  return expiresAt === 0
}

/** Returns the driver's result of a succeeded task of one of these capabilities. */
export function resultOf<C extends Capability>({ id, capability, result }: Task, ...expected: readonly C[]): ResultOf<C> {
  const isExpected = (expected as readonly Capability[]).includes(capability)
  if (!isExpected || result === undefined) throw new TypeError(`task ${id} has no result of ${expected.join(' or ')}`)
  // Offers are typed by their capability, and a task's result is the result its offer reported.
  return result as ResultOf<C>
}

/** Capabilities whose work is a task. A conversation is not a task: see `Calls`. */
export type TaskCapability = Exclude<Capability, StreamedCapability>

/** One part of a task's progress, streamed to a caller who waits for the task. */
export type InlinePart<C extends Capability> =
  /** The first part: the task has been stored. */
  | { type: 'start'; taskId: string }
  /** A live event: a repeat with the same `Idempotency-Key` gets only those that the result keeps
   *  (`CapabilityFacts.keptEvents`), before the outputs. */
  | { type: 'event'; event: EventOf<C> }
  /** A stored output: each is sent once, at the latest right before the end. */
  | { type: 'file'; artifact: Artifact }
  /** The last part: the task has succeeded. */
  | { type: 'finish'; task: Task }

/** One row of the append-only history of a task. `sequence` counts from 1 within the task. */
export interface TaskEvent {
  taskId: string
  sequence: number
  at: number
  /** `task.queued`, `task.running`, `task.progress`, `task.retrying`, `task.succeeded`, ... */
  type: string
  data: JsonObject
}
