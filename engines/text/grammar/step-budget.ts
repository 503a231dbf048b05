/** Most steps between places that are examined for one answer, in all patterns of its schemas and
 *  tools together: some tenths of a second. */
export const mostSteps = 2_000_000

/** The remaining part of `mostSteps`; every pattern that is read reduces it. */
export interface StepBudget {
  steps: number
}
