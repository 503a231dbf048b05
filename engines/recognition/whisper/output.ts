/** The output of whisper.cpp with `--output-json-full`. */

export interface WhisperToken {
  id: number
  /** The token's bytes; the UTF-8 bytes of a character may be spread over several tokens. */
  bytes: Buffer
  logprob: number
  /** Start and end in seconds of the window. */
  startSeconds: number
  endSeconds: number
}

export interface WhisperSegment {
  startSeconds: number
  endSeconds: number
  tokens: WhisperToken[]
}

export interface WhisperOutput {
  /** Whisper's code of the detected language. */
  language: string
  segments: WhisperSegment[]
}

interface FileContent {
  model: { vocab: number }
  result: { language: string }
  transcription: { offsets: Offsets; tokens: { text: string; offsets?: Offsets; id: number; p: number; t_dtw?: number }[] }[]
}

interface Offsets {
  from: number
  to: number
}

/** A vocabulary of at least this size belongs to a multilingual model, which has one more text
 *  token than an English one. */
const multilingualVocabulary = 51_865
const leastProbability = 1e-6

export function parseOutput(file: Buffer): WhisperOutput {
  // The file is decoded as Latin-1, because a token may hold an incomplete UTF-8 character.
  // whisper.cpp always writes JSON of the type `FileContent`.
  const content = JSON.parse(file.toString('latin1')) as FileContent
  const textTokens = content.model.vocab >= multilingualVocabulary ? 50_257 : 50_256
  return {
    language: content.result.language,
    segments: content.transcription.map(({ offsets, tokens }) => {
      const ofText = tokens.filter(({ id }) => id < textTokens)
      let before = offsets.from / 1000
      return {
        startSeconds: offsets.from / 1000,
        endSeconds: offsets.to / 1000,
        tokens: ofText.map(({ text, id, p, offsets: own, t_dtw: dtw = -1 }) => {
          // With attention alignment, `t_dtw` is the end of the token (in hundredths of a second),
          // and the next token starts there.
          const end = dtw >= 0 ? dtw / 100 : (own?.to ?? offsets.to) / 1000
          const startSeconds = dtw >= 0 ? Math.min(before, end) : (own?.from ?? offsets.from) / 1000
          before = end
          return { id, bytes: Buffer.from(text, 'latin1'), logprob: Math.log(Math.max(leastProbability, p)), startSeconds, endSeconds: end }
        }),
      }
    }),
  }
}
