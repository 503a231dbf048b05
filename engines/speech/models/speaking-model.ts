/** What makes sound of the sounds of a text. */

export interface Utterance {
  /** As the model's alphabet has them: misaki's for Hibari and Kokoro, eSpeak's for Piper. Flite takes the text itself. */
  phonemes: string
  text: string
  /** The model's own name of the voice. */
  voice: string
  /** 1 is the usual pace, 2 twice as fast; within what the model does well. */
  pace: number
  seed: number
  /** How freely it varies, 0 (flat) to 1; 0.5 is as the model was made. */
  liveliness: number
}

export interface SpeakingModel {
  /** Mono samples at the model's rate, -1 to 1 or a little more. */
  speak(utterance: Utterance): Promise<Float32Array>
  close(): Promise<void>
}
