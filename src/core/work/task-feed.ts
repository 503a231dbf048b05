import type { TaskStore } from '../ports/store.ts'

/** Reports changes of tasks to the event streams of this process that wait for them. */
export interface TaskFeed {
  watch(taskId: string, listener: () => void): () => void
  /** True when the gateway is stopping: the streams then end, and their clients reconnect with
   *  `Last-Event-ID`. */
  readonly isClosed: boolean
  close(): void
}

export function createTaskFeed(store: Pick<TaskStore, 'subscribe'>): TaskFeed {
  const listeners = new Map<string, Set<() => void>>()
  let isClosed = false
  const unsubscribe = store.subscribe(signal => {
    if (signal.kind !== 'task') return
    for (const listener of listeners.get(signal.taskId) ?? []) listener()
  })
  return {
    watch: (taskId, listener) => {
      const set = listeners.get(taskId) ?? new Set()
      listeners.set(taskId, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0) listeners.delete(taskId)
      }
    },
    get isClosed() {
      return isClosed
    },
    close: () => {
      isClosed = true
      unsubscribe()
      for (const set of listeners.values()) for (const listener of set) listener()
    },
  }
}
