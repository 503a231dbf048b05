import { memberName, type RelaySpec } from '../../contract/relay.ts'
import { messagesFailure } from './failure.ts'
import { needsMessages } from './rules.ts'

/** Declares how messages are relayed. A stream reports the input tokens at its beginning and the
 *  output tokens at its end. */
export const messagesRelay: RelaySpec = {
  protocol: 'messages',
  capability: 'text.respond',
  needsRelay: needsMessages,
  headers: ['anthropic-version', 'anthropic-beta'],
  streamError: error => `\n\nevent: error\ndata: ${JSON.stringify(messagesFailure(error, '').body)}\n\n`,
  scan: {
    said: 'content',
    whole: { in: memberName('content_block') },
    inside: { in: memberName('message'), lastEvents: new Set() },
    counts: {
      in: memberName('usage'),
      read: usage => ({
        inputTokens: sum(usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens),
        cachedInputTokens: usage.cache_read_input_tokens,
        outputTokens: usage.output_tokens,
        reasoningTokens: Object(usage.output_tokens_details).thinking_tokens,
        cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
      }),
      ofEvent: ({ type, message, usage }) => {
        if (type === 'message_start') return { counts: Object(message).usage, isLast: false }
        return type === 'message_delta' ? { counts: usage, isLast: true } : undefined
      },
    },
  },
}

/** Declares how counts of input tokens are relayed. */
export const countRelay: RelaySpec = { ...messagesRelay, minor: 'count', isStreamed: () => false }

/** Returns the sum of the counts that are numbers above 0. */
function sum(...counts: readonly unknown[]): number {
  return counts.reduce<number>((total, count) => total + (typeof count === 'number' && count > 0 ? count : 0), 0)
}
