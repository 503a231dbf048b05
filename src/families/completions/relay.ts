import { memberName, type RelaySpec } from '../../contract/relay.ts'
import { usageSplice } from '../shared/usage-splice.ts'

/** Declares how legacy completions are relayed. */
export const completionsRelay: RelaySpec = {
  protocol: 'completions',
  capability: 'text.respond',
  splice: usageSplice,
  scan: { said: 'choices', whole: { in: memberName('text') } },
}
