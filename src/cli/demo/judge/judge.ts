/** Functions that all checks of the demo use. */
import type { OutputJudge } from '../demo.ts'

/** Returns a check that runs these checks in order. Its result is the sentence of the first check
 *  that finds something wrong. */
export function allOf(...judges: OutputJudge[]): OutputJudge {
  return async (made, context) => {
    for (const judge of judges) {
      const complaint = await judge(made, context)
      if (complaint !== undefined) return complaint
    }
    return undefined
  }
}

/** Returns a number as text for the sentence of a check: with two decimals below 10, else
 *  without. */
export function shown(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(0)
}
