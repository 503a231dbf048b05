/** What makes sound of the sounds of a text. */

export interface Utterance {
  /** In the alphabet of Kokoro (misaki's). Flite takes the text itself. */
  phonemes: string
  /** What the same utterance says before and after them; only Kokoro is given these. */
  before?: string
  after?: string
  text: string
  /** The model's own name of the voice. */
  voice: string
  /** 1 is the usual pace, 2 twice as fast; within what the model does well. */
  pace: number
  seed: number
  /** How freely it varies, 0 (flat) to 1; 0.5 is as the model was made. */
  liveliness: number
  /** How much it is this voice: from 0, the middle of all voices, to 1. */
  likeness: number
}

export interface SpeakingModel {
  /** Mono samples at the model's rate, -1 to 1 or a little more. Where something is before or
   *  after, half a lap (`lapMs`) of that with them. */
  speak(utterance: Utterance): Promise<Float32Array>
  close(): Promise<void>
}
