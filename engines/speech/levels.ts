/** Decibels that bring each voice to the common loudness (-20 LUFS): measured by `testing/measure-levels.ts`. */
export const levels: Readonly<Record<string, number>> = {}
