/** Steps between places that are looked at for one answer, all patterns of its schemas and tools
 *  together: some tenths of a second. */
export const mostSteps = 2_000_000

/** What is left of `mostSteps`; read patterns take from it. */
export interface StepBudget {
  steps: number
}
