/** An output of an earlier task as an input of a new one. */
import type { Artifact } from '../core/records/task.ts'
import type { OwnFile } from './call-file.ts'
import type { CallContext } from './context.ts'

export interface EarlierOutput {
  output: Artifact
  /** What the capability has it for. */
  role: string
  purpose: string
  /** At least as long as the submit takes. */
  lifetimeMs: number
}

/** What `submit` makes with the output as an input. Throws `gone` for an output that was swept, `store_unavailable`, `disk_full`, and what `submit` throws. */
export async function withOutput<Result>(
  context: CallContext<'files'>,
  { output, role, purpose, lifetimeMs }: EarlierOutput,
  submit: (input: OwnFile) => Promise<Result>,
): Promise<Result> {
  const stored = await context.files.keep(output, { purpose, lifetimeMs })
  try {
    return await submit({ stored, role })
  } finally {
    // It goes at its end anyway, and the task shares its bytes.
    await context.files.remove(stored.id).catch(() => undefined)
  }
}
