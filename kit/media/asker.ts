/** For whom a file is looked at; a job is one. */
export interface Asker {
  /** Accounts take turns. Files that nobody's job is about count as one account's. */
  account?: string | undefined
  signal?: AbortSignal | undefined
}
