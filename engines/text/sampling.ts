/** Chooses the sampling parameters of an answer. The caller's values come first, then the
 *  operator's, then those that the makers of the model recommend. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import type { GgufFileInfo, LlamaModel, SequenceEvaluateOptions, Token } from 'node-llama-cpp'
import { TokenBias } from 'node-llama-cpp'
import { callableTools } from './grammar/answer-grammar.ts'

/** Default sampling parameters for those that a caller does not set. */
export interface Sampling {
  temperature: number
  /** Temperature while tools may be called; by default, `temperature`. */
  temperatureWithTools?: number
  topP: number
  /** Number of most likely tokens from which one is drawn; 0 means all. */
  topK: number
  /** Least probability of a token that may be drawn, as a share of the probability of the most
   *  likely token. */
  minP: number
  /** Factor that reduces the logits of tokens which the answer already has; 1 changes nothing. */
  repeatPenalty: number
}

/** Defaults for unknown models. The temperature is low, because small models ramble at 1. Tokens
 *  beyond the 128 most likely ones are noise, and sorting the whole vocabulary would take a tenth
 *  of a step. */
const fallback: Sampling = { temperature: 0.2, topP: 0.9, topK: 128, minP: 0, repeatPenalty: 1 }

/** Recommended values by architecture, from the generation_config.json of its instruct models. */
const architectures: Readonly<Record<string, Partial<Sampling>>> = {
  qwen2: { temperature: 0.7, topP: 0.8, topK: 20, repeatPenalty: 1.05 },
  qwen3: { temperature: 0.6, topP: 0.95, topK: 20 },
  gemma3: { temperature: 1, topP: 0.95, topK: 64 },
}

/** Names of sampling parameters under `general.sampling` in a GGUF file, as llama.cpp's converter
 *  writes them. */
const metadataKeys = { temp: 'temperature', top_p: 'topP', top_k: 'topK', min_p: 'minP', penalty_repeat: 'repeatPenalty' } as const

/** Returns the default sampling parameters of a model. Parameters in `chosen` have priority over
 *  those in the model file, which have priority over those of the model's architecture. */
export function samplingOf({ general }: GgufFileInfo['metadata'], chosen: Partial<Sampling> = {}): Sampling {
  return { ...fallback, ...architectures[general.architecture], ...fileSampling(general), ...chosen }
}

function fileSampling(general: object): Partial<Sampling> {
  // The type that the library declares for the metadata lacks these keys.
  const { sampling } = general as { sampling?: Record<string, unknown> }
  const found: Partial<Sampling> = {}
  for (const [key, name] of Object.entries(metadataKeys)) {
    const value = sampling?.[key]
    // The file stores 32-bit floats, so 0.6 is read as 0.6000000238418579. The number is therefore
    // rounded to six digits.
    if (typeof value === 'number' && Number.isFinite(value)) found[name] = Number(value.toPrecision(6))
  }
  return found
}

/** Number of the answer's last tokens to which penalties apply. */
const penaltyWindow = 512
/** llama.cpp interprets this seed as "random". */
const randomSeed = 0xffff_ffff

interface AnswerContext {
  model: LlamaModel
  sampling: Sampling
  /** Tokens that must never be drawn, because they have no text. */
  banned: readonly Token[]
  /** Returns the tokens of the answer so far. */
  written(): Token[]
}

/** Options of every model evaluation for one answer. */
export type EvaluationOptions = SequenceEvaluateOptions & Omit<Sampling, 'repeatPenalty' | 'temperatureWithTools'> & { seed: number }

/** Returns the evaluation options for a request. Throws `invalid_request` for a logit bias on an id
 *  that is not a token. */
export function samplingOptions(request: TextRequest, { model, sampling, banned, written }: AnswerContext): EvaluationOptions {
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
  // A caller may send any integer as a seed, but llama.cpp takes 32 bits. The seed is folded into
  // that range.
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
