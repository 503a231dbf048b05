/** Facts about the body as the caller sent it, which are no longer visible after checks and
 *  defaults. */
export interface SentBody {
  /** Names of the fields that the caller sent. */
  fields: ReadonlySet<string>
  /** Returns all digits of a top-level integer beyond the safe range; undefined for ordinary
   *  integers. */
  exactInteger(field: string): string | undefined
}
