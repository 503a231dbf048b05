/** Why a run was stopped from outside; the reason of its job's signal. */
export type AbortCause = 'cancelled' | 'expired' | 'fenced' | 'draining'

export class AbortedRun extends Error {
  readonly why: AbortCause
  constructor(why: AbortCause) {
    super(`The run was stopped: ${why}.`)
    this.name = 'AbortedRun'
    this.why = why
  }
}

/** True when this node releases a run whose generation is still wanted (`draining`, `fenced`):
 *  the upstream continues, and the next claimer of the job resumes it. */
export function isReleased(signal: AbortSignal): boolean {
  return signal.reason instanceof AbortedRun && (signal.reason.why === 'draining' || signal.reason.why === 'fenced')
}
