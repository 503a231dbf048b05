import type { Task, TaskState } from '../../core/records/task.ts'
import type { VideoStatus } from './family.ts'

/** A free worker takes a new task well within this time: one that waits longer waits for others. Milliseconds. */
export const preparingMs = 1_000

const statuses: Record<Exclude<TaskState, 'queued'>, VideoStatus> = {
  running: 'Processing',
  cancelling: 'Processing',
  unknown: 'Processing',
  succeeded: 'Success',
  failed: 'Fail',
  cancelled: 'Fail',
  expired: 'Fail',
}

/** The state of a task in the words of the interface (docs/interface/videos.md#h). A task that has
 *  begun before and waits for another try is queueing again. */
export function statusOf({ state, createdAt, startedAt }: Pick<Task, 'state' | 'createdAt' | 'startedAt'>, now: number): VideoStatus {
  if (state !== 'queued') return statuses[state]
  return startedAt === undefined && now - createdAt < preparingMs ? 'Preparing' : 'Queueing'
}
