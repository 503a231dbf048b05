/** The messages between the processes of one machine: the primary, which owns the port, and the
 *  members, which serve requests. They are sent through the channels of `node:cluster`. */
import type { FirstStart } from '../config/first-start.ts'
import type { Metric } from '../http/metrics/metric-sums.ts'

/** A message from a member to the primary. */
export type MemberMessage =
  | { kind: 'listening'; url: string; firstStart: FirstStart }
  /** The member could not start, and will end. `reason` is a sentence for the operator. */
  | { kind: 'failed'; reason: string }
  /** The member has read its configuration file again, because an operator's request to do so
   *  arrived at this member. The primary then makes the other members do the same. */
  | { kind: 'reloaded' }
  /** The member has refused its configuration file. `round` is the number of the reload in which it
   *  read the file. */
  | { kind: 'refused'; round: number; reason: string }
  /** Requests the sum of the metrics of all members; `own` are the metrics of this member. */
  | { kind: 'sum'; id: number; own: Metric[] }
  /** The metrics of the member, in answer to the primary's message `metrics`. */
  | { kind: 'metrics'; id: number; metrics: Metric[] }

/** A message from the primary to a member. */
export type PrimaryMessage =
  | { kind: 'stop' }
  /** Makes the member read its configuration file again. `round` is the number of the reload. */
  | { kind: 'reload'; round: number }
  /** Requests the metrics of the member. */
  | { kind: 'metrics'; id: number }
  /** The sum of all metrics as Prometheus text: the answer to `sum`. */
  | { kind: 'sum'; id: number; text: string }

/** Environment variable that the primary sets for the processes which it starts. A process that
 *  finds this variable is a member. */
export const memberVariable = 'GATEWAY_PROCESS_NUMBER'
