/** Sample rate of all analysed sound, hertz: that of Whisper and Silero. */
export const sampleRate = 16_000
/** Samples for each probability of speech. */
export const frameSamples = 512
