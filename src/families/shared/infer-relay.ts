import { memberName, type RelaySpec } from '../../contract/relay.ts'

/** Returns the declaration of how embeddings, rerank or moderations are relayed. Their answers have
 *  no text, so `said` names a member that they lack. Voyage reports only the total of the tokens;
 *  Cohere reports only search units, which are known before the call. */
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
        read: ({ prompt_tokens: prompt, input_tokens: input, total_tokens: total }) => ({
          ...{ inputTokens: prompt ?? input ?? total, outputTokens: 0 },
          ...{ cachedInputTokens: 0, reasoningTokens: 0 },
        }),
      },
    },
  }
}
