/** Runs of which only the end is asked. */
import type { InlinePart, Task, TaskCapability } from '../core/task.ts'

/** The task that has succeeded. Throws why it has not. */
export async function endOf(parts: AsyncIterable<InlinePart<TaskCapability>>): Promise<Task> {
  for await (const part of parts) if (part.type === 'finish') return part.task
  throw new TypeError('a run ends with its task')
}
