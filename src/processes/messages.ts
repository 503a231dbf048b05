/** The messages between the processes of one machine: the primary, which owns the port, and the
 *  members, which serve requests. They are sent through the channels of `node:cluster`. */
import type { FirstStart } from '../config/first-start.ts'
import type { Figure } from '../http/metrics/figures.ts'

/** A message from a member to the primary. */
export type MemberMessage =
  | { kind: 'listening'; url: string; firstStart: FirstStart }
  /** The member could not start and will end. `reason` is for the operator. */
  | { kind: 'failed'; reason: string }
  /** The member has read its configuration file again, because the operator requested it there. */
  | { kind: 'reloaded' }
  /** The member has refused its configuration file, which it read because of the `reload` with this
   *  number. */
  | { kind: 'refused'; round: number; reason: string }
  /** Requests the sum of the figures of all members; `own` are those of this member. */
  | { kind: 'sum'; id: number; own: Figure[] }
  /** The figures of the member: the answer to `figures`. */
  | { kind: 'figures'; id: number; figures: Figure[] }

/** A message from the primary to a member. */
export type PrimaryMessage =
  | { kind: 'stop' }
  /** Makes the member read its configuration file again. `round` is the number of this reload. */
  | { kind: 'reload'; round: number }
  /** Requests the figures of the member. */
  | { kind: 'figures'; id: number }
  /** The sum of all figures as Prometheus text: the answer to `sum`. */
  | { kind: 'sum'; id: number; text: string }

/** Environment variable by which a process knows that the primary has started it. */
export const memberVariable = 'GATEWAY_PROCESS_NUMBER'
