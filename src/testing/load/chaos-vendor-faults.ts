/** The faults of the fake vendor in the chaos test, and how often each occurs. A draw depends on
 *  the seed and the task, but not on the order of requests: with the same seed, a task always
 *  meets the same faults. */
import { createHash } from 'node:crypto'

/** A probability for each choice, from 0 to 1. One minus their sum is the probability of no
 *  fault. */
type Shares<Name extends string> = Readonly<Record<Name, number>>

/** Faults of the request that submits a task. In the first four, the vendor has created the task
 *  all the same. */
export const submitFaults = {
  acceptedThenReset: 0.02,
  acceptedThenFailed: 0.015,
  acceptedThenGarbage: 0.015,
  acceptedThenSilent: 0.01,
  resetUnread: 0.015,
  failedUnread: 0.015,
  rateLimited: 0.02,
  busy: 0.02,
} as const
export type SubmitFault = keyof typeof submitFaults

/** Answers from which the gateway cannot know whether the task was accepted. */
export const openAnswers: ReadonlySet<SubmitFault | 'none'> = new Set([
  'acceptedThenReset',
  'acceptedThenFailed',
  'acceptedThenGarbage',
  'acceptedThenSilent',
  'resetUnread',
  'failedUnread',
])

/** Ends of a task without a picture. The vendor bills none of them, with one exception: a
 *  picture that was drawn, and was already deleted when it was polled (`Task not found`). */
export const fates = { 'Request Moderated': 0.02, 'Content Moderated': 0.03, Error: 0.02, 'Task not found': 0.02 } as const
export const billedFates: ReadonlySet<Fate> = new Set(['Ready', 'Task not found'])
export type Fate = keyof typeof fates | 'Ready'

/** Probabilities of faults when a task is polled. */
export const pollFaults = { failed: 0.02, garbage: 0.02, rateLimited: 0.01, reset: 0.02 } as const

/** Probabilities that a link expires before its first use. The vendor then answers with status 403
 *  or 404. */
export const linkFaults = { expiredForbidden: 0.04, expiredNotFound: 0.04 } as const

/** Probabilities of faults of a download: the connection breaks in the middle of the picture, or
 *  the host is busy. */
export const downloadFaults = { brokenOff: 0.03, busy: 0.03 } as const

/** Random draws that depend only on the seed and the name of the draw. */
export class SeededDraws {
  readonly #seed: string

  constructor(seed: string) {
    this.#seed = seed
  }

  /** Returns the number, from 0 up to but not including 1, for the draw with this name. */
  draw(what: string): number {
    return createHash('sha256').update(`${this.#seed} ${what}`).digest().readUInt32LE(0) / 2 ** 32
  }

  /** Returns one of the names, drawn with these probabilities, or `none`. */
  pick<Name extends string>(shares: Shares<Name>, what: string): Name | 'none' {
    let left = this.draw(what)
    for (const name in shares) {
      left -= shares[name]
      if (left < 0) return name
    }
    return 'none'
  }
}
