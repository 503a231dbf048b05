/** How the next token is chosen: by the caller's word, else the operator's, else what the makers of the model recommend. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import type { GgufFileInfo, LlamaModel, SequenceEvaluateOptions, Token } from 'node-llama-cpp'
import { TokenBias } from 'node-llama-cpp'
import { callableTools } from './grammar/answer-grammar.ts'

/** Used where a caller says nothing. */
export interface Sampling {
  temperature: number
  /** While tools may be called; absent: as without. */
  temperatureWithTools?: number
  topP: number
  /** Likeliest tokens that are drawn from; 0 is all of them. */
  topK: number
  /** Share of the likeliest token's probability that others need. */
  minP: number
  /** Divides the logits of tokens that the answer has already; 1 leaves them. */
  repeatPenalty: number
}

/** For models of which nothing is known: small ones wander at 1, tokens beyond 128 are noise in them, and sorting the whole vocabulary costs as much as a tenth of a step. */
const fallback: Sampling = { temperature: 0.2, topP: 0.9, topK: 128, minP: 0, repeatPenalty: 1 }

/** Source: generation_config.json of the instruct models of that architecture. */
const architectures: Readonly<Record<string, Partial<Sampling>>> = {
  qwen2: { temperature: 0.7, topP: 0.8, topK: 20, repeatPenalty: 1.05 },
  qwen3: { temperature: 0.6, topP: 0.95, topK: 20 },
  gemma3: { temperature: 1, topP: 0.95, topK: 64 },
}

/** Keys under `general.sampling` of a GGUF file, as llama.cpp's converter writes them. */
const metadataKeys = { temp: 'temperature', top_p: 'topP', top_k: 'topK', min_p: 'minP', penalty_repeat: 'repeatPenalty' } as const

/** What goes without a caller's word: `chosen` first, then what the file says, then what is known of its architecture. */
export function samplingOf({ general }: GgufFileInfo['metadata'], chosen: Partial<Sampling> = {}): Sampling {
  return { ...fallback, ...architectures[general.architecture], ...fileSampling(general), ...chosen }
}

function fileSampling(general: object): Partial<Sampling> {
  // The library's type does not know these keys.
  const { sampling } = general as { sampling?: Record<string, unknown> }
  const found: Partial<Sampling> = {}
  for (const [key, name] of Object.entries(metadataKeys)) {
    const value = sampling?.[key]
    // The file has 32 bits of it: 0.6 would be 0.6000000238418579.
    if (typeof value === 'number' && Number.isFinite(value)) found[name] = Number(value.toPrecision(6))
  }
  return found
}

/** Tokens of the answer that penalties look back at. */
const penaltyWindow = 512
/** This seed means "random" to llama.cpp. */
const randomSeed = 0xffff_ffff

interface Answering {
  model: LlamaModel
  sampling: Sampling
  /** They never come: they have no text. */
  banned: readonly Token[]
  /** The tokens of the answer so far. */
  written(): Token[]
}

/** Options of every evaluation of one answer. */
export type Drawing = SequenceEvaluateOptions & Omit<Sampling, 'repeatPenalty' | 'temperatureWithTools'> & { seed: number }

/** Throws `invalid_request` for a bias on something that is not a token. */
export function samplingOptions(request: TextRequest, { model, sampling, banned, written }: Answering): Drawing {
  const frequencyPenalty = request.frequencyPenalty ?? 0
  const presencePenalty = request.presencePenalty ?? 0
  const { repeatPenalty: penalty, topK, minP, temperature, temperatureWithTools = temperature } = sampling
  return {
    temperature: request.temperature ?? (callableTools(request).length > 0 ? temperatureWithTools : temperature),
    topP: request.topP ?? sampling.topP,
    topK,
    minP,
    seed: seedOf(request.seed),
    tokenBias: biasOf(request, model, banned),
    ...(frequencyPenalty !== 0 || presencePenalty !== 0 || penalty !== 1
      ? {
          repeatPenalty: {
            penalty,
            frequencyPenalty,
            presencePenalty,
            punishTokens: () => written().slice(-penaltyWindow),
            maxPunishTokens: penaltyWindow,
          },
        }
      : {}),
  }
}

function seedOf(seed: number | undefined): number {
  if (seed === undefined) return Math.floor(Math.random() * randomSeed)
  // Any whole number is a seed; llama.cpp takes 32 bits of it.
  const folded = Math.abs(seed) % randomSeed
  return seed < 0 ? randomSeed - 1 - folded : folded
}

function biasOf({ logitBias }: TextRequest, model: LlamaModel, banned: readonly Token[]): TokenBias {
  const bias = new TokenBias(model.tokenizer)
  for (const [text, value] of Object.entries(logitBias ?? {})) {
    const id = Number(text)
    if (!Number.isInteger(id) || !isTokenOf(model, id))
      throw new GatewayError('invalid_request', about('logitBias', `this model does not have the token ${text}.`), { field: 'logitBias' })
    bias.set(id, value <= -100 ? 'never' : { logit: value })
  }
  return bias.set([...banned], 'never')
}

function isTokenOf(model: LlamaModel, id: number): id is Token {
  return id >= 0 && id < (model.fileInfo.metadata.tokenizer.ggml.tokens?.length ?? 0)
}
