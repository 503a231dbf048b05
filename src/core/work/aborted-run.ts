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

/** True when this node lets go of a run whose generation is still wanted (`draining`, `fenced`): what runs upstream goes on, and whoever claims the job next goes on from there. */
export function isLetGo(signal: AbortSignal): boolean {
  return signal.reason instanceof AbortedRun && (signal.reason.why === 'draining' || signal.reason.why === 'fenced')
}
