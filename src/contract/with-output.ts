/** Uses an output of an earlier task as an input of a new one. */
import type { Artifact } from '../core/records/task.ts'
import type { AccountFile } from './call-file.ts'
import type { CallContext } from './context.ts'

export interface EarlierOutput {
  output: Artifact
  /** Purpose of the output in the new task's capability. */
  role: string
  purpose: string
  /** Lifetime of the temporary copy in milliseconds, at least as long as the submission takes. */
  lifetimeMs: number
}

/** Calls `submit` with the output as an input, and returns the result. Throws `gone` for an
 *  output that has been deleted after its lifetime, `store_unavailable`, `disk_full`, and the
 *  errors of `submit`. */
export async function withOutput<Result>(
  context: CallContext<'files'>,
  { output, role, purpose, lifetimeMs }: EarlierOutput,
  submit: (input: AccountFile) => Promise<Result>,
): Promise<Result> {
  const stored = await context.files.keep(output, { purpose, lifetimeMs })
  try {
    return await submit({ stored, role })
  } finally {
    // A failed removal is ignored: the stored copy expires anyway, and until then it takes no extra
    // space, because the task refers to the same bytes.
    await context.files.remove(stored.id).catch(() => undefined)
  }
}
