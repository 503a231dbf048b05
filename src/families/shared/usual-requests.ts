/** Default values of fields in neutral requests, for dialects that lack these fields. */

/** Strictness of the safety rules: the default of F1, on its scale from 0 (strictest) to 6. */
export const usualTolerance = 2

export const usualPicture = { expandPrompt: false, safetyTolerance: usualTolerance } as const

/** Defaults for video: one video from the unchanged prompt, without a watermark. */
export const usualVideo = { count: 1, expandPrompt: false, safetyTolerance: usualTolerance, watermark: false } as const

/** Defaults for speech recognition, for families whose interface has no fields for these
 *  settings. */
export const usualRecognition = { temperature: 0, words: false, logprobs: false, profanity: 'masked' } as const
