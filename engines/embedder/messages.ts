/** The messages between the engine and its child process. */
import type { EmbedInput } from '@generation-gateway/kit/requests/retrieval/embed.ts'

/** Largest number of tokens of an input, with the two that mark its begin and end: the number of
 *  positions that the model has. */
export const mostTokens = 512
/** Length of a vector. */
export const vectorLength = 384

export interface EmbedJob {
  network: string
  tokenizer: string
  threads: number
  inputs: readonly EmbedInput[]
  /** The inputs of which only the beginning is read when they are too long: all of them, those
   *  from this index on, or none. */
  cutFrom?: number
  /** Number of tokens that are read of an input that may be cut; as many as the model takes when
   *  absent. */
  cutAt?: number
}

/** `badInput`: the input that cannot be embedded, and why. */
export type EmbedAnswer = { vectors: Float32Array; tokens: number; cut: number } | { badInput: { index: number; says: string } }
