/** The reason why a run was stopped before its end: its task was cancelled or has expired, its node
 *  gave up its leases (`fenced`), or its node stops (`draining`). The abort signal of the job
 *  contains it in its own reason, an `AbortedRun`. */
export type AbortCause = 'cancelled' | 'expired' | 'fenced' | 'draining'

export class AbortedRun extends Error {
  readonly why: AbortCause
  constructor(why: AbortCause) {
    super(`The run was stopped: ${why}.`)
    this.name = 'AbortedRun'
    this.why = why
  }
}

/** True when this node stops a run whose result is still wanted (`draining`, `fenced`). The
 *  generation continues at the upstream, and the node that claims the job next resumes it. */
export function isReleased(signal: AbortSignal): boolean {
  return signal.reason instanceof AbortedRun && (signal.reason.why === 'draining' || signal.reason.why === 'fenced')
}
