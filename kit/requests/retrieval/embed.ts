/** Neutral request, events and result of `text.embed`: texts in, one vector for each. */
import type { JsonObject } from '../../json.ts'
import { capability } from '../capability.ts'
import { tokensIn } from '../token-estimate.ts'

/** Largest number of inputs of one request. */
export const mostEmbedInputs = 2_048
/** Largest number of tokens of one input, unless the model itself takes fewer. */
export const mostInputTokens = 8_192

/** A text, or the ids of its tokens in the vocabulary of the model. */
export type EmbedInput = string | number[]

export type EmbedRequest = {
  /** Number of gateways the request has passed before this one. */
  hops?: number
  inputs: EmbedInput[]
  /** Number of numbers in each vector; the default of the model when absent. */
  dimensions?: number
  /** True when the model is to read only the beginning of an input that has more tokens than it
   *  takes. When absent, such an input is refused. */
  cutsInputs?: true
  /** Fields of the caller's body that have no counterpart in this request, such as `user` and
   *  unknown ones. They are sent unchanged to an upstream that speaks OpenAI's protocol. */
  extras?: JsonObject
}

/** The vectors of the next inputs, in the order of the inputs. Each vector is the base64 of its
 *  numbers as 32-bit floats, little endian. */
export type EmbedEvent = { type: 'vectors'; vectors: string[] }

/** `inputTokens` is the number of tokens that the model's own tokenizer or the upstream counted. */
export type EmbedResult = { usage: { inputTokens: number } }

export const textEmbed = capability<EmbedRequest, EmbedResult, EmbedEvent>({
  failover: 'text',
  expectedUnits: request => [{ unit: 'input_tokens', units: expectedEmbedTokens(request) }],
})

/** Returns an estimate of the tokens of all inputs. */
export function expectedEmbedTokens({ inputs }: Pick<EmbedRequest, 'inputs'>): number {
  return inputs.reduce((sum, input) => sum + (typeof input === 'string' ? tokensIn(input) : input.length), 0)
}

/** Returns the numbers as a vector of an `EmbedEvent`. */
export function encodedVector(numbers: Float32Array): string {
  // The bytes are already in the right order: all machines on which the gateway runs are little
  // endian.
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64')
}

/** Returns the numbers of a vector of an `EmbedEvent`. */
export function decodedVector(vector: string): Float32Array {
  const bytes = Buffer.from(vector, 'base64')
  // The bytes are copied, because a Float32Array must begin at a multiple of four bytes.
  return new Float32Array(Uint8Array.from(bytes).buffer)
}
