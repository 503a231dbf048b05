/** Samples a second of all sound that is listened to: what Whisper and Silero know. */
export const sampleRate = 16_000
/** Samples that one probability of speech stands for. */
export const frameSamples = 512
