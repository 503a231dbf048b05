/** Helpers of the checks in the demo. */
import type { OutputJudge } from '../demo.ts'

/** Returns a check that runs several checks in this order and returns the first complaint. */
export function allOf(...judges: OutputJudge[]): OutputJudge {
  return async (made, context) => {
    for (const judge of judges) {
      const complaint = await judge(made, context)
      if (complaint !== undefined) return complaint
    }
    return undefined
  }
}

/** Formats a number for a complaint: two decimals below 10, else none. */
export function shown(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(0)
}
