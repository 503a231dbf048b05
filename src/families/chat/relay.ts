import { memberName, type RelaySpec } from '../../contract/relay.ts'

/** What a relay has to know of chat completions. */
export const chatRelay: RelaySpec = {
  protocol: 'chat',
  capability: 'text.respond',
  hasFastLane: true,
  scan: { said: 'choices', whole: { in: memberName('message') } },
}
