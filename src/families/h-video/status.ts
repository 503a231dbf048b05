import type { Task } from '../../core/records/task.ts'
import { stateWords } from '../shared/task-answers.ts'
import type { VideoStatus } from './family.ts'

/** Time in milliseconds after which a waiting task is reported as `Queueing` instead of
 *  `Preparing`. A free worker claims a new task much earlier, so a task that waits longer has to
 *  wait for others. */
export const preparingMs = 1_000

const statuses = stateWords<VideoStatus>({ queued: 'Queueing', running: 'Processing', succeeded: 'Success', failed: 'Fail' })

/** Returns the state of a task in the words of the interface (docs/interface/videos.md#h). A task
 *  that has already run and waits for a retry is reported as `Queueing`. */
export function statusOf({ state, createdAt, startedAt }: Pick<Task, 'state' | 'createdAt' | 'startedAt'>, now: number): VideoStatus {
  const isPreparing = state === 'queued' && startedAt === undefined && now - createdAt < preparingMs
  return isPreparing ? 'Preparing' : statuses[state]
}
