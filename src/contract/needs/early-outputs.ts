import type { Task } from '../../core/records/task.ts'

/** Outputs of tasks that run on this node and can be read while they are made
 *  (`CapabilityFacts.early`). */
export interface OutputsInProgress {
  /** Indices of the outputs that have begun. */
  begun(task: Pick<Task, 'id'>): readonly number[]
  /** The bytes of one of them from its first on, until it is whole; undefined when it has not begun
   *  here. Fails with `conflict` when its run is broken off. */
  read(task: Pick<Task, 'id'>, index: number): AsyncIterable<Uint8Array> | undefined
}
