import { responsesSearches } from '@generation-gateway/kit/requests/usage/searches.ts'
import { memberName, type RelaySpec } from '../../contract/relay.ts'
import { expiryOf } from './expiry.ts'
import { demandsHosted } from './input/hosted-tools.ts'
import { containersOf } from './references.ts'

const finalStatuses = ['completed', 'incomplete', 'failed', 'cancelled']

/** Declares how the Responses API is relayed. */
export const responsesRelay: RelaySpec = {
  protocol: 'responses',
  capability: 'text.respond',
  needsRelay: demandsHosted,
  scan: {
    said: 'output',
    besideItem: containersOf,
    whole: { in: memberName('item'), event: 'response.output_item.done' },
    finalStatuses: new Set(finalStatuses),
    inside: { in: memberName('response'), lastEvents: new Set(finalStatuses.map(status => `response.${status}`)) },
    searches: {
      marks: [memberName('web_search_call')],
      members: { output: { type: true, id: true, action: { type: true } } },
      in: responsesSearches,
    },
  },
  stores: {
    kind: 'response',
    isWanted: body => body.store !== false,
    previousOf: ({ previous_response_id: previous }) => (typeof previous === 'string' ? previous : undefined),
    expiresAt: (body, now) => expiryOf(body.expire_at, now),
    isBackground: body => body.background === true,
  },
}

const { protocol, capability, scan } = responsesRelay

/** Declares how requests that count input tokens are relayed. */
export const countRelay: RelaySpec = { protocol, capability, scan, minor: 'count', isStreamed: () => false }

/** Declares how requests that compact a conversation are relayed. */
export const compactRelay: RelaySpec = { ...countRelay, minor: 'compact' }
