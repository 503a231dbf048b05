/** Shared by the demo's judges. */
import type { OutputJudge } from '../demo.ts'

/** Returns the first complaint of several judges, called in this order. */
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
