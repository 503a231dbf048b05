import { GatewayError } from '../errors.ts'
import { limitSignals } from './watchdog.ts'

/** The reason why a child ended before its job did. `cpu` and `memory`: the job passed its limit.
 *  `crash`: the process ended by itself or through a fault of its code, or ran out of memory.
 *  `outside`: the job is not the reason, and may succeed later. Another process ended the child
 *  (the kernel of a machine short of memory, or an operator), or the child had not begun the job:
 *  it could not be started, or ended while it loaded its code. */
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

interface ProcessEnd {
  code: number | null
  signal: string | null
  /** The reason if this program ended the process; empty if it did not. */
  ours: string
  /** True when the process had begun the job. */
  hasBegun: boolean
}

/** Returns the error for a job whose process ended with this code or signal. */
export function jobEnded({ code, signal, ours, hasBegun }: ProcessEnd): JobEnded {
  const says = (how: string) => `The engine process ended ${hasBegun ? 'during the job' : 'before the job began'}: ${how}.`
  if (ours) return new JobEnded('outside', says(ours))
  if (signal === limitSignals.cpu) return new JobEnded('cpu', says('it used more CPU time than a job may'))
  if (signal === limitSignals.memory) return new JobEnded('memory', says('it used more memory than a job may'))
  if (signal === null) return new JobEnded(hasBegun ? 'crash' : 'outside', says(`it ended with code ${code}`))
  // A SIGKILL without a reason of this program's own comes from outside.
  const outside = signal === 'SIGKILL' ? ', as a machine that is short of memory does' : ''
  const isFault = hasBegun && faultSignals.has(signal)
  return new JobEnded(isFault ? 'crash' : 'outside', says(`it was ended by ${signal}${outside}`))
}

/** Returns the error for a job whose process could not be started. */
export function notStarted(cause: unknown): JobEnded {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new JobEnded('outside', `The engine process could not be started: ${why}.`)
}
