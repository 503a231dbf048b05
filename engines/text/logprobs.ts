/** Converts token probabilities to log probabilities, and draws a token from them. */

import { randomNumbers } from '@generation-gateway/kit/random.ts'
import type { TokenLogprob } from '@generation-gateway/kit/requests/text.ts'
import type { LlamaModel, Token } from 'node-llama-cpp'
import type { EvaluationOptions } from './sampling.ts'

/** Log probability that is reported for a token that llama.cpp does not list; lower than that of
 *  any listed token. */
const leastLogprob = -9999

/** Probabilities of tokens, most likely first, as llama.cpp returns them. */
export type Probabilities = ReadonlyMap<Token, number>

/** Returns a function that draws a token according to the sampling parameters. With the same seed
 *  and the same probabilities, it draws the same tokens. */
export function tokenChooser({
  temperature,
  topP,
  topK,
  minP,
  seed,
}: EvaluationOptions): (probabilities: Probabilities) => Token | undefined {
  const random = randomNumbers(seed)
  return probabilities => {
    const likeliest = [...probabilities].slice(0, topK === 0 ? undefined : topK)
    const first = likeliest[0]
    if (!first || temperature === 0) return first?.[0]
    const entries = likeliest.filter(([, probability]) => probability >= minP * first[1])
    const weights = entries.map(([, probability]) => (probability / first[1]) ** (1 / temperature))
    const all = weights.reduce((sum, weight) => sum + weight, 0)
    let kept = 0
    let sum = 0
    while (kept < weights.length && (kept === 0 || sum < topP * all)) {
      sum += weights[kept] ?? 0
      kept += 1
    }
    let left = random() * sum
    for (const [index, weight] of weights.slice(0, kept).entries()) {
      left -= weight
      if (left <= 0) return entries[index]?.[0]
    }
    return first[0]
  }
}

/** Returns the log probability (natural logarithm) of the token, and those of the `count` most
 *  likely tokens. */
export function logprobOf(model: LlamaModel, token: Token, probabilities: Probabilities, count: number): TokenLogprob {
  const top: TokenLogprob['top'] = []
  for (const [candidate, probability] of probabilities) {
    if (top.length >= count) break
    top.push(described(model, candidate, probability))
  }
  return { ...described(model, token, probabilities.get(token) ?? 0), top }
}

function described(model: LlamaModel, token: Token, probability: number): { token: string; logprob: number; bytes: number[] | null } {
  const text = model.detokenize([token], true)
  return {
    token: text,
    logprob: probability > 0 ? Math.log(probability) : leastLogprob,
    // A token that is only a part of a character has no text of its own, so its bytes are not
    // known.
    bytes: text.includes('\ufffd') ? null : [...Buffer.from(text)],
  }
}
