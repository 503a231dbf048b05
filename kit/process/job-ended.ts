import { GatewayError } from '../errors.ts'
import { limitSignals } from './watchdog.ts'

/** The reason why a child ended during its job. `cpu` and `memory`: the job passed its limit.
 *  `crash`: the process ended by itself or through a fault of its code, or ran out of memory.
 *  `outside`: another process ended it (the kernel of a machine short of memory, or an operator);
 *  the same job may succeed later. */
type EndReason = 'cpu' | 'memory' | 'crash' | 'outside'

/** Thrown when a child process ended before its job did: `engine_timeout` for CPU time, else
 *  `internal_error`. */
export class JobEnded extends GatewayError {
  readonly reason: EndReason

  constructor(reason: EndReason, message: string) {
    super(reason === 'cpu' ? 'engine_timeout' : 'internal_error', message)
    this.reason = reason
  }
}

/** Signals with which a fault of its own code ends a program. */
export const faultSignals: ReadonlySet<string> = new Set(['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'])

/** Returns the error for a job whose process ended with this code or signal; `ours` is the reason
 *  if this program ended it. */
export function jobEnded(code: number | null, signal: string | null, ours = ''): JobEnded {
  const says = (how: string) => `The engine process ended during the job: ${how}.`
  if (ours) return new JobEnded('outside', says(ours))
  if (signal === limitSignals.cpu) return new JobEnded('cpu', says('it used more CPU time than a job may'))
  if (signal === limitSignals.memory) return new JobEnded('memory', says('it used more memory than a job may'))
  if (signal === null) return new JobEnded('crash', says(`it ended with code ${code}`))
  // A SIGKILL without a reason of this program's own comes from outside.
  const outside = signal === 'SIGKILL' ? ', as a machine that is short of memory does' : ''
  return new JobEnded(faultSignals.has(signal) ? 'crash' : 'outside', says(`it was ended by ${signal}${outside}`))
}
