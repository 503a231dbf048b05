/** Functions with which several families build their answers about tasks: words for states,
 *  outputs, failures and times. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { nameIn, sentenceIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { FamilySpec } from '../../contract/family.ts'
import type { Artifact, Task, TaskFailure, TaskState } from '../../core/records/task.ts'

type Worded = Pick<FamilySpec, 'fieldNames'>

interface StateWords<Word> {
  queued: Word
  /** Word for a running task; also for one that is being cancelled, or whose outcome is unknown. */
  running: Word
  succeeded: Word
  failed: Word
  /** Word for a cancelled task; defaults to `failed`. */
  cancelled?: Word
  /** Word for an expired task; defaults to `failed`. */
  expired?: Word
}

/** Returns the dialect's word for each state of a task. */
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

/** Returns the output files of a task, in order; only those of one role when `role` is given. */
export function outputsOf({ artifacts }: Pick<Task, 'artifacts'>, role?: string): Artifact[] {
  return artifacts.filter(each => each.kind === 'output' && (role === undefined || each.role === role))
}

/** Returns the facts about an output as the gateway's own families show them, without its link. */
export function outputFacts({ role, index, mediaType, bytes, sha256, width, height, durationSeconds }: Artifact) {
  return { role, index, media_type: mediaType, bytes, sha256, ...defined({ width, height, duration_seconds: durationSeconds }) }
}

/** Returns the message of a failure with the caller's names of fields. The stored message
 *  contains the neutral names. */
export function failureSentence({ fieldNames = {} }: Worded, { message }: Pick<TaskFailure, 'message'>): string {
  return sentenceIn(fieldNames, message)
}

/** Returns the names under which callers of the family know the fields, without duplicates.
 *  `fields` are the neutral names, which all families share. */
export function callersNames({ fieldNames = {} }: Worded, fields: readonly FieldName[] = []): string[] {
  return [...new Set(fields.map(field => nameIn(fieldNames, field)))]
}

/** Returns whole Unix seconds; `ms` in Unix milliseconds. */
export function unixSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}

/** Returns the webhook fields for `submit`: the URL, and the request field that held it. */
export function webhookTo(url: string | undefined, webhookField: string): { webhook?: { url: string }; webhookField?: string } {
  return url === undefined ? {} : { webhook: { url }, webhookField }
}

/** Returns the task, or undefined when there is none. */
export function ifFound(task: Promise<Task>): Promise<Task | undefined> {
  return task.catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'task_not_found') return undefined
    throw error
  })
}

/** Returns a page of at most `limit` entries, and whether more follow. To find this out, `list` is
 *  called for one entry more than `limit`. */
export async function pageOf<Entry>(
  limit: number,
  list: (limit: number) => Promise<Entry[]>,
): Promise<{ page: Entry[]; hasMore: boolean }> {
  const found = await list(limit + 1)
  return { page: found.slice(0, limit), hasMore: found.length > limit }
}
