/** Runs tasks for callers that need only the result. */

import type { CallContext, Submission } from '../../contract/context.ts'
import type { InlinePart, Task, TaskCapability } from '../../core/records/task.ts'

/** Runs the submission to its end. Resolves with the task when it has succeeded; throws its
 *  failure otherwise. */
export function runToEnd<C extends TaskCapability>(context: CallContext, submission: Submission<C>): Promise<Task> {
  return endOf(context.run({ ...submission, isWhole: true }))
}

/** Returns the task when it has succeeded; otherwise throws its failure. */
async function endOf(parts: AsyncIterable<InlinePart<TaskCapability>>): Promise<Task> {
  for await (const part of parts) if (part.type === 'finish') return part.task
  throw new TypeError('a run ends with its task')
}
