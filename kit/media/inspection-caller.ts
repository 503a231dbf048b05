/** The party for which a file is inspected. Every `Job` can be passed as one. */
export interface InspectionCaller {
  /** The account for which the file is inspected. Waiting inspections of different accounts take
   *  turns. All inspections without an account count as those of one account. */
  account?: string | undefined
  signal?: AbortSignal | undefined
}
