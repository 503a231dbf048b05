/** `basic`: segments and words with times, no stream. `tokens`: a stream of words with their
 *  probabilities. `diarized`: who says what (docs/vendors/openai-audio.md#transcription). */
export const transcriptionKinds = ['basic', 'tokens', 'diarized'] as const
export type TranscriptionKind = (typeof transcriptionKinds)[number]

/** By the model's name, where the settings do not say. */
export function kindOfModel(model: string): TranscriptionKind {
  if (/diarize/i.test(model)) return 'diarized'
  return /transcribe/i.test(model) ? 'tokens' : 'basic'
}
