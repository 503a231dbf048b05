import type { Claim, SentMark } from '../ports/store.ts'

/** What is known of the upstream's side of a run; whoever ends the run decides by it. */
export interface RunFate {
  /** Where the generation was sent, and may have been taken. Undefined while nothing is under way anywhere, and once the upstream has confirmed that it stopped. */
  sent: SentMark | undefined
  /** The upstream can be asked later what became of a start of unknown fate. */
  isFindable: boolean
  /** About how many tokens of text it has said. */
  said: number
}

/** At the beginning of a claim's run. */
export function fateOf({ sent }: Claim): RunFate {
  return { sent, isFindable: false, said: 0 }
}
