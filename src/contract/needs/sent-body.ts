/** Facts about the body as the caller sent it. The checked body no longer shows these facts,
 *  because defaults are filled in there. */
export interface SentBody {
  /** Names of the fields that the caller sent. */
  fields: ReadonlySet<string>
  /** Returns all digits of a top-level integer beyond the safe range; undefined for ordinary
   *  integers. */
  exactInteger(field: string): string | undefined
}
