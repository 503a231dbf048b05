import type { Task } from '../../core/records/task.ts'

/** Outputs of tasks that run on this node; they can be read while they are being created
 *  (`CapabilityFacts.early`). */
export interface OutputsInProgress {
  /** Returns the indices of the outputs that have begun. */
  begun(task: Pick<Task, 'id'>): readonly number[]
  /** Streams the bytes of one output from its start, until it is complete; undefined when it has
   *  not begun on this node. Fails with `conflict` when the run that creates it breaks off. */
  read(task: Pick<Task, 'id'>, index: number): AsyncIterable<Uint8Array> | undefined
}
