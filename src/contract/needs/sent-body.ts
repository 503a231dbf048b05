/** Facts about the body as the caller sent it. They can no longer be seen in the checked body,
 *  in which defaults are filled in. */
export interface SentBody {
  /** Names of the fields that the caller sent. */
  fields: ReadonlySet<string>
  /** Returns all digits of a top-level integer beyond the safe range; undefined for ordinary
   *  integers. */
  exactInteger(field: string): string | undefined
}
