/** The reasons for a refusal that the interfaces report in their moderation fields. */
export type SafetyReason =
  | 'Sexual Content'
  | 'Minors'
  | 'Violence'
  | 'Hate'
  | 'Self Harm'
  | 'Illegal Goods'
  | 'Harassment'
  | 'Personal Data'
  | 'Profanity'

/** Result of a safety check. `reasons` holds at least one reason, none twice. */
export type SafetyVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reasons: readonly SafetyReason[] }

/** Tolerance of a request that does not set one: the default of `safety_tolerance`
 *  (docs/interface/pictures.md#f1). */
export const defaultTolerance = 2

/** Throws a RangeError unless `tolerance` is an integer from 0 (strictest) to 6 (most lenient). */
export function assertTolerance(tolerance: number): void {
  if (!Number.isInteger(tolerance) || tolerance < 0 || tolerance > 6)
    throw new RangeError(`Safety tolerance is ${tolerance}; 0 to 6 is allowed.`)
}
