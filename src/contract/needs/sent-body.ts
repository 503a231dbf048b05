/** The body as the caller sent it, where checking and defaults hide that. */
export interface SentBody {
  /** Names of the fields that the caller sent. */
  fields: ReadonlySet<string>
  /** All digits of a top-level integer beyond the safe range; undefined for ordinary integers. */
  exactInteger(field: string): string | undefined
}
