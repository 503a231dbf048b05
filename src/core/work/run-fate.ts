import type { FileFacts, Look } from '@generation-gateway/kit/requests/capability.ts'
import type { Claim, SentMark } from '../ports/store.ts'

/** What is known of the upstream's side of a run; whoever ends the run decides by it. */
export interface RunFate {
  /** Where the generation was sent, and may have been taken. Undefined while nothing is under way anywhere, and once the upstream has confirmed that it stopped. */
  sent: SentMark | undefined
  /** The upstream can be asked later what became of a start of unknown fate. */
  isFindable: boolean
  /** About how many tokens of text it has said. */
  said: number
  /** Files it has given before its end, and outputs that it has shown on their way, by their index. */
  given: FileFacts[]
  looks: Map<number, Look>
  /** It has told its caller anything that is no look. */
  hasTold: boolean
}

/** At the beginning of a claim's run. */
export function fateOf({ sent, task }: Claim): RunFate {
  // What an earlier claim of the same run has given.
  const given = task.artifacts.filter(({ kind }) => kind === 'output')
  return { sent, isFindable: false, said: 0, given, looks: new Map(), hasTold: false }
}
