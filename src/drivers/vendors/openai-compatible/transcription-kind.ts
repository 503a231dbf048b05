/** Kinds of models. `basic`: segments and words with times, no stream. `tokens`: a stream of words
 *  with their probabilities. `diarized`: segments with their speakers
 *  (docs/vendors/openai-audio.md#transcription). */
export const transcriptionKinds = ['basic', 'tokens', 'diarized'] as const
export type TranscriptionKind = (typeof transcriptionKinds)[number]

/** Returns the kind that the model's name shows, for targets whose settings do not state it. */
export function kindOfModel(model: string): TranscriptionKind {
  if (/diarize/i.test(model)) return 'diarized'
  return /transcribe/i.test(model) ? 'tokens' : 'basic'
}
