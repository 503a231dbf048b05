/** What the processes of one machine tell each other: the primary, which owns the port, and the
 *  members, which serve it. The messages go over the channels of `node:cluster`. */
import type { FirstStart } from '../config/first-start.ts'
import type { Figure } from '../http/metrics/figures.ts'

/** From a member to the primary. */
export type MemberMessage =
  | { kind: 'listening'; url: string; firstStart: FirstStart }
  /** The member could not start and ends; `reason` is for the operator. */
  | { kind: 'failed'; reason: string }
  /** The operator has had this member read its configuration file again. */
  | { kind: 'reloaded' }
  /** The member refused the configuration file that it read again at this `reload`. */
  | { kind: 'refused'; round: number; reason: string }
  /** Asks for the figures of all members; `own` are those of the asking one. */
  | { kind: 'sum'; id: number; own: Figure[] }
  /** Answers `figures`. */
  | { kind: 'figures'; id: number; figures: Figure[] }

/** From the primary to a member. */
export type PrimaryMessage =
  | { kind: 'stop' }
  /** Has the member read its configuration file again; `round` counts these messages. */
  | { kind: 'reload'; round: number }
  /** Asks for the figures of the member. */
  | { kind: 'figures'; id: number }
  /** Answers `sum`, with Prometheus text. */
  | { kind: 'sum'; id: number; text: string }

/** Variable by which the primary marks the members that it starts. */
export const memberVariable = 'GATEWAY_PROCESS_NUMBER'
