import type { FileFacts, OutputPreview } from '@generation-gateway/kit/requests/capability.ts'
import type { Claim, SentMark } from '../ports/store.ts'

/** The known state of a run's generation at the upstream. It decides whether the task is retried,
 *  and how much is charged. */
export interface RunFate {
  /** The target to which the generation was sent; it may have accepted it. Undefined while no
   *  generation is in progress, and once the upstream has confirmed that it stopped. */
  sent: SentMark | undefined
  /** True when a start with an unknown outcome can be looked up at the upstream later. */
  isFindable: boolean
  /** Approximate number of text tokens produced. */
  said: number
  /** Files that were delivered before the end. `looks` contains the outputs that were previewed, by
   *  index. */
  given: FileFacts[]
  looks: Map<number, OutputPreview>
  /** True when the run has sent its caller an event that is not a preview. */
  hasTold: boolean
}

/** Returns the fate with which the run of a claim begins. */
export function fateOf({ sent, task }: Claim): RunFate {
  // Files that an earlier claim of the same run has delivered.
  const given = task.artifacts.filter(({ kind }) => kind === 'output')
  return { sent, isFindable: false, said: 0, given, looks: new Map(), hasTold: false }
}
