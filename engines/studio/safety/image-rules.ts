import { assertTolerance, type SafetyVerdict } from '@generation-gateway/kit/safety/verdict.ts'

/** The classifier's probabilities for its five classes, each 0 to 1; they add up to 1. `drawing`
 *  and `neutral` are harmless, `sexy` is suggestive but clothed, `porn` and `hentai` are explicit
 *  photographs and explicit drawings. */
export interface ImageScores {
  readonly drawing: number
  readonly hentai: number
  readonly neutral: number
  readonly porn: number
  readonly sexy: number
}

/** Three sums of class scores, each 0 to 1. A picture is refused when one of them is above its
 *  limit. Sums are compared rather than single scores, because the model often divides its score
 *  between similar classes. */
interface ImageRisk {
  /** Score for an explicit photograph: porn. */
  readonly photographic: number
  /** Score for an explicit photograph or drawing: porn + hentai. */
  readonly explicit: number
  /** Score for a revealing photograph: porn + sexy. */
  readonly suggestive: number
}

// The limits for each tolerance, 0 to 6. A picture is refused when one of its sums is above the
// limit of that sum. A sum never exceeds 1, so a limit of 1 refuses nothing. At the strict levels,
// `explicit` has the highest limits, because harmless drawings with soft shading reach sums of up
// to 0.71: docs/decisions/0003-safety.md, section "Pictures".
const limits: readonly ImageRisk[] = [
  { photographic: 0.3, explicit: 0.78, suggestive: 0.45 },
  { photographic: 0.4, explicit: 0.8, suggestive: 0.6 },
  { photographic: 0.5, explicit: 0.83, suggestive: 0.8 },
  { photographic: 0.6, explicit: 0.86, suggestive: 0.92 },
  { photographic: 0.7, explicit: 0.9, suggestive: 1 },
  { photographic: 0.8, explicit: 0.94, suggestive: 1 },
  { photographic: 0.92, explicit: 0.98, suggestive: 1 },
]

/** Returns the three sums for the class scores of a picture. */
export function summariseScores({ hentai, porn, sexy }: ImageScores): ImageRisk {
  return { photographic: porn, explicit: Math.min(1, porn + hentai), suggestive: Math.min(1, porn + sexy) }
}

/** Returns whether a picture with these scores may be used or delivered at `tolerance`, 0
 *  (strictest) to 6 (most lenient). A picture allowed at one tolerance is allowed at every higher
 *  one. Throws a RangeError for a tolerance outside 0 to 6. */
export function judgeImage(scores: ImageScores, tolerance: number): SafetyVerdict {
  assertTolerance(tolerance)
  const limit = limits[tolerance]!
  const { photographic, explicit, suggestive } = summariseScores(scores)
  const isRefused = photographic > limit.photographic || explicit > limit.explicit || suggestive > limit.suggestive
  return isRefused ? { allowed: false, reasons: ['Sexual Content'] } : { allowed: true }
}
