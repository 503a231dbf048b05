/** The interface of a speech model, which turns phonemes into sound, and the model's input. */

export interface Utterance {
  /** Phonemes in Kokoro's (misaki's) alphabet; empty for Flite, which speaks `text`. */
  phonemes: string
  /** Phonemes before and after `phonemes` in the same utterance; only Kokoro uses them. */
  before?: string
  after?: string
  text: string
  /** The model's own name of the voice. */
  voice: string
  /** Pace: 1 is normal, 2 twice as fast; within the range at which the model speaks well. */
  pace: number
  seed: number
  /** Variation of the melody, from 0 (flatter) to 1 (livelier); 0.5 leaves the model unchanged. */
  liveliness: number
  /** Similarity of the sound to the chosen voice, from 0 (nearer to the mean of all voices) to 1;
   *  from 0.75 on, it is the voice itself. */
  likeness: number
}

export interface SpeakingModel {
  /** Returns mono samples at the model's sample rate, from about -1 to 1. On a side where the
   *  utterance continues, the samples include half a crossfade length (`lapMs`) of the neighbouring
   *  part. */
  speak(utterance: Utterance): Promise<Float32Array>
  close(): Promise<void>
}
