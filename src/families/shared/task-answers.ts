/** Parts of the answers about tasks that families share: words for states, outputs, failures and times. */
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { nameIn, sentenceIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { FamilySpec } from '../../contract/family.ts'
import type { Artifact, Task, TaskFailure, TaskState } from '../../core/records/task.ts'

type Worded = Pick<FamilySpec, 'fieldNames'>

interface StateWords<Word> {
  queued: Word
  /** Also of a task that is being cancelled, or whose fate is unknown. */
  running: Word
  succeeded: Word
  failed: Word
  /** Absent: as `failed`. */
  cancelled?: Word
  /** Absent: as `failed`. */
  expired?: Word
}

/** A dialect's word for each state of a task. */
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

/** Files that the task has made, in their order; of one role only where that is given. */
export function outputsOf({ artifacts }: Pick<Task, 'artifacts'>, role?: string): Artifact[] {
  return artifacts.filter(each => each.kind === 'output' && (role === undefined || each.role === role))
}

/** The sentence of a failure, which is stored in neutral words, in the words of the family's callers. */
export function failureSentence({ fieldNames = {} }: Worded, { message }: Pick<TaskFailure, 'message'>): string {
  return sentenceIn(fieldNames, message)
}

/** Names of neutral fields as the family's callers know them, each once. */
export function callersNames({ fieldNames = {} }: Worded, fields: readonly FieldName[] = []): string[] {
  return [...new Set(fields.map(field => nameIn(fieldNames, field)))]
}

/** Whole Unix seconds; `ms` in Unix milliseconds. */
export function unixSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}

/** Where the end of a task is reported: for `submit`, with the field that the caller gave the URL in. */
export function webhookTo(url: string | undefined, webhookField: string): { webhook?: { url: string }; webhookField?: string } {
  return url === undefined ? {} : { webhook: { url }, webhookField }
}

/** A page of at most `limit` entries, and whether more follow it. `list` is asked for one more than that. */
export async function pageOf<Entry>(
  limit: number,
  list: (limit: number) => Promise<Entry[]>,
): Promise<{ page: Entry[]; hasMore: boolean }> {
  const found = await list(limit + 1)
  return { page: found.slice(0, limit), hasMore: found.length > limit }
}
