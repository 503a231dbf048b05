/** Parts of the answers about tasks that families share: words for states, outputs, failures and
 *  times. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { nameIn, sentenceIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { FamilySpec } from '../../contract/family.ts'
import type { Artifact, Task, TaskFailure, TaskState } from '../../core/records/task.ts'

type Worded = Pick<FamilySpec, 'fieldNames'>

interface StateWords<Word> {
  queued: Word
  /** Also for a task that is being cancelled, or whose outcome is unknown. */
  running: Word
  succeeded: Word
  failed: Word
  /** Defaults to `failed`. */
  cancelled?: Word
  /** Defaults to `failed`. */
  expired?: Word
}

/** Maps each state of a task to a dialect's word. */
export function stateWords<Word extends string>({
  queued,
  running,
  succeeded,
  failed,
  cancelled = failed,
  expired = failed,
}: StateWords<Word>): Record<TaskState, Word> {
  return { queued, running, cancelling: running, unknown: running, succeeded, failed, cancelled, expired }
}

/** The output files of a task, in order; only those of one role when `role` is given. */
export function outputsOf({ artifacts }: Pick<Task, 'artifacts'>, role?: string): Artifact[] {
  return artifacts.filter(each => each.kind === 'output' && (role === undefined || each.role === role))
}

/** An output as our own families show it, without its link. */
export function outputFacts({ role, index, mediaType, bytes, sha256, width, height, durationSeconds }: Artifact) {
  return { role, index, media_type: mediaType, bytes, sha256, ...defined({ width, height, duration_seconds: durationSeconds }) }
}

/** The message of a failure with the caller's names of fields; it is stored with neutral names. */
export function failureSentence({ fieldNames = {} }: Worded, { message }: Pick<TaskFailure, 'message'>): string {
  return sentenceIn(fieldNames, message)
}

/** The callers' names of neutral fields, each once. */
export function callersNames({ fieldNames = {} }: Worded, fields: readonly FieldName[] = []): string[] {
  return [...new Set(fields.map(field => nameIn(fieldNames, field)))]
}

/** Whole Unix seconds; `ms` in Unix milliseconds. */
export function unixSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}

/** The webhook fields for `submit`: the URL, and the request field that held it. */
export function webhookTo(url: string | undefined, webhookField: string): { webhook?: { url: string }; webhookField?: string } {
  return url === undefined ? {} : { webhook: { url }, webhookField }
}

/** The task, or undefined when there is none. */
export function ifFound(task: Promise<Task>): Promise<Task | undefined> {
  return task.catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'task_not_found') return undefined
    throw error
  })
}

/** A page of at most `limit` entries, and whether more follow. `list` is called with one more than
 *  that. */
export async function pageOf<Entry>(
  limit: number,
  list: (limit: number) => Promise<Entry[]>,
): Promise<{ page: Entry[]; hasMore: boolean }> {
  const found = await list(limit + 1)
  return { page: found.slice(0, limit), hasMore: found.length > limit }
}
