/** The party that requests an inspection of a file; every job is one. */
export interface InspectionCaller {
  /** Inspections alternate between accounts. Files without an account count as one account's. */
  account?: string | undefined
  signal?: AbortSignal | undefined
}
