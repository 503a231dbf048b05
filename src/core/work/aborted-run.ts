/** The reason why a run was stopped from outside; it is the reason of the abort signal of its
 *  job. */
export type AbortCause = 'cancelled' | 'expired' | 'fenced' | 'draining'

export class AbortedRun extends Error {
  readonly why: AbortCause
  constructor(why: AbortCause) {
    super(`The run was stopped: ${why}.`)
    this.name = 'AbortedRun'
    this.why = why
  }
}

/** True when this node gives up a run whose result is still wanted (`draining`, `fenced`): the
 *  generation continues at the upstream, and the next claimer of the job resumes it. */
export function isReleased(signal: AbortSignal): boolean {
  return signal.reason instanceof AbortedRun && (signal.reason.why === 'draining' || signal.reason.why === 'fenced')
}
