import type { RelaySpec } from '../../contract/relay.ts'

/** What a relay has to know of responses. */
export const responsesRelay: RelaySpec = {
  protocol: 'responses',
  capability: 'text.respond',
}
