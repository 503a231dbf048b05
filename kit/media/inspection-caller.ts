/** The party for which a file is inspected. Every job is one. */
export interface InspectionCaller {
  /** The account of the party: inspections alternate between accounts. Files without an account
   *  count as those of one account. */
  account?: string | undefined
  signal?: AbortSignal | undefined
}
