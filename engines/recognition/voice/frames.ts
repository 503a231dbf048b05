/** Sample rate of all analysed sound, hertz: that of Whisper and Silero. */
export const sampleRate = 16_000
/** Number of samples in a frame. Silero gives one probability of speech for each frame. */
export const frameSamples = 512
