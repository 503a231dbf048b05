/** LUFS of every voice at the usual volume: as loud as spoken programmes for headphones and small loudspeakers are, with room above for the peaks. */
export const commonLoudness = -20

/** Decibels that bring each voice to it (`testing/measure-levels.ts`). */
export const levels: Readonly<Record<string, number>> = {
  heart: 5.3,
  joe: 5.2,
  af_alloy: 1.8,
  af_aoede: -2.1,
  af_bella: 1,
  slt: -3.6,
  rms: 1.1,
  awb: 0.1,
  kal16: 8.8,
}
