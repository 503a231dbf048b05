import { messagesUsage } from '@generation-gateway/kit/requests/usage/reported-usage.ts'
import { memberName, type RelaySpec } from '../../contract/relay.ts'
import { messagesFailure } from './failure.ts'

/** Declares how messages are relayed. The input tokens are told at the beginning of a stream, the
 *  output tokens at its end. */
export const messagesRelay: RelaySpec = {
  protocol: 'messages',
  capability: 'text.respond',
  headers: ['anthropic-version', 'anthropic-beta'],
  streamError: error => `\n\nevent: error\ndata: ${JSON.stringify(messagesFailure(error, '').body)}\n\n`,
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
