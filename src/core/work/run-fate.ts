import type { FileFacts, OutputPreview } from '@generation-gateway/kit/requests/capability.ts'
import type { Claim, SentMark } from '../ports/store.ts'

/** The known state of a run's generation at the upstream; it decides how the run is ended. */
export interface RunFate {
  /** The target the generation was sent to, which may have accepted it. Undefined while no
   *  generation is in progress, and once the upstream has confirmed that it stopped. */
  sent: SentMark | undefined
  /** The upstream can later look up a start of unknown fate. */
  isFindable: boolean
  /** Approximate number of text tokens produced. */
  said: number
  /** Files delivered before the end, and outputs that were previewed, by index. */
  given: FileFacts[]
  looks: Map<number, OutputPreview>
  /** The run has sent its caller an event that is not a preview. */
  hasTold: boolean
}

/** The fate at the beginning of a claim's run. */
export function fateOf({ sent, task }: Claim): RunFate {
  // Files that an earlier claim of the same run has delivered.
  const given = task.artifacts.filter(({ kind }) => kind === 'output')
  return { sent, isFindable: false, said: 0, given, looks: new Map(), hasTold: false }
}
