/** The account on whose behalf a file is inspected; a job has one. */
export interface Asker {
  /** Inspections alternate between accounts. Files without an account count as one account's. */
  account?: string | undefined
  signal?: AbortSignal | undefined
}
