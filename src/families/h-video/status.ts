import type { Task } from '../../core/records/task.ts'
import { stateWords } from '../shared/task-answers.ts'
import type { VideoStatus } from './family.ts'

/** A free worker takes a new task well within this time: one that waits longer waits for others. Milliseconds. */
export const preparingMs = 1_000

const statuses = stateWords<VideoStatus>({ queued: 'Queueing', running: 'Processing', succeeded: 'Success', failed: 'Fail' })

/** The state of a task in the words of the interface (docs/interface/videos.md#h). A task that has
 *  begun before and waits for another try is queueing again. */
export function statusOf({ state, createdAt, startedAt }: Pick<Task, 'state' | 'createdAt' | 'startedAt'>, now: number): VideoStatus {
  const isPreparing = state === 'queued' && startedAt === undefined && now - createdAt < preparingMs
  return isPreparing ? 'Preparing' : statuses[state]
}
