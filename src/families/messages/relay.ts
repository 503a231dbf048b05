import { messagesUsage } from '@generation-gateway/kit/requests/usage/reported-usage.ts'
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
  streamError: (error, requestId) => `\n\nevent: error\ndata: ${JSON.stringify(messagesFailure(error, requestId).body)}\n\n`,
  scan: {
    said: 'content',
    whole: { in: memberName('content_block') },
    inside: { in: memberName('message'), lastEvents: new Set() },
    counts: {
      in: memberName('usage'),
      read: messagesUsage,
      ofEvent: ({ type, message, usage }) => {
        if (type === 'message_start') return { counts: Object(message).usage, isLast: false }
        return type === 'message_delta' ? { counts: usage, isLast: true } : undefined
      },
    },
  },
}

/** Declares how requests that count input tokens are relayed. */
export const countRelay: RelaySpec = { ...messagesRelay, minor: 'count', isStreamed: () => false }
