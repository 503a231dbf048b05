/** Largest number of steps of the ambiguity analysis for one answer, over all patterns in its
 *  schemas and tools. This many steps take some tenths of a second. */
export const mostSteps = 2_000_000

/** The steps that are left of `mostSteps`. Each analysis of a pattern reduces them. */
export interface StepBudget {
  steps: number
}
