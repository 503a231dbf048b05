/** Most steps of the ambiguity analysis for one answer, for all patterns in its schemas and tools
 *  together; it takes some tenths of a second. */
export const mostSteps = 2_000_000

/** The part of `mostSteps` that is left; analysing a pattern reduces it. */
export interface StepBudget {
  steps: number
}
