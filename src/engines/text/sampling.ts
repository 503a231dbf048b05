/** How the next token is chosen, from the request's settings. */
import type { LlamaModel, SequenceEvaluateOptions, Token } from 'node-llama-cpp'
import { TokenBias } from 'node-llama-cpp'
import { GatewayError } from '../../core/errors.ts'
import type { TextRequest } from '../../core/requests/text.ts'

/** Used when the caller names no temperature: small models wander at 1. Source: the model cards of SmolLM2. */
const defaultTemperature = 0.2
const defaultTopP = 0.9
/** Tokens beyond these are noise in models this small, and sorting the whole vocabulary costs as much as a tenth of a step. */
const topK = 128
/** Tokens of the answer that penalties look back at. */
const penaltyWindow = 512
/** This seed means "random" to llama.cpp. */
const randomSeed = 0xffff_ffff

/** Options of one evaluation; `written` gives the tokens of the answer so far. `banned` never come: they have no text.
 *  Throws `invalid_request` for a bias on something that is not a token. */
export function samplingOptions(
  request: TextRequest,
  model: LlamaModel,
  banned: readonly Token[],
  written: () => Token[],
): SequenceEvaluateOptions {
  const temperature = request.temperature ?? defaultTemperature
  const frequencyPenalty = request.frequencyPenalty ?? 0
  const presencePenalty = request.presencePenalty ?? 0
  return {
    temperature,
    topK,
    topP: request.topP ?? (request.temperature === undefined ? defaultTopP : 1),
    seed: seedOf(request.seed),
    tokenBias: biasOf(request, model, banned),
    ...(frequencyPenalty !== 0 || presencePenalty !== 0
      ? {
          repeatPenalty: {
            penalty: 1,
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
      throw new GatewayError('invalid_request', `logit_bias names the token ${text}, which this model does not have.`, {
        field: 'logit_bias',
      })
    bias.set(id, value <= -100 ? 'never' : { logit: value })
  }
  return bias.set([...banned], 'never')
}

function isTokenOf(model: LlamaModel, id: number): id is Token {
  return id >= 0 && id < (model.fileInfo.metadata.tokenizer.ggml.tokens?.length ?? 0)
}
