import { memberName, type RelaySpec } from '../../contract/relay.ts'

const finalStatuses = ['completed', 'incomplete', 'failed', 'cancelled']

/** What a relay has to know of responses. */
export const responsesRelay: RelaySpec = {
  protocol: 'responses',
  capability: 'text.respond',
  scan: {
    said: 'output',
    whole: { in: memberName('item'), event: 'response.output_item.done' },
    finalStatuses: new Set(finalStatuses),
    inside: { in: memberName('response'), lastEvents: new Set(finalStatuses.map(status => `response.${status}`)) },
  },
}
