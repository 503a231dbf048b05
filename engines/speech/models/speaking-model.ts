/** A speech model and its input: it turns phonemes into sound. */

export interface Utterance {
  /** Phonemes in the alphabet of Kokoro (misaki's). Flite gets the text itself. */
  phonemes: string
  /** Phonemes of the same utterance before and after these; only Kokoro gets them. */
  before?: string
  after?: string
  text: string
  /** The model's own name of the voice. */
  voice: string
  /** Pace: 1 is the usual one, 2 twice as fast; within the paces that the model speaks well. */
  pace: number
  seed: number
  /** Variation of the melody, 0 (flat) to 1; 0.5 is that of the model. */
  liveliness: number
  /** Likeness to the voice: from 0, the mean of all voices, to 1. */
  likeness: number
}

export interface SpeakingModel {
  /** Returns mono samples at the model's rate, -1 to 1 or a little more. Where the utterance
   *  continues before or after, they include half a lap (`lapMs`) of that. */
  speak(utterance: Utterance): Promise<Float32Array>
  close(): Promise<void>
}
