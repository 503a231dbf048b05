import { chatSearches } from '@generation-gateway/kit/requests/usage/searches.ts'
import { memberName, type RelaySpec } from '../../contract/relay.ts'
import { usageSplice } from '../shared/usage-splice.ts'
import { needsChat } from './hosted-tools.ts'
import { NormalChat } from './normal-answer.ts'
import { keepMs } from './stored/expiry.ts'

/** Declares how chat completions are relayed. */
export const chatRelay: RelaySpec = {
  protocol: 'chat',
  capability: 'text.respond',
  needsRelay: needsChat,
  splice: usageSplice,
  normalizer: model => new NormalChat(model),
  scan: {
    said: 'choices',
    whole: { in: memberName('message') },
    searches: {
      marks: [memberName('url_citation'), memberName('executed_tools')],
      members: { choices: { index: true, message: { annotations: { type: true }, executed_tools: { type: true, index: true } } } },
      in: chatSearches,
    },
  },
  stores: {
    kind: 'completion',
    isWanted: body => body.store === true,
    previousOf: () => undefined,
    expiresAt: (_, now) => now + keepMs,
    isBackground: () => false,
  },
}
