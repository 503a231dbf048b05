import type { FileFacts, OutputPreview } from '@generation-gateway/kit/requests/capability.ts'
import type { TextUsage } from '@generation-gateway/kit/requests/text.ts'
import type { Claim, SentMark } from '../ports/store.ts'

/** The known state of a run's generation at the upstream. This state decides whether the task is
 *  retried, and how much is charged. */
export interface RunFate {
  /** The mark of the target to which the generation was sent, and which may have accepted it.
   *  Undefined while no generation is in progress, and once the upstream has confirmed that the
   *  generation has stopped. */
  sent: SentMark | undefined
  /** True once the run has read its request and its inputs. Before that, it has sent nothing to an
   *  upstream. */
  isPrepared: boolean
  /** True when the driver can ask the upstream whether it has accepted the start of the
   *  generation. */
  isFindable: boolean
  /** Approximate number of text tokens produced. */
  said: number
  /** The usage of each further request of a conversation (`Job.again`). Until such a request has
   *  ended, its entry contains only the expected number of input tokens. */
  further: { usage: TextUsage }[]
  /** Files that were delivered before the end of the run. `looks` contains the previews
   *  that the run has sent to its caller, by the index of the output. */
  given: FileFacts[]
  looks: Map<number, OutputPreview>
  /** True when the run has sent an event other than a preview to its caller. */
  hasTold: boolean
}

/** Returns the `RunFate` with which a run begins. */
export function fateOf({ sent, task }: Claim): RunFate {
  // Files that an earlier claim of the same run has delivered.
  const given = task.artifacts.filter(({ kind }) => kind === 'output')
  return { sent, isPrepared: false, isFindable: false, said: 0, further: [], given, looks: new Map(), hasTold: false }
}
