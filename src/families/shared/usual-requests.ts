/** Fields of neutral requests that many dialects do not have: what is asked for in their place. */

/** Strictness of the safety rules: the default of F1, on its scale from 0 (strictest) to 6. */
export const usualTolerance = 2

export const usualPicture = { expandPrompt: false, safetyTolerance: usualTolerance } as const

/** One video, filmed to the words as they are, without a watermark. */
export const usualVideo = { count: 1, expandPrompt: false, safetyTolerance: usualTolerance, watermark: false } as const
