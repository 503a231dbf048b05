/** The messages between the engine and its child process. */
import type { EmbedInput } from '@generation-gateway/kit/requests/retrieval/embed.ts'

/** Largest number of tokens of an input, including the two that mark its beginning and its end. The
 *  model has only this number of positions. */
export const mostTokens = 512
/** Length of a vector. */
export const vectorLength = 384

export interface EmbedJob {
  network: string
  tokenizer: string
  threads: number
  inputs: readonly EmbedInput[]
  /** Index of the first input that may be cut; when absent, no input may be cut. If an input that
   *  may be cut is too long, only its beginning is read. */
  cutFrom?: number
  /** Largest number of tokens that are read of an input that may be cut; when absent, as many as
   *  the model takes. */
  cutAt?: number
}

/** `tokens` is the number of tokens read, `cut` the number of inputs of which only the beginning
 *  was read. `badInput` names an input that cannot be embedded, and the reason. */
export type EmbedAnswer = { vectors: Float32Array; tokens: number; cut: number } | { badInput: { index: number; says: string } }
