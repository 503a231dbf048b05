import { GatewayError } from '../errors.ts'
import { limitSignals } from './watchdog.ts'

/** The reason why a child process ended before its job did:
 *  - `cpu`, `memory`: the job exceeded this limit.
 *  - `crash`: the process ended by itself, ran out of memory, or its code had a fault.
 *  - `outside`: the job is not at fault and may succeed later. Either the kernel of a machine short
 *    of memory or an operator ended the child, or the child had not begun the job: it could not be
 *    started, or ended while it loaded its code. */
type EndReason = 'cpu' | 'memory' | 'crash' | 'outside'

/** Thrown when a child process ended before its job did. Its code is `engine_timeout` when the job
 *  exceeded its limit of CPU time, else `internal_error`. */
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
  /** If this program ended the process: the reason for that. Otherwise empty. */
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
  // When this program ends a process, it states a reason in `ours`. A SIGKILL without that reason
  // came from elsewhere.
  const outside = signal === 'SIGKILL' ? ', as a machine that is short of memory does' : ''
  const isFault = hasBegun && faultSignals.has(signal)
  return new JobEnded(isFault ? 'crash' : 'outside', says(`it was ended by ${signal}${outside}`))
}

/** Returns the error for a job whose process could not be started. */
export function notStarted(cause: unknown): JobEnded {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new JobEnded('outside', `The engine process could not be started: ${why}.`)
}
