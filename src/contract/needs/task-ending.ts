import type { Task } from '../../core/records/task.ts'

/** Ends tasks of this account, endpoint and family before their time. */
export interface TaskEnding {
  /** Requests cancellation and returns the task in its state afterwards. Throws `task_not_found`
   *  for an unknown id. */
  cancel(id: string): Promise<Task>
  /** Deletes the task, and cancels it first if it has not ended. No query finds it afterwards and
   *  the next sweep deletes its files; its usage stays counted. Throws `task_not_found` for an
   *  unknown id. */
  remove(id: string): Promise<void>
}
