/** Runs of which only the end is asked. */

import type { CallContext, Submission } from '../../contract/context.ts'
import type { InlinePart, Task, TaskCapability } from '../../core/records/task.ts'

/** Runs it, and resolves with the task that has succeeded. Throws why it has not. */
export function runToEnd<C extends TaskCapability>(context: CallContext, submission: Submission<C>): Promise<Task> {
  return endOf(context.run({ ...submission, isWhole: true }))
}

/** The task that has succeeded. Throws why it has not. */
async function endOf(parts: AsyncIterable<InlinePart<TaskCapability>>): Promise<Task> {
  for await (const part of parts) if (part.type === 'finish') return part.task
  throw new TypeError('a run ends with its task')
}
