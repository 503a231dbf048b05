import type { TaskFilter } from '../../core/ports/store.ts'
import type { UsageLine } from '../../core/ports/usage.ts'
import type { Task } from '../../core/records/task.ts'

/** Tasks of the account at every family and endpoint that the key may use. */
export interface AccountTasks {
  /** Returns the task with this id. Throws `task_not_found` when the account has none. */
  get(id: string): Promise<Task>
  /** Returns tasks, the newest first unless the filter says otherwise. */
  list(filter: TaskListing): Promise<Task[]>
  /** Returns the usage that was recorded when the task ended; costs are in `currency`. */
  usage(id: string): Promise<{ currency: string; lines: UsageLine[] }>
  /** True when a task that has ended may still cost more than its recorded usage, because it is
   *  unknown whether the upstream did the work. An operator then has to charge or release the
   *  difference (the open line). */
  hasOpenLine(id: string): Promise<boolean>
}

/** Selects a page of tasks. The page begins after the task with the id `before`, or, with
 *  `oldestFirst`, after the task with the id `after`. `limit` is the largest number of tasks, 1 to
 *  200. */
export type TaskListing = Pick<
  TaskFilter,
  'state' | 'family' | 'model' | 'endpoint' | 'idempotencyKey' | 'before' | 'after' | 'oldestFirst' | 'limit'
>
