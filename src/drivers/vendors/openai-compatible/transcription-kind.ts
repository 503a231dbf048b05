/** Kinds of transcription models (docs/vendors/openai-audio.md#transcription). `basic` models
 *  answer with segments and words that have times, and do not stream. `tokens` models stream words
 *  with their probabilities. `diarized` models answer with segments that name their speakers. */
export const transcriptionKinds = ['basic', 'tokens', 'diarized'] as const
export type TranscriptionKind = (typeof transcriptionKinds)[number]

/** Returns the kind of a model, derived from its name, for targets whose settings do not state
 *  it. */
export function kindOfModel(model: string): TranscriptionKind {
  if (/diarize/i.test(model)) return 'diarized'
  return /transcribe/i.test(model) ? 'tokens' : 'basic'
}
