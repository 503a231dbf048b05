/** Values of neutral request fields that many dialects lack: used in their place. */

/** Strictness of the safety rules: the default of F1, on its scale from 0 (strictest) to 6. */
export const usualTolerance = 2

export const usualPicture = { expandPrompt: false, safetyTolerance: usualTolerance } as const

/** One video from the unchanged prompt, without a watermark. */
export const usualVideo = { count: 1, expandPrompt: false, safetyTolerance: usualTolerance, watermark: false } as const

/** The usual settings of a recognition, for families whose interface has no fields for them. */
export const usualRecognition = { temperature: 0, words: false, logprobs: false, profanity: 'masked' } as const
