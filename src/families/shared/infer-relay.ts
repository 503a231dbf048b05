import { objectOf } from '@generation-gateway/kit/json.ts'
import { memberName, type RelaySpec } from '../../contract/relay.ts'

/** Returns the declaration of how embeddings, rerank or moderations are relayed. `said` names
 *  the member of an answer that lists the model's output. These answers have no such member, so
 *  the name is one that does not occur. Voyage reports only the total of the tokens; Cohere
 *  reports search units, and for some models tokens, in `meta`. */
export function inferRelay({ protocol, capability }: Pick<RelaySpec, 'protocol' | 'capability'>): RelaySpec {
  return {
    ...{ protocol, capability },
    isStreamed: () => false,
    scan: {
      said: 'output',
      hasText: false,
      whole: { in: memberName('output') },
      counts: {
        in: memberName('usage'),
        beside: ['meta'],
        read: ({ prompt_tokens: prompt, input_tokens: input, total_tokens: total }, { meta }) => {
          const { tokens, billed_units: billed } = objectOf(meta)
          const { input_tokens: billedTokens, search_units: searchUnits } = objectOf(billed)
          return {
            inputTokens: prompt ?? input ?? total ?? objectOf(tokens).input_tokens ?? billedTokens,
            ...{ outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, searchUnits },
          }
        },
      },
    },
  }
}
